import type { IncomingMessage } from 'node:http';
import { readBody } from '@tickrate/platform';
import type { InFlight } from '../limits/in-flight.ts';
import type { Unavailable } from '../limits/unavailable.ts';

/**
 * Reads the body of a request if there is room for it, and holds room for it until `use` has settled. Rejects with 6001
 * when there is none, and with whatever is wrong with the body.
 */
export type ReceiveBody = <T>(
  request: IncomingMessage,
  body: ExpectedBody,
  use: (body: Buffer) => Promise<T>,
) => Promise<T>;

export interface ExpectedBody {
  readonly projectId: string;
  readonly limitBytes: number;
}

export interface ReceiveBodyDeps {
  readonly inFlight: InFlight;
  /** False while the queue has no room for events of this project. */
  readonly accepting: (projectId: string) => boolean;
  readonly unavailable: Unavailable;
}

export const ndjsonTypes = ['application/x-ndjson', 'application/ndjson', 'application/jsonl'];
const unannouncedBytes = 64 * 1024;

export function createReceiveBody({ inFlight, accepting, unavailable }: ReceiveBodyDeps): ReceiveBody {
  return async (request, { projectId, limitBytes }, use) => {
    if (!accepting(projectId)) throw unavailable();
    const announced = Number(request.headers['content-length'] ?? unannouncedBytes);
    if (!inFlight.hasRoom(projectId, Math.min(announced, limitBytes))) throw unavailable();
    const body = await readBody(request, { limitBytes, types: ndjsonTypes });
    // Only now: a client that sends slowly holds no more than what it has sent.
    const release = inFlight.reserve(projectId, body.length);
    if (release === null) throw unavailable();
    try {
      return await use(body);
    } finally {
      release();
    }
  };
}
