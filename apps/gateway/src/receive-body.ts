import type { IncomingMessage } from 'node:http';
import { readBody } from '@tickrate/platform';
import { checkUtf8 } from './admit.ts';
import type { InFlight } from './in-flight.ts';
import type { Unavailable } from './unavailable.ts';

/**
 * Reads the body of a request if there is room for it, and holds that room until `use` has settled. Rejects with 6001
 * when there is none, and with whatever is wrong with the body.
 */
export type ReceiveBody = <T>(
  request: IncomingMessage,
  limitBytes: number,
  use: (body: Buffer) => Promise<T>,
) => Promise<T>;

export interface ReceiveBodyDeps {
  readonly inFlight: InFlight;
  /** False while the queue has no room. */
  readonly accepting: () => boolean;
  readonly unavailable: Unavailable;
}

export const ndjsonTypes = ['application/x-ndjson', 'application/ndjson', 'application/jsonl'];
const unannouncedBytes = 64 * 1024;

export function createReceiveBody({ inFlight, accepting, unavailable }: ReceiveBodyDeps): ReceiveBody {
  return async (request, limitBytes, use) => {
    if (!accepting()) throw unavailable();
    const announced = Number(request.headers['content-length'] ?? unannouncedBytes);
    const room = inFlight.reserve(Math.min(announced, limitBytes));
    if (room === null) throw unavailable();
    try {
      const body = await readBody(request, { limitBytes, types: ndjsonTypes });
      // Inflated, or sent without its length.
      if (!room.growTo(body.length)) throw unavailable();
      checkUtf8(body);
      return await use(body);
    } finally {
      room.release();
    }
  };
}
