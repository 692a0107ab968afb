import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { startClickHouse } from '@tickrate/embedded';
import { type Analyses, createWarehouse } from '@tickrate/warehouse';
import { type Bench, median, type Round, takeRounds } from './bench.ts';
import { createOpened } from './opened.ts';
import { type QueryEvents, shownDays, storeEvents, storeTyped } from './query-events.ts';

const rounds = 3;
const asksPerRound = 5;
const promisedMs = 1_000;
const fromMs = Date.UTC(2026, 9, 20);
const range = { fromMs, toMs: fromMs + shownDays * 86_400_000, timeZone: 'UTC' };
const asker = { projectId: 'p-bench000001' };
const player = `u-${'777'.padStart(20, '0')}`;
const funnelTypes = ['session_start', 'match_queued', 'match_finished', 'purchase'];

interface Question {
  readonly name: string;
  readonly ask: (analyses: Analyses) => Promise<{ readonly kind: string }>;
  /** The same by an expert, over a table with a typed column for each member. */
  readonly sql: string;
}

const inRange = `occurred >= '2026-10-20 00:00:00.000' AND occurred < '2026-11-19 00:00:00.000'`;
const questions: readonly Question[] = [
  {
    name: 'volume',
    ask: (analyses) => analyses.volume(asker, { ...range, per: 'day', types: [], where: [], split: null }),
    sql: `SELECT toDate(occurred) AS day, type, count() FROM by_hand.events WHERE ${inRange} GROUP BY day, type ORDER BY day, type`,
  },
  {
    name: 'funnel',
    ask: (analyses) =>
      analyses.funnel(asker, {
        ...range,
        windowSeconds: 86_400,
        split: null,
        steps: funnelTypes.map((type) => ({ type, where: [] })),
      }),
    sql: `SELECT reached, count() FROM (
  SELECT windowFunnel(86400000)(toUInt64(toUnixTimestamp64Milli(occurred)), ${funnelTypes.map((type) => `type = '${type}'`).join(', ')}) AS reached
  FROM by_hand.events WHERE ${inRange} AND type IN (${funnelTypes.map((type) => `'${type}'`).join(', ')}) GROUP BY account_id
) GROUP BY reached ORDER BY reached`,
  },
  {
    name: 'retention',
    ask: (analyses) => analyses.retention(asker, { ...range, per: 'day', periods: 30 }),
    sql: `SELECT began, dateDiff('day', began, day) AS later, count() FROM (
  SELECT groupUniqArray(toDate(occurred)) AS days, arrayMin(days) AS began FROM by_hand.events GROUP BY account_id
) ARRAY JOIN days AS day GROUP BY began, later ORDER BY began, later`,
  },
  {
    name: 'breakdown',
    ask: (analyses) =>
      analyses.breakdown(asker, {
        ...range,
        type: 'match_finished',
        member: 'map',
        where: [],
        mostValues: 20,
      }),
    sql: `SELECT map, count() AS events, uniqExact(account_id) FROM by_hand.events WHERE ${inRange} AND type = 'match_finished' GROUP BY map ORDER BY events DESC LIMIT 20`,
  },
  {
    name: 'player',
    ask: (analyses) => analyses.playerStream(asker, { ...range, accountId: player, mostEvents: 100 }),
    sql: `SELECT * FROM by_hand.events WHERE ${inRange} AND account_id = '${player}' ORDER BY occurred DESC LIMIT 100`,
  },
];

/** Each analysis of a month of that many events, all in one project. */
export function createQueryBenches(events: number): Bench[] {
  const folder = createFolder(events);
  return questions.map((question) => ({
    name: `query.${question.name}`,
    unit: 'ms (p50)',
    against: `SQL by hand on a typed table, ${events.toLocaleString('en')} events; promised is a p50 of 1 s`,
    target: 2,
    better: 'lower',
    run: async (report) => compare(await folder.open(report), question, report),
  }));
}

interface Opened {
  readonly analyses: Analyses;
  readonly client: ClickHouseClient;
}

