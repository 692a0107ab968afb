import type { IncomingMessage } from 'node:http';
import { readBody } from '@tickrate/platform';
import type { BodyBudget } from '../limits/body-budget.ts';

export interface ReceivedBody {
  readonly body: Buffer;
  /** Returns its bytes to the budget. Call it once the events are durable or rejected. */
  readonly release: () => void;
}

export interface ExpectedBody {
  readonly projectId: string;
  readonly limitBytes: number;
}

export const ndjsonTypes = ['application/x-ndjson', 'application/ndjson', 'application/jsonl'];
const unannouncedBytes = 64 * 1024;

/**
 * Reads the body of a request if its bytes fit into the budget. Rejects with 6001 if they do not, and with every fault
 * of the body.
 */
export async function receiveBody(
  bodies: BodyBudget,
  request: IncomingMessage,
  { projectId, limitBytes }: ExpectedBody,
): Promise<ReceivedBody> {
  const announced = Number(request.headers['content-length'] ?? unannouncedBytes);
  bodies.check(projectId, Math.min(announced, limitBytes));
  const body = await readBody(request, { limitBytes, types: ndjsonTypes });
  // Only now: a slow client uses only the bytes that it has sent.
  return { body, release: bodies.reserve(projectId, body.length) };
}
