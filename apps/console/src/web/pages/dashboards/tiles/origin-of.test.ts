import { expect, test } from 'vitest';
import type { Tile } from '../use-dashboards.ts';
import { originOf } from './origin-of.ts';

const tile = (analysis: object) => ({ title: 'T', chart: 'bar', analysis }) as unknown as Tile;
const where = [{ member: 'map', is: 'equal', value: '{{map}}' }];

test('an analysis opens in Explore, with the filters of the dashboard', () => {
  const asked = tile({ name: 'breakdown', parameters: { type: 'match', member: 'kills', where } });
  const origin = originOf(asked, null, new Map([['map', 'Caldera']]));
  expect(origin).toMatchObject({
    page: 'explore',
    question: { analysis: 'breakdown', type: 'match', member: 'kills', where: [{ value: 'Caldera' }] },
  });
  expect(originOf(asked, null, new Map([['map', '']]))).toMatchObject({ question: { where: [] } });
});

test('a statement opens in SQL, and an analysis that Explore would change opens nowhere', () => {
  const query = { title: 'T', chart: 'table', query: { sql: 'SELECT 1' } } as unknown as Tile;
  expect(originOf(query, null, new Map())).toEqual({ page: 'sql', sql: 'SELECT 1' });
  const many = tile({ name: 'retention', parameters: { per: 'day', periods: 30 } });
  expect(originOf(many, null, new Map())).toBe(null);
});
