import { eventKey, requestKey, type SenderScope } from '@tickrate/pipeline';
import type { AcceptedElement } from '../reading/admit-multi.ts';

/** Consecutive rows of one request that are stored only if their key was never stored before. */
export interface KeyedRows {
  readonly key: string;
  readonly firstRow: number;
  readonly count: number;
}

/** Who sends a request, and its Idempotency-Key if it has one. */
export interface RequestKey {
  readonly scope: SenderScope;
  readonly idempotencyKey: string | null;
}

/** All rows of a request under its Idempotency-Key; none without one. */
export function keyedByRequest({ scope, idempotencyKey }: RequestKey, count: number): KeyedRows[] {
  if (idempotencyKey === null || count === 0) return [];
  return [{ key: requestKey(scope, idempotencyKey), firstRow: 0, count }];
}

/**
 * Rows with an event id under that id, and each stretch of rows between them under the request's key and the number of
 * the stretch. Stretches are those of the body, so that a repeat is split alike even when other elements are accepted.
 */
export function keyedByEvents(
  accepted: readonly AcceptedElement[],
  { scope, idempotencyKey }: RequestKey,
): KeyedRows[] {
  const keyed: KeyedRows[] = [];
  let firstRow = 0;
  while (firstRow < accepted.length) {
    const { eventId = null, stretch = 0 } = accepted[firstRow] ?? {};
    const count = eventId === null ? runOf(accepted, firstRow, stretch) : 1;
    if (eventId !== null) keyed.push({ key: eventKey(scope, eventId), firstRow, count });
    else if (idempotencyKey !== null) {
      const text = stretch === 0 ? idempotencyKey : `${idempotencyKey} ${stretch}`;
      keyed.push({ key: requestKey(scope, text), firstRow, count });
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
