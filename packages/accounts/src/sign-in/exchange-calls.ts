import { createNamedId } from '@tickrate/contract';
import type { AccountsDeps } from '../accounts-deps.ts';
import { type ExchangeRow, findExchange, insertExchange, touchExchange } from './exchanges.ts';

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

/** The key of the caller, and its project. */
export interface ExchangeOwner {
  readonly keyId: string;
  readonly projectId: string;
}

export function createExchangeCalls({ db, keyring, now, randomBytes }: AccountsDeps) {
  // As a hash: an exchange outlives its caller, and names no session of an account that is erased meanwhile.
  const markOf = (keyId: string) => keyring.mac('exchange key', keyId).toString('hex');
  return {
    /** The exchange with this id, open or not; `foreign` for one of another key or project. */
    async find(id: string, { keyId, projectId }: ExchangeOwner): Promise<ExchangeRow | 'foreign' | null> {
      const found = await findExchange(db, id);
      return found && (found.key_id !== markOf(keyId) || found.project_id !== projectId) ? 'foreign' : found;
    },

    /**
     * Continues the named exchange while it is open. Every other request gets a new exchange, whose id only its caller
     * receives: no request joins the exchange of another caller.
     */
    async open(named: ExchangeRow | null): Promise<Exchange> {
      const nowMs = now();
      if (named === null || !isOpen(named, nowMs)) {
        return { id: createNamedId('x', randomBytes), startedMs: nowMs, isNamed: false };
      }
      await touchExchange(db, named.id, nowMs);
      return { id: named.id, startedMs: named.started.getTime(), isNamed: true };
    },

    /** Call it before its id is returned, so that the next request can continue it. */
    async keep({ id, isNamed }: Exchange, { keyId, projectId }: ExchangeOwner): Promise<void> {
      if (!isNamed) await insertExchange(db, { id, keyId: markOf(keyId), projectId, nowMs: now() });
    },

    /** When the exchange ends if no further request comes. */
    endMs: ({ startedMs }: Exchange): number =>
      Math.min(now() + exchangeLimits.idleMs, startedMs + exchangeLimits.absoluteMs),
  };
}

function isOpen({ completed, touched, started }: ExchangeRow, nowMs: number): boolean {
  const { idleMs, absoluteMs } = exchangeLimits;
  return completed === null && nowMs < touched.getTime() + idleMs && nowMs < started.getTime() + absoluteMs;
}
