import { randomUUID } from 'node:crypto';
import { freshClickHouse } from '@tickrate/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestProject } from '../test-project.ts';
import { createTestType } from '../test-rows.ts';

const { url, database } = await freshClickHouse();
const { warehouse, store, applyView, drop } = createTestProject({ url, database, newId: randomUUID });

beforeAll(() => warehouse.migrate());
afterAll(() => drop());

test('a view shows the events of all versions, and a widened member in its widest type', async () => {
  const first = createTestType('widened', 1, {
    score: { type: 'integer', format: 'int32' },
    gone: { type: 'string' },
    count: { type: 'integer' },
  });
  const second = createTestType('widened', 2, {
    score: { type: 'integer', format: 'int64' },
    count: { type: 'integer', format: 'uint64' },
    added: { type: 'array', items: { type: 'string' } },
  });
  const third = createTestType('widened', 3, { score: { type: 'number' } });
  await store(first, { score: 7, gone: 'old', count: -5 });
  expect(await warehouse.query(`SELECT score, gone FROM ${await applyView(first)}`)).toEqual([
    { score: 7, gone: 'old' },
  ]);
  await store(second, { score: '9007199254740991', count: '18446744073709551615', added: ['x'] });
  await store(third, { score: 0.5 });
  const view = await applyView(third, first, second);
  expect(
    await warehouse.query(`SELECT version, score, gone, count, added FROM ${view} ORDER BY version`),
  ).toEqual([
    { version: 1, score: 7, gone: 'old', count: '-5', added: [] },
    { version: 2, score: 9007199254740991, gone: null, count: '18446744073709551615', added: ['x'] },
    { version: 3, score: 0.5, gone: null, count: null, added: [] },
  ]);
  expect(await warehouse.query(`SELECT max(score) AS s, max(count) AS m FROM ${view}`)).toEqual([
    { s: 9007199254740991, m: '18446744073709551615' },
  ]);
});

test('a member with an incompatible new type takes the name, and the older values have another column', async () => {
  const first = createTestType('retyped', 1, {
    id: { type: 'integer', format: 'int32' },
    id_v2: { type: 'string' },
  });
  const second = createTestType('retyped', 2, { id: { type: 'integer' } });
  const third = createTestType('retyped', 3, { id: { type: 'string', format: 'uuid' } });
  const uuid = randomUUID();
  await store(first, { id: 1, id_v2: 'taken' });
  await store(second, { id: 2 });
  await store(third, { id: uuid });
  const view = await applyView(first, second, third);
  expect(await warehouse.query(`SELECT version, id, id_v2, id_v2_ FROM ${view} ORDER BY version`)).toEqual([
    { version: 1, id: null, id_v2: 'taken', id_v2_: '1' },
    { version: 2, id: null, id_v2: null, id_v2_: '2' },
    { version: 3, id: uuid, id_v2: null, id_v2_: null },
  ]);
});

test('records in lists and maps are merged by the names of their members', async () => {
  const item = (properties: object) => ({ type: 'object', properties });
  const first = createTestType('records', 1, {
    items: {
      type: 'array',
      items: item({ name: { type: 'string' }, count: { type: 'integer', format: 'int32' } }),
    },
    byId: { type: 'object', additionalProperties: item({ hp: { type: 'integer' } }) },
  });
  const second = createTestType('records', 2, {
    items: {
      type: 'array',
      items: item({
        tags: { type: 'array', items: { type: 'string' } },
        count: { type: 'integer' },
        at: item({ x: { type: 'number' } }),
      }),
    },
    byId: { type: 'object', additionalProperties: item({ hp: { type: 'number' }, mp: { type: 'integer' } }) },
  });
  await store(first, { items: [{ name: 'a', count: 1 }], byId: { 'k.1': { hp: 3 } } });
  await store(second, {
    items: [{ tags: ['t'], count: 2, at: { x: 1.5 } }, {}],
    byId: { k: { hp: 0.5, mp: 1 } },
  });
  await store(second, {});
  const view = await applyView(first, second);
  const rows = await warehouse.query(
    `SELECT items, byId FROM ${view} ORDER BY version, notEmpty(items) DESC`,
  );
  expect(rows).toEqual([
    {
      items: [{ tags: [], count: '1', at: { x: null }, name: 'a' }],
      byId: { 'k.1': { hp: 3, mp: null } },
    },
    {
      items: [
        { tags: ['t'], count: '2', at: { x: 1.5 }, name: null },
        { tags: [], count: null, at: { x: null }, name: null },
      ],
      byId: { k: { hp: 0.5, mp: '1' } },
    },
    { items: [], byId: {} },
  ]);
});

test('a member that changed from a map to an object has both columns', async () => {
  const first = createTestType('reshaped', 1, {
    at: { type: 'object', additionalProperties: { type: 'integer' } },
  });
  const second = createTestType('reshaped', 2, {
    at: { type: 'object', properties: { keys: { type: 'string' }, x: { type: 'integer' } } },
  });
  await store(first, { at: { x: 1 } });
  await store(second, { at: { x: 2, keys: 'k' } });
  const view = await applyView(first, second);
  expect(
    await warehouse.query(`SELECT version, at, \`at.x\`, at.keys AS k FROM ${view} ORDER BY version`),
  ).toEqual([
    { version: 1, at: { x: '1' }, 'at.x': null, k: null },
    { version: 2, at: {}, 'at.x': '2', k: 'k' },
  ]);
});
