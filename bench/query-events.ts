import type { ClickHouseClient } from '@clickhouse/client';
import { eventColumns } from '@tickrate/events';

/** A month of one game: sessions of 25 events, players who mostly return in their first days, four pages of types. */
export interface QueryEvents {
  readonly projectId: string;
  readonly events: number;
  readonly players: number;
  /** The first of thirty days. */
  readonly fromMs: number;
}

export const shownDays = 30;
const eventsPerSession = 25;
const rowsPerInsert = 1_000_000;

/** Stores the events in the table of the product, created inside ClickHouse: no event passes a gateway. */
export async function storeEvents(client: ClickHouseClient, of: QueryEvents): Promise<void> {
  const stored = storedColumns(of);
  const columns = eventColumns.map(({ name }) => name);
  await insertInParts(of, (rows) =>
    client.command({
      query: `INSERT INTO tickrate.events (${columns.join(', ')})
SELECT ${columns.map((name) => stored[name]).join(', ')} FROM (${eventsSql(of, rows)})`,
      clickhouse_settings: filling,
    }),
  );
}

/** Stores the same events in a table that an expert writes for this game alone: one typed column for each member. */
export async function storeTyped(client: ClickHouseClient, of: QueryEvents): Promise<void> {
  const columns = [...typed.keys()];
  const declared = [...typed].map(([name, type]) => `${name} ${type}`);
  await client.command({ query: 'CREATE DATABASE IF NOT EXISTS by_hand' });
  await client.command({
    query: `CREATE TABLE by_hand.events (${declared.join(', ')}) ENGINE = MergeTree
PARTITION BY toYYYYMM(occurred) ORDER BY (type, toStartOfHour(occurred), account_id)`,
  });
  await insertInParts(of, (rows) =>
    client.command({
      query: `INSERT INTO by_hand.events SELECT ${columns.join(', ')} FROM (${eventsSql(of, rows)})`,
      clickhouse_settings: filling,
    }),
  );
}

const filling = { max_insert_block_size: String(rowsPerInsert), max_insert_threads: '1' } as const;

/** Two inserts at a time, because one uses one core. */
async function insertInParts(
  { events }: QueryEvents,
  insert: (rows: { readonly from: number; readonly count: number }) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const lane = async () => {
    for (let from = next; from < events; from = next) {
      next += rowsPerInsert;
      await insert({ from, count: Math.min(rowsPerInsert, events - from) });
    }
  };
  await Promise.all([lane(), lane()]);
}

/** A number below the limit, the same for the same arguments. */
function below(limit: number, of: string, salt: string): string {
  return `(cityHash64(${of}, '${salt}') % ${limit})`;
}

function oneOf(values: readonly string[], of: string, salt: string): string {
  const list = values.map((value) => `'${value}'`).join(', ');
  return `[${list}][${below(values.length, of, salt)} + 1]`;
}

function ofType(type: string, value: string, otherwise = "''"): string {
  return `if(type = '${type}', ${value}, ${otherwise})`;
}

const modes = ['ranked', 'casual', 'practice'];
const countries = ['US', 'DE', 'PL', 'BR', 'JP', 'KR', 'FR', 'GB', 'IN', 'MX'];

