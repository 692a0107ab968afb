import { randomInt } from 'node:crypto';
import { waitUntil } from '@tickrate/testkit';
import { expect, test } from 'vitest';
import { countRows, startInserting } from './faults/counted-inserts.ts';
import { keepClickHouse } from './faults/kept-clickhouse.ts';
import { runFullDisk } from './faults/run-full-disk.ts';
import { fillSuddenly, keepAlmostFull, mountSmallDisk } from './faults/small-disk.ts';

const probe = mountSmallDisk('tmpfs', 1);
probe?.remove();
if (probe === null) {
  process.stderr.write('SKIPPED: tests of a full disk (this process may not mount a file system)\n');
}

// Invariant (Delivery): When a volume of the stores has less free space than the reserve, new events are
// refused, and accepted again without manual repair
// Invariant (Delivery): Rows that ClickHouse confirmed stay stored and readable after its disk was full,
// and a retry duplicates none
// Invariant (Delivery): Events that the queue confirmed survive a full disk of a Redis with `appendfsync
// always`, and none is doubled
test.skipIf(probe === null)(
  'rows that the embedded ClickHouse says it stored are there after its disk was full, and all can be read',
  async () => {
    const disk = mountSmallDisk('tmpfs', 400);
    if (disk === null) throw new Error('what could be mounted a moment ago cannot be');
    const server = await keepClickHouse(disk.path);
    try {
      const load = await startInserting(server.ask);
      await keepAlmostFull(disk);
      await fillSuddenly(disk);
      disk.release();
      const before = load.stored.size;
      await waitUntil(() => load.stored.size > before + 5, { timeoutMs: 30_000, what: 'inserts to go on' });
      await load.stop();
      // The engine sets broken parts aside at its next start.
      await server.restart();
      const counts = await countRows(server.ask);
      const wrong = [...load.stored].filter(([batch, rows]) => counts.get(batch) !== rows);
      expect(wrong, `of ${load.stored.size} inserts`).toEqual([]);
      expect(await server.ask('SELECT * FROM facts FORMAT Null')).toBe('');
    } finally {
      await server.stop();
      disk.remove();
    }
  },
);

// The long form, on tmpfs and on ext4, is a part of `npm run test:faults`.
test.skipIf(probe === null)(
  '`npm start` refuses events before its disk is full, and loses and doubles none when it was full',
  async () => {
    const seed = randomInt(1_000_000_000);
    const run = await runFullDisk({
      kind: 'tmpfs',
      seed,
      fills: 1,
      timeoutMs: 60_000,
      report: () => undefined,
    });
    expect(run?.verdict.failures, `seed ${seed}`).toEqual([]);
    expect(run?.verdict.acknowledged).toBeGreaterThan(100);
    expect(run?.refused).toBeGreaterThan(0);
  },
);