async function compare(
  { analyses, client }: Opened,
  { ask, sql }: Question,
  report: (line: string) => void,
): Promise<Round[]> {
  const analyse = async () => {
    const { kind } = await ask(analyses);
    if (kind !== 'rows') throw new Error(`the analysis has no rows but is ${kind}`);
  };
  const byHand = async () => void (await (await client.query({ query: sql, format: 'JSONEachRow' })).json());
  await analyse();
  await byHand();
  return takeRounds(rounds, async (round) => {
    const times = { analysis: [] as number[], byHand: [] as number[] };
    for (let asked = 0; asked < asksPerRound; asked++) {
      times.analysis.push(await millisecondsOf(analyse));
      times.byHand.push(await millisecondsOf(byHand));
    }
    const [value, limit] = [median(times.analysis), median(times.byHand)];
    const kept = value <= promisedMs ? 'within the promised second' : 'above the promised second';
    report(`round ${round}: p50 ${value.toFixed(0)} ms, ${kept}; by hand ${limit.toFixed(0)} ms`);
    return { value, limit };
  });
}

async function millisecondsOf(run: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await run();
  return performance.now() - started;
}

/** Filled once for all benches of a run, because that takes minutes. Removed when the process ends. */
function createFolder(events: number) {
  let filled: string | null = null;
  return {
    async open(report: (line: string) => void): Promise<Opened> {
      const opened = createOpened();
      const dataDir = filled ?? (await mkdtemp(join(tmpdir(), 'tickrate-bench-')));
      if (filled === null) process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
      const credentials = { user: 'tickrate', password: 'bench', database: 'tickrate', port: 0 };
      const clickhouse = await startClickHouse({ ...credentials, dataDir });
      opened.add(() => clickhouse.stop());
      const warehouse = createWarehouse({ clickhouseUrl: clickhouse.url, queryLimits: { budgetSeconds: 0 } });
      opened.add(() => warehouse.close());
      const client = createClient({
        url: clickhouse.url,
        request_timeout: 600_000,
        log: { level: ClickHouseLogLevel.OFF },
      });
      opened.add(() => client.close());
      if (filled === null) {
        const started = performance.now();
        await warehouse.migrate();
        await fill(client, events);
        report(`${events} events stored twice in ${((performance.now() - started) / 1_000).toFixed(0)} s`);
        filled = dataDir;
      }
      const started = performance.now();
      const parts = await mergesEnded(client);
      report(`merges ended after ${((performance.now() - started) / 1_000).toFixed(0)} s: ${parts} parts`);
      return { analyses: warehouse.analyses, client };
    },
  };
}

async function fill(client: ClickHouseClient, events: number): Promise<void> {
  const of: QueryEvents = { ...asker, events, players: Math.ceil(events / 100), fromMs };
  await storeEvents(client, of);
  await storeTyped(client, of);
}

const quietMs = 10_000;
const everyMs = 500;

/**
 * Resolves with the number of parts when no merge has run and no part has changed for ten seconds. A merge uses the
 * cores that the measured question needs.
 */
async function mergesEnded(client: ClickHouseClient): Promise<number> {
  let before = await partsOf(client);
  for (let quietFor = 0; quietFor < quietMs; quietFor += everyMs) {
    await sleep(everyMs);
    const now = await partsOf(client);
    if (now.merges > 0 || now.names !== before.names) quietFor = -everyMs;
    before = now;
  }
  return before.count;
}

interface Parts {
  readonly merges: number;
  readonly names: string;
  readonly count: number;
}

async function partsOf(client: ClickHouseClient): Promise<Parts> {
  const query = `SELECT (SELECT count() FROM system.merges) AS merges, count() AS count,
  toString(sum(cityHash64(database, table, name))) AS names FROM system.parts WHERE active`;
  const answer = await client.query({ query, format: 'JSONEachRow' });
  const [parts] = await answer.json<{ merges: string; count: string; names: string }>();
  if (parts === undefined) throw new Error('ClickHouse lists no parts');
  return { merges: Number(parts.merges), count: Number(parts.count), names: parts.names };
}
