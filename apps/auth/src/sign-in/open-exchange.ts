import {
  createId,
  type ExchangeRow,
  findExchange,
  findOpenExchange,
  insertExchange,
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

  async function findUnnamed(opening: Opening, sender: Buffer): Promise<ExchangeRow | null> {
    const { email, tokens } = opening.credentials;
    if (email === null && tokens.length === 0) return null;
    const found = await findOpenExchange(db, sender, now() - absoluteMs);
    return found && isOpen(found) && found.code_failures < codesPerExchange ? found : null;
  }

  return async (opening: Opening): Promise<{ readonly exchange: ExchangeRow; readonly named: boolean }> => {
    const sender = senderOf(opening);
    const named = await findNamed(opening);
    const found = named ?? (opening.alone ? null : await findUnnamed(opening, sender));
    if (found) {
      await touchExchange(db, found.id, now());
      return { exchange: found, named: named !== null };
    }
    const { principal } = opening;
    const exchange = await insertExchange(db, {
      id: createId('x', randomBytes),
      keyId: principal.keyId,
      projectId: principal.projectId,
      sender,
      nowMs: now(),
    });
    return { exchange, named: false };
  };
}

/** When the exchange ends if nothing more is sent. */
export function exchangeEndMs(exchange: ExchangeRow, nowMs: number): number {
  return Math.min(nowMs + idleMs, exchange.started.getTime() + absoluteMs);
}
