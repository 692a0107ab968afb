import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commentGerman } from './comment-german.ts';

const folder = join(import.meta.dirname, '../../../../../../../packages/warehouse/src');
const sources = ['table/envelope-columns.ts', 'queries/describe-schema.ts'];
const comments = sources.flatMap((path) =>
  Array.from(
    readFileSync(join(folder, path), 'utf8').matchAll(/(?:\w+|comment): (['"])([A-Z](?:(?!\1).)*\.)\1/g),
    (match) => match[2] ?? '',
  ),
);

test('every comment of a column that all tables have is German on a German page', () => {
  expect(comments.length).toBe(14);
  expect(comments.filter((comment) => commentGerman(comment) === null)).toEqual([]);

  expect(commentGerman('The level of the player')).toBeNull();
});
