import { crc32 } from 'node:zlib';
import { eventKey, requestKey, type SenderScope } from '@tickrate/pipeline';
import type { AcceptedElement } from '../reading/admit-multi.ts';

/** Consecutive rows of one request that are stored only if their key was never stored before. */
export interface KeyedRows {
  readonly key: string;
  readonly firstRow: number;
  readonly count: number;
}

/** The sender of a request, and its Idempotency-Key if it has one. */
export interface RequestKey {
  readonly scope: SenderScope;
  readonly idempotencyKey: string | null;
  /** The event type in the URL: the same body as another event type is a different body. */
  readonly bodyType: string;
}

/** All rows of a request under its Idempotency-Key; none without one. The body is the decompressed one. */
export function keyedByRequest(request: RequestKey, body: Uint8Array, count: number): KeyedRows[] {
  const { scope, idempotencyKey } = request;
  if (idempotencyKey === null || count === 0) return [];
  return [{ key: requestKey(scope, idempotencyKey, checksumOf(request, body)), firstRow: 0, count }];
}

function checksumOf({ bodyType }: RequestKey, body: Uint8Array): number {
  return crc32(body, crc32(bodyType));
}

/**
 * Rows with an event id use that id. Each stretch of rows between them uses the request's key and the number of the
 * stretch. Stretches are those of the body, so that a repeat is split in the same way even if other elements are
 * accepted.
 */
export function keyedByEvents(
  accepted: readonly AcceptedElement[],
  request: RequestKey,
  body: Uint8Array,
): KeyedRows[] {
  const { scope, idempotencyKey } = request;
  const checksum = idempotencyKey === null ? 0 : checksumOf(request, body);
  const keyed: KeyedRows[] = [];
  let firstRow = 0;
  while (firstRow < accepted.length) {
    const { eventId = null, stretch = 0 } = accepted[firstRow] ?? {};
    const count = eventId === null ? runOf(accepted, firstRow, stretch) : 1;
    if (eventId !== null) keyed.push({ key: eventKey(scope, eventId), firstRow, count });
    else if (idempotencyKey !== null) {
      const text = stretch === 0 ? idempotencyKey : `${idempotencyKey} ${stretch}`;
      keyed.push({ key: requestKey(scope, text, checksum), firstRow, count });
    }
    firstRow += count;
  }
  return keyed;
}

function runOf(accepted: readonly AcceptedElement[], from: number, stretch: number): number {
  let end = from;
  while (accepted[end]?.eventId === null && accepted[end]?.stretch === stretch) end++;
  return end - from;
}