/** One row per event, with a column for each member. Sessions start in the days after the first one of the player. */
function eventsSql(
  { players, fromMs }: QueryEvents,
  { from, count }: { readonly from: number; readonly count: number },
): string {
  const offsetDays = `floor(pow(${below(10_000, 'session', 'day')} / 10000, 4) * (${shownDays} - first_day))`;
  return `SELECT *,
  concat('u-', leftPad(toString(player), 20, '0')) AS account_id,
  lower(hex(MD5(toString(session)))) AS session_id,
  multiIf(place = 0, 'session_start', place = 24 AND ${below(10, 'session', 'buys')} = 0, 'purchase', place = 1, 'level_up',
    place % 3 = 2, 'match_finished', place % 3 = 0, 'match_queued', 'client_performance') AS type,
  toDateTime64(${fromMs / 1000} + (first_day + ${offsetDays}) * 86400 + ${below(82_800, 'session', 'second')}
    + place * 60 + ${below(60_000, 'n', 'ms')} / 1000, 3, 'UTC') AS occurred,
  ${ofType('session_start', oneOf(countries, 'player', 'country'))} AS country,
  ${ofType('session_start', oneOf(['pc', 'console', 'phone'], 'player', 'platform'))} AS platform,
  ${ofType('session_start', oneOf(['1.4.0', '1.4.1', '1.4.2'], 'session', 'build'))} AS build,
  ${ofType('level_up', `toInt64(1 + ${below(60, 'session', 'level')})`, '0')} AS level,
  ${ofType('match_finished', "concat('map_', toString(cityHash64(n, 'map') % 30))")} AS map,
  if(type IN ('match_finished', 'match_queued'), ${oneOf(modes, 'n', 'mode')}, '') AS mode,
  ${ofType('match_finished', `toInt64(${below(100_000, 'n', 'score')})`, '0')} AS score,
  ${ofType('match_finished', `${below(10_000, 'n', 'accuracy')} / 10000`, '0')} AS accuracy,
  ${ofType('match_finished', `${below(2, 'n', 'won')} = 1`, 'false')} AS won,
  ${ofType('match_queued', oneOf(['eu', 'us', 'asia'], 'player', 'region'))} AS region,
  ${ofType('match_queued', `toInt64(${below(300, 'n', 'seconds')})`, '0')} AS seconds,
  ${ofType('client_performance', `toInt64(20 + ${below(124, 'n', 'fps')})`, '0')} AS fps,
  ${ofType('client_performance', "concat('gpu_', toString(cityHash64(player, 'gpu') % 40))")} AS gpu,
  ${ofType('purchase', "concat('sku_', toString(cityHash64(n, 'sku') % 200))")} AS sku,
  ${ofType('purchase', `(${below(40, 'n', 'price')} + 0.99)`, '0.')} AS price
FROM (
  SELECT number + ${from} AS n, intDiv(n, ${eventsPerSession}) AS session, n % ${eventsPerSession} AS place,
    cityHash64(session, 'player') % ${players} AS player, ${below(shownDays, 'player', 'first')} AS first_day
  FROM numbers(${count})
)`;
}

const members: Readonly<Record<string, readonly string[]>> = {
  session_start: ['country', 'platform', 'build'],
  level_up: ['level'],
  match_finished: ['map', 'mode', 'score', 'accuracy', 'won'],
  match_queued: ['mode', 'region', 'seconds'],
  client_performance: ['fps', 'gpu'],
  purchase: ['sku', 'price'],
};

/** A chunk holds a thousand events of one gateway. */
function storedColumns({
  projectId,
}: QueryEvents): Readonly<Record<(typeof eventColumns)[number]['name'], string>> {
  return {
    chunk_id: 'reinterpretAsUUID(MD5(toString(intDiv(n, 1000))))',
    project: `'${projectId}'`,
    type: 'type',
    version: '1',
    event_id: 'generateUUIDv7(n)',
    received: 'occurred + INTERVAL 400 MILLISECOND',
    occurred: 'occurred',
    client_time: 'occurred',
    key_kind: "'session'",
    key_line: "toUUID('00000000-0000-0000-0000-000000000000')",
    session_id: 'session_id',
    account_id: 'account_id',
    client_address: "''",
    sdk_name: "'unity'",
    sdk_version: "'1.2.3'",
    data: jsonSql(),
  };
}

function jsonSql(): string {
  const cases = Object.entries(members).map(
    ([type, names]) =>
      `type = '${type}', toJSONString(tuple(${names.join(', ')})::Tuple(${names.map((name) => `${name} ${plain(name)}`).join(', ')}))`,
  );
  return `CAST(multiIf(${cases.join(', ')}, '{}'), 'JSON(max_dynamic_paths = 16)')`;
}

function plain(name: string): string {
  return (typed.get(name) ?? 'String').replace(/^LowCardinality\((.*)\)$/, '$1');
}

const typed: ReadonlyMap<string, string> = new Map([
  ['type', 'LowCardinality(String)'],
  ['occurred', "DateTime64(3, 'UTC')"],
  ['account_id', 'String'],
  ['session_id', 'String'],
  ['country', 'LowCardinality(String)'],
  ['platform', 'LowCardinality(String)'],
  ['build', 'LowCardinality(String)'],
  ['level', 'Int64'],
  ['map', 'LowCardinality(String)'],
  ['mode', 'LowCardinality(String)'],
  ['score', 'Int64'],
  ['accuracy', 'Float64'],
  ['won', 'Bool'],
  ['region', 'LowCardinality(String)'],
  ['seconds', 'Int64'],
  ['fps', 'Int64'],
  ['gpu', 'LowCardinality(String)'],
  ['sku', 'LowCardinality(String)'],
  ['price', 'Float64'],
]);
