import { createHash } from 'node:crypto';
import type { AcceptedElement } from './admit-multi.ts';

/** Consecutive rows of one request that are stored only if their key was never stored before. */
export interface KeyedRows {
  readonly key: string;
  readonly firstRow: number;
  readonly count: number;
}

/** All rows of a request under its Idempotency-Key; none without one. */
export function keyedByRequest(idempotencyKey: string | null, count: number): KeyedRows[] {
  if (idempotencyKey === null || count === 0) return [];
  return [{ key: ledgerKey('request', idempotencyKey), firstRow: 0, count }];
}

/**
 * Rows with an event id under that id, and what stands between them under the request's key and its place. A repeat
 * of the request is split alike, so every row of it is recognised.
 */
export function keyedByEvents(
  accepted: readonly AcceptedElement[],
  idempotencyKey: string | null,
): KeyedRows[] {
  const keyed: KeyedRows[] = [];
  let firstRow = 0;
  while (firstRow < accepted.length) {
    const eventId = accepted[firstRow]?.eventId ?? null;
    const count = eventId === null ? runWithoutId(accepted, firstRow) : 1;
    if (eventId !== null) keyed.push({ key: ledgerKey('event', eventId.toLowerCase()), firstRow, count });
    else if (idempotencyKey !== null) {
      const key = firstRow === 0 ? idempotencyKey : `${idempotencyKey} ${firstRow}`;
      keyed.push({ key: ledgerKey('request', key), firstRow, count });
    }
    firstRow += count;
  }
  return keyed;
}

function runWithoutId(accepted: readonly AcceptedElement[], from: number): number {
  let end = from;
  while (end < accepted.length && accepted[end]?.eventId === null) end++;
  return end - from;
}

/** Keys are kept as a hash: short, and no client's text is stored. 128 bits make an accidental match impossible. */
function ledgerKey(kind: 'request' | 'event', text: string): string {
  return createHash('sha256').update(`${kind}:${text}`).digest().toString('base64url').slice(0, 22);
}
