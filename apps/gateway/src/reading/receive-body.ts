import type { IncomingMessage } from 'node:http';
import { readBody } from '@tickrate/platform';
import type { InFlight } from '../limits/in-flight.ts';
import type { Unavailable } from '../limits/unavailable.ts';

/**
 * Reads the body of a request if its bytes fit into the budget. Rejects with 6001 if they do not, and with every fault
 * of the body.
 */
export type ReceiveBody = (request: IncomingMessage, body: ExpectedBody) => Promise<ReceivedBody>;

export interface ReceivedBody {
  readonly body: Buffer;
  /** Returns its bytes to the budget. Call it once the events are durable or rejected. */
  readonly release: () => void;
}

export interface ExpectedBody {
  readonly projectId: string;
  readonly limitBytes: number;
}

export interface ReceiveBodyDeps {
  readonly inFlight: InFlight;
  /** False while the queue accepts no events of this project. */
  readonly accepting: (projectId: string) => boolean;
  readonly unavailable: Unavailable;
}

export const ndjsonTypes = ['application/x-ndjson', 'application/ndjson', 'application/jsonl'];
const unannouncedBytes = 64 * 1024;

export function createReceiveBody({ inFlight, accepting, unavailable }: ReceiveBodyDeps): ReceiveBody {
  return async (request, { projectId, limitBytes }) => {
    if (!accepting(projectId)) throw unavailable();
    const announced = Number(request.headers['content-length'] ?? unannouncedBytes);
    if (!inFlight.wouldFit(projectId, Math.min(announced, limitBytes))) throw unavailable();
    const body = await readBody(request, { limitBytes, types: ndjsonTypes });
    // Only now: a slow client uses only the bytes that it has sent.
    const release = inFlight.reserve(projectId, body.length);
    if (release === null) throw unavailable();
    return { body, release };
  };
}
