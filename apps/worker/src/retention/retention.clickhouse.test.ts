import { sleep } from '@tickrate/platform';
import { createRegistry, migrateRegistry } from '@tickrate/registry';
import { createManualClock, freshClickHouse, freshPostgres, waitUntil } from '@tickrate/testkit';
import { createWarehouse } from '@tickrate/warehouse';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sampleChunk, sampleId } from '../testing/sample-rows.ts';
import { createRetention } from './retention.ts';

const { url: postgresUrl } = await freshPostgres();
const { url: clickhouseUrl, database } = await freshClickHouse();
const warehouse = createWarehouse({ clickhouseUrl, database });
const clock = createManualClock(Date.UTC(2026, 5, 15, 12));
const registry = createRegistry({ postgresUrl, now: clock.now });
const dayMs = 86_400_000;

beforeAll(() => Promise.all([migrateRegistry(postgresUrl), warehouse.migrate()]));
afterAll(() => Promise.all([registry.close(), warehouse.close()]));

async function projectWithEvents(retention?: object): Promise<string> {
  const { id: projectId } = await registry.createProject({ name: 'Kart' });
  if (retention) await registry.setPolicy({ projectId, name: 'retention', value: retention });
  for (const daysAgo of [1, 40, 100]) {
    const receivedMs = clock.now() - daysAgo * dayMs;
    const id = sampleId(receivedMs);
    const chunk = sampleChunk({ id, projectId, receivedMs, requests: [{ events: [daysAgo] }] });
    const outcome = await warehouse.insertRows({ body: [chunk.frame], token: chunk.id });
    expect(outcome.kind).toBe('stored');
  }
  return projectId;
}

async function daysLeft(projectId: string): Promise<number[]> {
  const rows = await warehouse.query<{ n: string }>(
    `SELECT toString(data.n) AS n FROM ${database}.events WHERE project = {project:String} ORDER BY received DESC`,
    { parameters: { project: projectId } },
  );
  return rows.map(({ n }) => Number(n));
}

test('events are removed when the retention of the project has passed, and not before', async () => {
  const month = await projectWithEvents({ days: 30 });
  const quarter = await projectWithEvents({ days: 90, types: { other: 1 } });
  const forEver = await projectWithEvents({ days: null, types: { other: 1 } });
  const ownType = await projectWithEvents({ days: null, types: { sample: 30 } });
  const asUsual = await projectWithEvents();
  const looks: number[] = [];
  const faults: unknown[] = [];
  const keeper = createRetention({
    registry,
    warehouse,
    sleep,
    now: clock.now,
    everyMs: 20,
    defaultDays: 60,
    settledUntilMs: async () => clock.now(),
    onExpired: (removed) => looks.push(removed.reduce((sum, { rows }) => sum + rows, 0)),
    onFault: (fault) => faults.push(fault),
  });
  await keeper.start();
  await waitUntil(() => looks.length >= 2, { what: 'two looks', timeoutMs: 10_000 });
  expect(faults).toEqual([]);
  expect(looks.slice(0, 2)).toEqual([6, 0]);
  expect(await daysLeft(month)).toEqual([1]);
  expect(await daysLeft(quarter)).toEqual([1, 40]);
  expect(await daysLeft(forEver)).toEqual([1, 40, 100]);
  expect(await daysLeft(ownType)).toEqual([1]);
  expect(await daysLeft(asUsual)).toEqual([1, 40]);

  clock.advance(51 * dayMs);
  const settled = looks.length + 2;
  await waitUntil(() => looks.length >= settled, { what: 'two looks more', timeoutMs: 10_000 });
  await keeper.drain();
  expect(await daysLeft(month)).toEqual([]);
  expect(await daysLeft(quarter)).toEqual([1]);
  expect(await daysLeft(asUsual)).toEqual([1]);
});
