import { randomUUID } from 'node:crypto';
import { freshClickHouse } from '@tickrate/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestType, frameOf } from '../test-rows.ts';
import { createWarehouse } from '../warehouse.ts';

const { url, database } = await freshClickHouse();
const warehouse = createWarehouse({ clickhouseUrl: url, database });
const tick = createTestType('tick', 1, { n: { type: 'integer' } });
const match = createTestType('match', 1, { n: { type: 'integer' } });
const dayMs = 86_400_000;
const settledUntilMs = Date.UTC(2030, 0, 1);
beforeAll(() => warehouse.migrate());
afterAll(() => warehouse.close());

async function store(type: typeof tick, projectId: string, times: readonly number[]): Promise<void> {
  for (const receivedMs of times) {
    const chunkId = randomUUID();
    const rows = type.encode([{ event: { n: 1 } }], { chunkId, projectId, receivedMs });
    expect(await warehouse.insertRows({ body: [frameOf(rows)], token: chunkId })).toEqual({ kind: 'stored' });
  }
}

async function left(projectId: string): Promise<string[]> {
  const rows = await warehouse.query<{ row: string }>(
    `SELECT concat(type, ' ', toString(toDate(received))) AS row FROM ${database}.events
     WHERE project = {project:String} ORDER BY received, type`,
    { parameters: { project: projectId } },
  );
  return rows.map(({ row }) => row);
}

// Invariant (Privacy): Retention removes only expired events of the project and type
test('only events that match a rule by project, type and time are removed', async () => {
  const days = [1, 10, 20].map((day) => Date.UTC(2024, 0, day));
  for (const type of [tick, match]) for (const project of ['p-a', 'p-b']) await store(type, project, days);
  const until = Date.UTC(2024, 0, 15);
  const removed = await warehouse.removeExpired({
    settledUntilMs,
    rules: [
      { projectIds: ['p-a'], types: { only: ['tick'] }, receivedBeforeMs: until },
      { projectIds: ['p-a'], types: { except: ['tick'] }, receivedBeforeMs: Date.UTC(2024, 0, 5) },
    ],
  });
  expect(removed).toEqual([{ partition: '202401', rows: 3, kind: 'rewritten' }]);
  expect(await left('p-a')).toEqual(['match 2024-01-10', 'match 2024-01-20', 'tick 2024-01-20']);
  expect(await left('p-b')).toHaveLength(6);
});

test('a month without remaining events is dropped completely, unless more of its events can arrive', async () => {
  await store(tick, 'p-old', [Date.UTC(2023, 0, 5), Date.UTC(2023, 1, 5)]);
  const rules = [{ projectIds: ['p-old'], types: null, receivedBeforeMs: Date.UTC(2023, 5, 1) }];
  const settled = Date.UTC(2023, 1, 20);
  expect(await warehouse.removeExpired({ rules, settledUntilMs: settled })).toEqual([
    { partition: '202301', rows: 1, kind: 'dropped' },
    { partition: '202302', rows: 1, kind: 'rewritten' },
  ]);
  expect(await left('p-old')).toEqual([]);
});

test('old events that are not settled are not removed', async () => {
  await store(tick, 'p-late', [Date.UTC(2022, 0, 5), Date.UTC(2022, 0, 9)]);
  const rules = [{ projectIds: ['p-late'], types: null, receivedBeforeMs: Date.UTC(2023, 0, 1) }];
  await warehouse.removeExpired({ rules, settledUntilMs: Date.UTC(2022, 0, 7) });
  expect(await left('p-late')).toEqual(['tick 2022-01-09']);
});

test('a few expired events of a month are removed once they are a tenth of it, or after a week', async () => {
  const first = Date.UTC(2021, 0, 1);
  await store(tick, 'p-little', [first]);
  await store(
    tick,
    'p-large',
    Array.from({ length: 12 }, () => Date.UTC(2021, 0, 20)),
  );
  const remove = (receivedBeforeMs: number) =>
    warehouse.removeExpired({
      settledUntilMs,
      rules: [{ projectIds: ['p-little'], types: null, receivedBeforeMs }],
    });
  expect(await remove(first + dayMs)).toEqual([]);
  expect(await left('p-little')).toHaveLength(1);
  expect(await remove(first + 7 * dayMs + 1)).toEqual([{ partition: '202101', rows: 1, kind: 'rewritten' }]);
  expect(await left('p-little')).toEqual([]);
});

test('without a rule, nothing is queried or removed', async () => {
  expect(await warehouse.removeExpired({ rules: [], settledUntilMs })).toEqual([]);
  const rules = [{ projectIds: [], types: null, receivedBeforeMs: settledUntilMs }];
  expect(await warehouse.removeExpired({ rules, settledUntilMs })).toEqual([]);
});
