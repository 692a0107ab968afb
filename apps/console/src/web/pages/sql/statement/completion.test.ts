import { CompletionContext } from '@codemirror/autocomplete';
import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import { completeFrom, type QuerySchema } from './completion.ts';

const column = (name: string) => ({ name, type: 'String', comment: '' });
const schema = {
  tables: [
    { name: 'match.finished', comment: '', columns: [column('score.total')] },
    { name: 'level_up', comment: '', columns: [column('level')] },
  ],
  functions: [],
} satisfies QuerySchema;

function applied(sql: string): string[] {
  const state = EditorState.create({ doc: sql });
  const found = completeFrom(() => schema)(new CompletionContext(state, sql.length, true));
  return (found?.options ?? []).map(({ apply }) => String(apply));
}

test('completes tables and members with a dot in their names, quoted', () => {
  expect(applied('SELECT * FROM ')).toContain('`match.finished`');
  expect(applied('SELECT `match.finished`.')).toEqual(['`score.total`']);
  expect(applied('FROM `match.finished` AS m SELECT m.')).toEqual(['`score.total`']);
  expect(applied('FROM `match.finished` SELECT ')).toContain('`score.total`');
  expect(applied('FROM level_up SELECT level_up.')).toEqual(['level']);
});
