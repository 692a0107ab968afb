import { createEventIds, RowWriter } from '@tickrate/events';
import type { Rows } from './admit.ts';
import { isOneSlice, sliceBytes } from './sliced.ts';

const rowBytesPerBodyByte = 2;

/** Buffers for the rows of bodies. */
export type RowBuffers = ReturnType<typeof createRowBuffers>;

export function createRowBuffers(fillRandom: (pool: Uint8Array) => void) {
  const ids = createEventIds(fillRandom);
  const shared = new RowWriter(sliceBytes * rowBytesPerBodyByte);
  return {
    /**
     * Returns an empty buffer for the rows of a body. Bodies of one slice share a buffer: hand its rows on before anything
     * else can run.
     */
    open(body: Buffer): Rows {
      const writer = isOneSlice(body) ? shared : new RowWriter(body.length * rowBytesPerBodyByte);
      writer.reset();
      return { writer, starts: [], ids };
    },
  };
}
