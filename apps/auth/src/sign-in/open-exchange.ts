import { type ExchangeRow, findExchange, insertExchange, touchExchange } from '@tickrate/accounts';
import { createNamedId, systemError } from '@tickrate/contract';
import type { Principal } from '@tickrate/registry';
import type { Exchange, Ground, SignIn } from './sign-in.ts';

export const exchangeLimits = { idleMs: 10 * 60_000, absoluteMs: 30 * 60_000 } as const;

/** The exchange that the caller names, over or not; null when there is none. Throws 4012 for one of another key or project. */
export async function findNamedExchange(
  { db }: Ground,
  exchangeId: string | null,
  principal: Principal,
): Promise<ExchangeRow | null> {
  const found = exchangeId === null ? null : await findExchange(db, exchangeId);
  if (found && (found.key_id !== principal.keyId || found.project_id !== principal.projectId)) {
    throw systemError('exchangeConflict');
  }
  return found;
}

/**
 * Goes on with the named exchange while it is open. Every other request has one of its own, with an id that is told to
 * its caller alone: nobody is put into the exchange of somebody else, whatever they send.
 */
export async function openExchange(
  { db, now, randomBytes }: Ground,
  named: ExchangeRow | null,
): Promise<Exchange> {
  const nowMs = now();
  if (named === null || !isOpen(named, nowMs)) {
    return { id: createNamedId('x', randomBytes), startedMs: nowMs, isNamed: false };
  }
  await touchExchange(db, named.id, nowMs);
  return { id: named.id, startedMs: named.started.getTime(), isNamed: true };
}

function isOpen({ completed, touched, started }: ExchangeRow, nowMs: number): boolean {
  const { idleMs, absoluteMs } = exchangeLimits;
  return completed === null && nowMs < touched.getTime() + idleMs && nowMs < started.getTime() + absoluteMs;
}

/** Before its id is told: what is asked for can then be answered in it. */
export async function keepExchange({ db, now }: Ground, { exchange, principal }: SignIn): Promise<void> {
  if (exchange.isNamed) return;
  const { keyId, projectId } = principal;
  await insertExchange(db, { id: exchange.id, keyId, projectId, nowMs: now() });
}

/** When the exchange ends if nothing more is sent. */
export function exchangeEndMs({ startedMs }: Exchange, nowMs: number): number {
  return Math.min(nowMs + exchangeLimits.idleMs, startedMs + exchangeLimits.absoluteMs);
}
