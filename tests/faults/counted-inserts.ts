import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Ask } from './kept-clickhouse.ts';

export interface CountedInserts {
  /** Rows of each batch that was reported as stored. */
  readonly stored: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

/** Keeps inserting and records the batches reported as stored. The worker settles the others. */
export async function startInserting(ask: Ask): Promise<CountedInserts> {
  await ask(`CREATE TABLE facts (batch UUID, n UInt64, text String, at DateTime64(3) DEFAULT now64(3),
    INDEX by_batch batch TYPE bloom_filter GRANULARITY 1) ENGINE = ReplacingMergeTree ORDER BY (batch, n)`);
  const stored = new Map<string, number>();
  let isStopped = false;

  async function insert(): Promise<void> {
    while (!isStopped) {
      const batch = randomUUID();
      const rows = 500 + (Number.parseInt(batch.slice(0, 2), 16) % 16) * 100;
      const source = `SELECT '${batch}', number, randomPrintableASCII(32) FROM numbers(${rows})`;
      const isStored = await ask(`INSERT INTO facts (batch, n, text) ${source}`).then(
        () => true,
        () => false,
      );
      if (isStored) stored.set(batch, rows);
      else await delay(50);
    }
  }

  const inserting = Promise.all([insert(), insert()]);
  return {
    stored,
    async stop() {
      isStopped = true;
      await inserting;
    },
  };
}

/** The rows of each batch. */
export async function countRows(ask: Ask): Promise<Map<string, number>> {
  const lines = await ask('SELECT batch, count() FROM facts GROUP BY batch FORMAT TSV');
  return new Map(
    lines.split('\n').map((line): [string, number] => {
      const [batch = '', rows] = line.split('\t');
      return [batch, Number(rows)];
    }),
  );
}
