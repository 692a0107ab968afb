import { randomUUID } from 'node:crypto';
import { startClickHouseServer, startQueryEngine, waitUntil } from '@tickrate/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectClickHouse } from '../clickhouse.ts';
import { createTestProject } from '../test-project.ts';
import { createTestType } from '../test-rows.ts';
import { createWarehouse } from '../warehouse.ts';

/** Each ClickHouse would compute for ten seconds and more, without a look whether it must end. */
const hostile: readonly string[] = [
  'SELECT arrayLevenshteinDistance(range(60000), arrayReverse(range(60000)))',
  "SELECT position(repeat('a', 1000000), concat(repeat('a', 500000), 'b'))",
  "SELECT arrayMax(arrayMap(x -> levenshteinDistance(repeat('a', x), repeat('b', 1000)), range(20000)))",
  'SELECT h3PolygonToCells([(0., 0.), (0., 80.), (80., 80.), (80., 0.)], 7)',
];
const copies = Array.from(
  { length: 22 },
  (_, n) => `c${n + 1} AS (SELECT (SELECT x FROM c${n}) + (SELECT x FROM c${n}) AS x)`,
);
/** Each grows with a value or a name, and one of the limits ends it. */
const growing: readonly string[] = [
  'SELECT length(arrayResize([1], 100000000000))',
  'SELECT sumResample(0, 100000000, 1)(number, number) FROM numbers(10)',
  'SELECT arrayUniq(arrayMap(x -> toString(x), range(10000000)))',
  `WITH c0 AS (SELECT 1 AS x), ${copies.join(', ')} SELECT x FROM c22`,
];

const storing = await startClickHouseServer();
const mostSeconds = 2;
const engine = await startQueryEngine({ queryLimitMs: 3_000, readsFrom: storing.dataDir });
const options = { url: storing.url, database: 'tickrate', newId: randomUUID };
const attacker = createTestProject(options);
const neighbour = createTestProject(options);
const levelUp = createTestType('level_up', 1, { level: { type: 'integer' } });
const warehouse = createWarehouse({
  clickhouseUrl: storing.url,
  queryUrl: engine.url,
  queryLimits: { mostSeconds },
});
const neighbourhood = new AbortController();
/** Of the neighbour. */
const served = { queries: 0, inserts: 0 };
let serving: Promise<unknown>;

beforeAll(async () => {
  await attacker.warehouse.migrate();
  await attacker.store(levelUp, ...Array.from({ length: 20_000 }, (_, level) => ({ level: level * 4 })));
  await neighbour.store(levelUp, { level: 1 });
  await attacker.applyView(levelUp);
  await neighbour.applyView(levelUp);
  expect(await ask('warm', neighbour.projectId, 'SELECT count() FROM level_up')).toBe('rows');
  serving = Promise.all([keepAsking(), keepStoring()]);
  // A failure is that of the last test.
  serving.catch(() => undefined);
});
afterAll(async () => {
  neighbourhood.abort();
  await warehouse.close();
  await attacker.drop();
  await neighbour.drop();
  await engine.stop();
  await storing.stop();
});

async function ask(owner: string, projectId: string, sql: string, signal?: AbortSignal): Promise<string> {
  const result = await warehouse.runQuery({ owner, projectId, sql, format: 'CSV', signal });
  if (result.kind !== 'rows') return result.kind === 'refused' ? result.reason : result.kind;
  try {
    for await (const _part of result.stream);
    return 'rows';
  } catch {
    return 'cut off';
  }
}

async function waitSecondsOf(owner: string): Promise<number> {
  const result = await warehouse.runQuery({
    owner,
    projectId: attacker.projectId,
    sql: 'SELECT 1',
    format: 'CSV',
  });
  if (result.kind === 'rows') result.stream.resume();
  return result.kind === 'busy' ? result.retryAfterSeconds : 0;
}

async function attackersQueries(): Promise<number> {
  const server = connectClickHouse({ url: engine.url, maxConnections: 1 });
  try {
    const sql = `SELECT 1 FROM system.processes WHERE startsWith(query, '/* ${attacker.viewDatabase} ')`;
    return (await server.rows(sql, { timeoutMs: 10_000 })).length;
  } finally {
    await server.close();
  }
}

async function keepAsking(): Promise<void> {
  for (; !neighbourhood.signal.aborted; served.queries++)
    expect(await ask('neighbour', neighbour.projectId, 'SELECT count() FROM level_up')).toBe('rows');
}

async function keepStoring(): Promise<void> {
  for (; !neighbourhood.signal.aborted; served.inserts++) await neighbour.store(levelUp, { level: 1 });
}

/** Runs an attack. The neighbour stores events during it, and its queries are answered again after it. */
async function besideNeighbour(attack: () => Promise<void>): Promise<void> {
  const before = { ...served };
  await attack();
  expect(served.inserts).toBeGreaterThan(before.inserts);
  await engineIsIdle();
  await waitUntil(() => served.queries > before.queries, {
    what: 'a query of the neighbour',
    timeoutMs: 20_000,
  });
}

/** Without a query of the attacker, which could end it later. */
function engineIsIdle(): Promise<unknown> {
  const isIdle = async () => (await attackersQueries().catch(() => 1)) === 0;
  return waitUntil(isIdle, { what: 'an idle engine', timeoutMs: 20_000 });
}

// Invariant (Queries): A query that ClickHouse cannot interrupt is ended within seconds of its limit and its
// owner waits for a minute, while other queries and inserts continue
test.each(hostile)(
  'is ended, its owner has to wait, and others are served: %s',
  async (sql) => {
    const owner = randomUUID();
    await besideNeighbour(async () => {
      expect(await ask(owner, attacker.projectId, sql)).toMatch(/^(tooLong|cut off)$/);
      expect(await ask(owner, attacker.projectId, 'SELECT 1')).toBe('busy');
    });
    expect(await waitSecondsOf(owner)).toBeGreaterThan(30);
  },
  40_000,
);

test('an owner that leaves before the end has to wait too', async () => {
  const [owner, leaving] = [randomUUID(), new AbortController()];
  const asked = ask(owner, attacker.projectId, hostile[0] ?? '', leaving.signal);
  const isRunning = async () => (await attackersQueries()) > 0;
  await waitUntil(isRunning, { what: 'its query' });
  const before = engine.restarts;
  leaving.abort();
  await expect(asked).rejects.toBe(leaving.signal.reason);
  await waitUntil(() => engine.restarts > before, { what: 'the end of the engine', timeoutMs: 20_000 });
  await engineIsIdle();
  const hasToWait = async () => (await waitSecondsOf(owner)) > 30;
  await waitUntil(hasToWait, { what: 'the refusal of its owner' });
}, 40_000);

test.each(growing)(
  'one of the limits ends %s',
  async (sql) => {
    expect(await ask(randomUUID(), attacker.projectId, sql)).toMatch(/^(tooLong|tooMuchMemory|sql|cut off)$/);
    await engineIsIdle();
  },
  40_000,
);

test('no other query and no insert failed meanwhile', async () => {
  neighbourhood.abort();
  await serving;
  expect(engine.restarts).toBeGreaterThan(0);
});
