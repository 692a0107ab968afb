import type { ClickHouseClient } from '@clickhouse/client';
import { type Bench, takeRounds } from './bench.ts';
import { sampleEvent } from './sample-events.ts';
import { batch, sendBatches } from './senders.ts';
import { onStack, type QueueKind } from './stack.ts';

const rounds = 3;
const measureMs = 30_000;
const straightMs = 10_000;

export const pipelineStored = storedOver('postgres', 'pipeline.stored');
export const pipelineStoredRedis = storedOver('redis', 'pipeline.stored.redis');

function storedOver(queue: QueueKind, name: string): Bench {
  return {
    name,
    ...(queue === 'redis' && { needs: queue }),
    unit: 'events/s',
    against: 'the same events as JSONEachRow, 10,000 an insert, straight into the same ClickHouse',
    target: 0.8,
    better: 'higher',
    run: (report) =>
      onStack(async (stack, stored) => {
        await stack.startWorker();
        await stored.client.command({ query: straightTable });
        return takeRounds(rounds, async (round) => {
          const limit = await straight(stored.client);
          const before = await stored.count();
          const started = performance.now();
          const load = await sendBatches(stack, { measureMs });
          // All accepted events count, and so does the time until the last one is stored.
          const events = load.acceptedInAll * batch;
          const value = events / (((await stored.reached(before + events)) - started) / 1_000);
          report(`round ${round}: ${Math.round(value)} events/s stored, straight ${Math.round(limit)}`);
          return { value, limit };
        });
      }, queue),
  };
}

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
  return events / ((performance.now() - start) / 1_000);
}
