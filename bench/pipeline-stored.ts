import { type ClickHouseClient, createClient } from '@clickhouse/client';
import type { Bench, Round } from './bench.ts';
import { drive } from './drive.ts';
import { sampleEvent, sampleType } from './sample-events.ts';
import { startStack } from './stack.ts';

const rounds = 3;
const batch = 100;
const measureMs = 30_000;
const straightMs = 10_000;

export const pipelineStored: Bench = {
  name: 'pipeline.stored',
  unit: 'events/s',
  against: 'the same events as JSONEachRow, 10,000 an insert, straight into the same ClickHouse',
  target: 0.8,
  better: 'higher',
  async run(report) {
    const stack = await startStack({ queue: 'postgres', worker: true });
    const client = createClient({ url: stack.clickhouseUrl, request_timeout: 120_000 });
    try {
      await client.command({ query: straightTable });
      const taken: Round[] = [];
      for (let round = 1; round <= rounds; round++) {
        const limit = await straight(client);
        const before = await storedEvents(client);
        const started = performance.now();
        const load = await drive({
          host: '127.0.0.1',
          port: stack.gatewayPort,
          path: `/v1/event/batchInsert?eventType=${sampleType.name}`,
          apiKey: stack.apiKey,
          connections: 16,
          batch,
          warmupMs: 0,
          measureMs,
        });
        // Everything that was accepted counts, and so does the time until the last of it is stored.
        const end = await settled(client);
        const value = (end.stored - before) / ((end.atMs - started) / 1000);
        report(
          `round ${round}: ${Math.round(value)} events/s stored, accepted ${load.requests * batch}, straight ${Math.round(limit)}`,
        );
        taken.push({ value, limit });
      }
      return taken;
    } finally {
      await client.close();
      await stack.stop();
    }
  },
};

const straightTable = `
CREATE TABLE IF NOT EXISTS default.straight (
  match UUID, player String, map LowCardinality(String), mode LowCardinality(String), score Int64, accuracy Float64,
  won Bool, ended DateTime64(3, 'UTC'), position Tuple(x Float64, y Float64), weapons Array(String)
) ENGINE = MergeTree ORDER BY (map, ended)`;

async function straight(client: ClickHouseClient): Promise<number> {
  const values = Array.from({ length: 10_000 }, sampleEvent);
  const start = performance.now();
  let events = 0;
  while (performance.now() - start < straightMs) {
    await client.insert({
      table: 'default.straight',
      values,
      format: 'JSONEachRow',
      clickhouse_settings: { date_time_input_format: 'best_effort' },
    });
    events += values.length;
  }
  return events / ((performance.now() - start) / 1000);
}

async function storedEvents(client: ClickHouseClient): Promise<number> {
  const result = await client.query({
    query: 'SELECT count() AS n FROM tickrate.events',
    format: 'JSONEachRow',
  });
  const rows = await result.json<{ n: string | number }>();
  return Number(rows[0]?.n ?? 0);
}

/** The number of stored events once it stops growing, and when it was first seen. */
async function settled(client: ClickHouseClient): Promise<{ stored: number; atMs: number }> {
  let last = { stored: -1, atMs: 0 };
  for (;;) {
    const stored = await storedEvents(client);
    if (stored !== last.stored) last = { stored, atMs: performance.now() };
    else if (performance.now() - last.atMs > 2_000) return last;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
