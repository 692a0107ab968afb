import {
  continueExchange,
  createId,
  type ExchangeRow,
  findExchange,
  touchExchange,
} from '@tickrate/accounts';
import { systemError } from '@tickrate/contract';
import type { Principal } from '@tickrate/registry';
import { codesPerExchange } from './check-code.ts';
import type { Credentials } from './credentials.ts';
import type { Ground } from './sign-in.ts';

const idleMs = 10 * 60_000;
const absoluteMs = 30 * 60_000;

export interface Opening {
  readonly exchangeId: string | null;
  readonly principal: Principal;
  readonly clientAddress: string;
  readonly credentials: Credentials;
  /** Another request was faster and has completed the one it shared: this one goes on by itself. */
  readonly alone: boolean;
}

/** The exchange that a request goes on with, or a new one. Throws 4012 for one of another key or project. */
export function createOpenExchange({ db, keyring, now, randomBytes }: Ground) {
  function isOpen(exchange: ExchangeRow): boolean {
    return (
      exchange.completed === null &&
      now() < exchange.touched.getTime() + idleMs &&
      now() < exchange.started.getTime() + absoluteMs
    );
  }

  /** Clients that keep no exchange id are known by what they sign in with. Who brings nothing shares nothing. */
  function senderOf({ principal, clientAddress, credentials }: Opening): Buffer {
    const { email, tokens } = credentials;
    const brought = [
      email?.folded ?? '',
      ...tokens.map(({ provider, fields }) => provider + JSON.stringify(fields)).toSorted(),
    ];
    return keyring.mac('sender', principal.keyId, clientAddress, ...brought);
  }

  async function findNamed({ exchangeId, principal }: Opening): Promise<ExchangeRow | null> {
    const found = exchangeId === null ? null : await findExchange(db, exchangeId);
    if (found && (found.key_id !== principal.keyId || found.project_id !== principal.projectId)) {
      throw systemError('exchangeConflict');
    }
    return found && isOpen(found) ? found : null;
  }

  return async (opening: Opening): Promise<{ readonly exchange: ExchangeRow; readonly named: boolean }> => {
    const named = await findNamed(opening);
    const nowMs = now();
    if (named) {
      await touchExchange(db, named.id, nowMs);
      return { exchange: named, named: true };
    }
    const { principal, alone, credentials } = opening;
    const isKnown = credentials.email !== null || credentials.tokens.length > 0;
    const fresh = {
      id: createId('x', randomBytes),
      keyId: principal.keyId,
      projectId: principal.projectId,
      sender: senderOf(opening),
      nowMs,
    };
    const since = {
      startedMs: nowMs - absoluteMs,
      touchedMs: nowMs - idleMs,
      codeFailures: codesPerExchange,
    };
    return { exchange: await continueExchange(db, fresh, isKnown && !alone ? since : null), named: false };
  };
}

/** When the exchange ends if nothing more is sent. */
export function exchangeEndMs(exchange: ExchangeRow, nowMs: number): number {
  return Math.min(nowMs + idleMs, exchange.started.getTime() + absoluteMs);
}
