import { createEventIds, RowWriter } from '@tickrate/events';
import type { Rows } from './admit.ts';
import { sliceBytes } from './sliced.ts';

const rowBytesPerBodyByte = 2;

/**
 * Returns an empty buffer for the rows of a body. Bodies of one slice share a buffer: hand its rows on before anything
 * else can run.
 */
export type OpenRows = (body: Buffer) => Rows;

export function createRowBuffers(fillRandom: (pool: Uint8Array) => void): OpenRows {
  const ids = createEventIds(fillRandom);
  const shared = new RowWriter(sliceBytes * rowBytesPerBodyByte);
  return (body) => {
    const writer = isOneSlice(body) ? shared : new RowWriter(body.length * rowBytesPerBodyByte);
    writer.reset();
    return { writer, starts: [], ids };
  };
}

/** Whether a body is processed at once. */
export function isOneSlice(body: Buffer): boolean {
  return body.length <= sliceBytes;
}
