import { createPostgres } from '@tickrate/postgres';
import { freshPostgres } from '@tickrate/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLedger, createUsage, migrateLedger } from '../index.ts';
import { sampleId } from '../queue/chunks/chunk-samples.ts';

const { url } = await freshPostgres();
const ledger = createLedger({ postgresUrl: url });
const usage = createUsage({ postgresUrl: url });
const pool = createPostgres({ postgresUrl: url });
beforeAll(() => migrateLedger(url));
afterAll(() => Promise.all([ledger.close(), usage.close(), pool.close()]));

let projects = 0;
const newProject = () => `p-${String(++projects).padStart(12, '0')}`;

async function used(project: string): Promise<[number, number]> {
  const found = (await usage.ofProjects([project])).get(project);
  return [found?.today ?? -1, found?.thisMonth ?? -1];
}

function arrive(producer: string, projectId: string, count: number): Promise<unknown> {
  return ledger.seal(sampleId(Date.now()), [
    {
      id: sampleId(Date.now()),
      projectId,
      count,
      idempotency: [],
      producer,
      position: { start: 0, settled: 0, voids: [] },
    },
  ]);
}

// Invariant (Limits and overload): A quota is used up once, across gateways, repeated reports and kills
test('reports of several gateways are added, and a repeated report counts once', async () => {
  const project = newProject();
  const nothing = (await usage.ofProjects([project])).get(project);
  expect(nothing).toMatchObject({ today: 0, thisMonth: 0 });
  expect(nothing?.dayEndsInMs).toBeLessThanOrEqual(86_400_000);
  expect(nothing?.monthEndsInMs).toBeGreaterThanOrEqual(nothing?.dayEndsInMs ?? Number.POSITIVE_INFINITY);
  await usage.reportAccepted('a', new Map([[project, 10]]));
  await usage.reportAccepted('a', new Map([[project, 10]]));
  await usage.reportAccepted('b', new Map([[project, 5]]));
  await usage.reportAccepted('a', new Map([[project, 12]]));
  expect(await used(project)).toEqual([17, 17]);
});

test('arrived events of a gateway that was killed before its report count once', async () => {
  const project = newProject();
  await usage.reportAccepted('c', new Map([[project, 4]]));
  await arrive('c', project, 9);
  expect(await used(project)).toEqual([4, 4]);
  await ledger.maintain({ oldestPendingMs: undefined });
  await ledger.maintain({ oldestPendingMs: undefined });
  expect(await used(project)).toEqual([9, 9]);
  await usage.reportAccepted('c', new Map([[project, 9]]));
  expect(await used(project)).toEqual([9, 9]);
});

test('gateways that report at the same time lose nothing', async () => {
  const project = newProject();
  const rounds = Array.from({ length: 20 }, (_, n) => n + 1);
  const reports = ['d', 'e', 'f'].map(async (producer) => {
    for (const n of rounds) await usage.reportAccepted(producer, new Map([[project, n]]));
  });
  await Promise.all([...reports, ...rounds.map(() => ledger.maintain({ oldestPendingMs: undefined }))]);
  expect(await used(project)).toEqual([60, 60]);
});

test('a new day begins at nothing, and so does a new month', async () => {
  const project = newProject();
  await usage.reportAccepted('g', new Map([[project, 3]]));
  await pool.query('UPDATE delivery.usage SET day = day - 40 WHERE project = $1', [project]);
  expect(await used(project)).toEqual([0, 0]);
  await usage.reportAccepted('g', new Map([[project, 5]]));
  expect(await used(project)).toEqual([2, 2]);
});

test('gateways that became one row are not counted again', async () => {
  const project = newProject();
  await usage.reportAccepted('h', new Map([[project, 8]]));
  await pool.query("UPDATE delivery.producers SET seen_at = now() - interval '8 days' WHERE producer = 'h'");
  await ledger.maintain({ oldestPendingMs: null });
  await ledger.maintain({ oldestPendingMs: null });
  expect(await used(project)).toEqual([8, 8]);
});
