import { expect, test } from 'vitest';
import { readConditions, readStep } from './conditions.ts';

test('reads conditions on members, with commas or "and" between them', () => {
  expect(readConditions('level > 3, mode = "ranked"')).toEqual({
    ok: true,
    conditions: [
      { member: 'level', is: 'greater', value: 3 },
      { member: 'mode', is: 'equal', value: 'ranked' },
    ],
  });
  expect(readConditions('boss.name!="Ann, and \\"Bo\\"" and won == true and level<=-1.5')).toEqual({
    ok: true,
    conditions: [
      { member: 'boss.name', is: 'notEqual', value: 'Ann, and "Bo"' },
      { member: 'won', is: 'equal', value: true },
      { member: 'level', is: 'lessOrEqual', value: -1.5 },
    ],
  });
  expect(readConditions('mode=ranked')).toEqual({
    ok: true,
    conditions: [{ member: 'mode', is: 'equal', value: 'ranked' }],
  });
  expect(readConditions(' , ')).toEqual({ ok: true, conditions: [] });
});

test('names the part that is no condition', () => {
  for (const part of ['level', 'level >', '> 3', 'a = "b', 'a = b = c', 'level => 3'])
    expect(readConditions(`mode = x, ${part}`)).toEqual({ ok: false, part });
  expect(readConditions(Array.from({ length: 11 }, (_, index) => `m${index} = 1`).join())).toEqual({
    ok: false,
    part: 'm10 = 1',
  });
});

test('reads the steps of a funnel, with blanks between the conditions, but not inside quotes', () => {
  expect(readStep(' boss  won==true name="Ann \\"A\\" Lee" party>=2 ')).toEqual({
    type: 'boss',
    where: {
      ok: true,
      conditions: [
        { member: 'won', is: 'equal', value: true },
        { member: 'name', is: 'equal', value: 'Ann "A" Lee' },
        { member: 'party', is: 'greaterOrEqual', value: 2 },
      ],
    },
  });
  expect(readStep('boss')).toEqual({ type: 'boss', where: { ok: true, conditions: [] } });
  expect(readStep('boss level~3')).toEqual({ type: 'boss', where: { ok: false, part: 'level~3' } });
});
