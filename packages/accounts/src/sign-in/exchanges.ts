import { createNamedId } from '@tickrate/contract';
import type { Queryable } from '@tickrate/postgres';
import type { Accounts } from '../accounts.ts';

export const exchangeLimits = { idleMs: 10 * 60_000, absoluteMs: 30 * 60_000 } as const;
/** The attempts of codes in one exchange. */
export const codesPerExchange = 5;
/** The retry delay for a client of a used-up exchange. */
export const spentExchangeSeconds = 600;

/** The exchange of one request. */
export interface Exchange {
  /** Only the caller receives it. */
  readonly id: string;
  readonly startedMs: number;
  /** The caller named it, and it is open: its proofs belong to the caller. */
  readonly isNamed: boolean;
}

/** The row of an exchange whose id a client received. Its proofs have rows of their own. */
export interface ExchangeRow {
  readonly id: string;
  readonly key_id: string;
  readonly project_id: string;
  readonly started: Date;
  readonly touched: Date;
  readonly completed: Date | null;
}

interface ExchangeOwner {
  readonly keyId: string;
  readonly projectId: string;
}

/** The exchange with this id, open or not; `foreign` for one of another key or project. */
export async function findExchange(
  accounts: Accounts,
  id: string,
  { keyId, projectId }: ExchangeOwner,
): Promise<ExchangeRow | 'foreign' | null> {
  const [row] = await accounts.db.query<ExchangeRow>(
    'SELECT id, key_id, project_id, started, touched, completed FROM auth.exchanges WHERE id = $1',
    [id],
  );
  if (!row) return null;
  return row.key_id !== markOf(accounts, keyId) || row.project_id !== projectId ? 'foreign' : row;
}

/**
 * Continues the named exchange while it is open. Every other request gets a new exchange, whose id only its caller
 * receives: no request joins the exchange of another caller.
 */
export async function openExchange(
  { db, now, randomBytes }: Accounts,
  named: ExchangeRow | null,
): Promise<Exchange> {
  const nowMs = now();
  if (named === null || !isOpen(named, nowMs)) {
    return { id: createNamedId('x', randomBytes), startedMs: nowMs, isNamed: false };
  }
  await db.query('UPDATE auth.exchanges SET touched = $2 WHERE id = $1', [named.id, new Date(nowMs)]);
  return { id: named.id, startedMs: named.started.getTime(), isNamed: true };
}

/** Call it before its id is returned, so that the next request can continue it. */
export async function keepExchange(
  accounts: Accounts,
  { id, isNamed }: Exchange,
  { keyId, projectId }: ExchangeOwner,
): Promise<void> {
  if (isNamed) return;
  await accounts.db.query(
    'INSERT INTO auth.exchanges (id, key_id, project_id, started, touched) VALUES ($1, $2, $3, $4, $4)',
    [id, markOf(accounts, keyId), projectId, new Date(accounts.now())],
  );
}

/** When the exchange ends if no further request comes. */
export function exchangeEndMs({ now }: Accounts, { startedMs }: Exchange): number {
  return Math.min(now() + exchangeLimits.idleMs, startedMs + exchangeLimits.absoluteMs);
}

/** Counts an attempt of a code before the check. The attempts that are left after it; null when there was none left. */
export async function chargeCode(db: Queryable, id: string): Promise<number | null> {
  const [row] = await db.query<{ code_failures: number }>(
    `UPDATE auth.exchanges SET code_failures = code_failures + 1
     WHERE id = $1 AND code_failures < $2 RETURNING code_failures`,
    [id, codesPerExchange],
  );
  return row ? codesPerExchange - row.code_failures : null;
}

export async function forgiveCodes(db: Queryable, id: string): Promise<void> {
  await db.query('UPDATE auth.exchanges SET code_failures = 0 WHERE id = $1', [id]);
}

/** As a hash: an exchange outlives its caller, and names no session of an account that is erased meanwhile. */
function markOf({ keyring }: Accounts, keyId: string): string {
  return keyring.mac('exchange key', keyId).toString('hex');
}

function isOpen({ completed, touched, started }: ExchangeRow, nowMs: number): boolean {
  const { idleMs, absoluteMs } = exchangeLimits;
  return completed === null && nowMs < touched.getTime() + idleMs && nowMs < started.getTime() + absoluteMs;
}
