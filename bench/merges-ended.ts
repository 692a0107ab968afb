import { setTimeout as sleep } from 'node:timers/promises';
import type { ClickHouseClient } from '@clickhouse/client';

const quietMs = 10_000;
const everyMs = 500;

/**
 * Resolves with the number of parts when no merge has run and no part has changed for ten seconds. A merge uses the
 * cores that the measured question needs.
 */
export async function mergesEnded(client: ClickHouseClient): Promise<number> {
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
