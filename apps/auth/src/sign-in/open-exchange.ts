import { type ExchangeRow, findExchange, insertExchange, touchExchange } from '@tickrate/accounts';
import { createNamedId, systemError } from '@tickrate/contract';
import type { Principal } from '@tickrate/registry';
import type { Exchange, Ground, SignIn } from './sign-in.ts';

export const exchangeLimits = { idleMs: 10 * 60_000, absoluteMs: 30 * 60_000 } as const;

/** The exchange that the caller names, open or not; null without one. Throws 4012 for one of another key or project. */
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
 * Continues the named exchange while it is open. Every other request gets a new exchange, whose id only its caller
 * receives: no request joins the exchange of another caller.
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

/** Before its id is returned, so that the next request can continue it. */
export async function keepExchange({ db, now }: Ground, { exchange, principal }: SignIn): Promise<void> {
  if (exchange.isNamed) return;
  const { keyId, projectId } = principal;
  await insertExchange(db, { id: exchange.id, keyId, projectId, nowMs: now() });
}

/** When the exchange ends if no further request comes. */
export function exchangeEndMs({ startedMs }: Exchange, nowMs: number): number {
  return Math.min(nowMs + exchangeLimits.idleMs, startedMs + exchangeLimits.absoluteMs);
}
