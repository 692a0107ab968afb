import { expect, test } from 'vitest';
import { memberKinds } from './editor/edit-members.ts';
import { membersOf } from './member-table.tsx';
import { kindGerman } from './types-german.ts';
import { kindTexts } from './types-texts.ts';

test('every kind that the editor offers is in words, in both languages', () => {
  for (const { kind } of [kindTexts.english, kindGerman]) {
    const codes = memberKinds.filter((each) => /string|array|boolean|date-time|u?int\d/.test(kind(each)));
    expect(codes).toEqual([]);
  }
  expect(kindGerman.kind('integer · int64')).toBe('ganze Zahl · 64 Bit');
});

test('several types are joined, and a format that users chose keeps its name', () => {
  const [member] = membersOf({ properties: { at: { type: ['string', 'null'], format: 'hostname' } } });
  expect(kindTexts.english.kind(member?.kind ?? '')).toBe('text | null · hostname');
});
