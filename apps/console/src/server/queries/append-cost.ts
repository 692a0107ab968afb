import { Transform } from 'node:stream';
import type { QueryCost } from '@tickrate/warehouse';

/** The end of ClickHouse's JSON: a line break, the closing brace, a line break. */
const heldBytes = 8;

/** Adds the member `cost` to the end of a JSON object while it passes. Changes nothing in an answer that was cut off. */
export function appendCost(cost: () => Promise<QueryCost>): Transform {
  let held = Buffer.alloc(0);
  return new Transform({
    transform(part: Buffer, _, done) {
      const all = Buffer.concat([held, part]);
      const cut = Math.max(0, all.byteLength - heldBytes);
      held = Buffer.from(all.subarray(cut));
      done(null, all.subarray(0, cut));
    },
    flush(done) {
      const end = held.toString();
      if (!/\}\s*$/.test(end)) {
        done(null, held);
        return;
      }
      cost().then(
        (known) => done(null, end.replace(/\s*\}\s*$/, `,\n\n\t"cost": ${JSON.stringify(known)}\n}\n`)),
        (error: unknown) => done(error instanceof Error ? error : new Error('no cost', { cause: error })),
      );
    },
  });
}
