import { setTimeout as delay } from 'node:timers/promises';
import { errorCatalogue } from '@tickrate/contract';
import type { AddressVoucher } from '@tickrate/platform';
import { vouchedAddressHeader } from '@tickrate/platform';
import type { EmberPlayer } from './ember-players.ts';
import type { EmberEvent } from './ember-sessions.ts';

/** What a game does: sign in, and send events. Waits while a server asks for it. Rejects with the signal's reason. */
export interface DemoClient {
  /** Returns the key of a new session. Null for a banned player. */
  signIn(player: EmberPlayer): Promise<string | null>;
  /** `ended`: the session is over, as after the erasure of its player. */
  send(
    sessionKey: string,
    events: readonly EmberEvent[],
    eventIds?: readonly string[],
  ): Promise<'sent' | 'ended'>;
}

export interface DemoClientOptions {
  readonly authUrl: string;
  readonly gatewayUrl: string;
  readonly publicKey: string;
  /** Each player signs in from a separate address, because auth limits the sign-ins of one address. */
  readonly voucher: Pick<AddressVoucher, 'write'>;
  readonly signal: AbortSignal;
}

class Refused extends Error {
  readonly status: number | undefined;
  readonly code: string | undefined;

  constructor(url: string, status: number | undefined, text: string) {
    super(`The demo cannot use ${url}: ${text}`);
    this.status = status;
    this.code = /"code":(\d+)/.exec(text)?.[1];
  }
}

const banned = String(errorCatalogue.accountBanned.code);
const timeoutMs = 30_000;
const mostTries = 20;

export function createDemoClient(options: DemoClientOptions): DemoClient {
  const { authUrl, gatewayUrl, publicKey, voucher, signal } = options;

  async function put(
    url: string,
    headers: Readonly<Record<string, string>>,
    body: unknown,
  ): Promise<unknown> {
    for (let tries = 1; ; tries += 1) {
      const answer = await fetch(url, {
        method: 'PUT',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify(body),
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      }).catch((error: unknown) => failed(error, signal));
      if (answer?.ok === true) return answer.json();
      const text = answer === null ? 'no answer' : await answer.text();
      const isPassing = answer === null || answer.status === 429 || answer.status >= 500;
      if (!isPassing || tries >= mostTries) throw new Refused(url, answer?.status, text);
      const seconds = Number(answer?.headers.get('Retry-After') ?? 0.5);
      await delay(Math.min(10, Math.max(0.2, seconds)) * 1_000, undefined, { signal });
    }
  }

  return {
    async signIn({ deviceId, address }) {
      const headers = { 'X-API-Key': publicKey, [vouchedAddressHeader]: voucher.write(address) };
      const body = { tokens: { deviceTestTokens: [{ deviceId }] } };
      try {
        return keyOf(await put(`${authUrl}/v1/authenticate`, headers, body));
      } catch (error) {
        if (error instanceof Refused && error.code === banned) return null;
        throw error;
      }
    },
    async send(sessionKey, events, eventIds) {
      const lines = events.map(({ type, atMs, event }, n) => ({
        eventType: type,
        occurredAt: new Date(atMs).toISOString(),
        event,
        ...(eventIds === undefined ? {} : { eventId: eventIds[n] }),
      }));
      try {
        await put(
          `${gatewayUrl}/v1/event/multiInsert`,
          { 'X-API-Key': sessionKey, 'X-Tickrate-SDK': 'ember-arena/1.0.0' },
          lines,
        );
        return 'sent';
      } catch (error) {
        if (error instanceof Refused && error.status === 401) return 'ended';
        throw error;
      }
    },
  };
}

/** Null for a server that is not there: it may be starting. */
function failed(error: unknown, signal: AbortSignal): null {
  signal.throwIfAborted();
  if (error instanceof Error) return null;
  throw error;
}

function keyOf(answer: unknown): string {
  if (typeof answer === 'object' && answer !== null && 'authenticatedSession' in answer) {
    const session = answer.authenticatedSession;
    if (typeof session === 'object' && session !== null && 'apiKey' in session) return String(session.apiKey);
  }
  throw new Error('The demo cannot sign in a player', { cause: answer });
}
