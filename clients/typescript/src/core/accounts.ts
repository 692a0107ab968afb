import { backoffMs, codeOf, isFinal } from './answer.ts';
import type { Connected } from './connection.ts';
import { type Json, objectOf, parseObject, textOf } from './json.ts';
import type { Session } from './options.ts';
import { readDevice } from './saved-state.ts';

export interface WithAccounts extends Connected {
  readonly accounts: Accounts;
}

/**
 * Whose events these are, and the sessions to send them with. A principal is `key` (nobody), `device:<installation>`
 * (the account of this installation) or `account:<id>` (a player who signed in).
 */
export class Accounts {
  private readonly core: Connected;
  /** The principal of the player who is signed in. Null: the device's own account. */
  #player: string | null = null;
  /** By principal, of every player of this run: events of one who signed out still go under their own session. */
  readonly #sessions = new Map<string, Session>();
  #isDeviceRefused = false;
  #hasAskedPlayer = false;
  #signInAttempt = 0;

  constructor(core: Connected) {
    this.core = core;
  }

  /** The owner of what is tracked now. */
  get owner(): string {
    return this.core.options.account === 'key' ? 'key' : (this.#player ?? this.devicePrincipal);
  }

  /** The principal of this installation's own account. */
  get devicePrincipal(): string {
    return `device:${this.core.deviceState.saved.installation}`;
  }

  /** Makes this player, or with null the device's account, the owner of what is tracked from now on. */
  usePlayer(session: Session | null): void {
    if (session?.device) this.#keepDevice(session);
    this.#player = session && `account:${session.accountId}`;
    if (session && this.#player) this.#sessions.set(this.#player, session);
    this.#hasAskedPlayer = false;
  }

  /** Forgets every session. */
  forget(): void {
    this.#sessions.clear();
    this.#player = null;
  }

  /** The key to send events of a principal with, as far as it is known here. */
  knownKey(principal: string): string | undefined {
    return principal === 'key' ? this.core.options.key : this.#sessionOf(principal)?.apiKey;
  }

  /** Like `knownKey`, after the session was renewed if it ends soon. */
  async keyFor(principal: string): Promise<string | undefined> {
    const session = this.#sessionOf(principal);
    if (session) await this.#renew(session);
    return this.knownKey(principal);
  }

  /** The server no longer accepts the session. Events of a player wait for the next sign-in. */
  endSession(principal: string): void {
    this.#sessions.delete(this.#sessions.has(principal) ? principal : this.devicePrincipal);
  }

  /**
   * Signs the device in if events of these principals need it. Returns how long to wait before sending again, or null if
   * only the player can sign in, so that there is nothing to wait for.
   */
  async signInFor(principals: readonly string[]): Promise<number | null> {
    const { options, platform, deviceState, connection, report } = this.core;
    const isNeeded =
      principals.some((each) => this.#isDevice(each)) && !this.#sessions.has(this.devicePrincipal);
    if (!isNeeded || this.#isDeviceRefused) {
      if (!this.#hasAskedPlayer) options.onSignInNeeded?.();
      this.#hasAskedPlayer = true;
      return null;
    }
    const { signal } = connection;
    const { device, deviceRequest } = deviceState.saved;
    const requestKey = deviceRequest ?? platform.randomHex(16);
    const body = { tokens: { deviceTokens: [device ?? { deviceId: 'new' }] } };
    const { status, text } = await connection.askSessions('authenticate', { body, requestKey });
    if (signal.aborted) return null;
    const answer = parseObject(text);
    const session = status === 200 ? readSession(answer) : undefined;
    if (session) {
      this.#keepDevice(session);
      await deviceState.saving;
      return 0;
    }
    const refusal = refusalOf(status, answer);
    if (refusal === null) {
      if (isFinal(status)) report('sessions', `${connection.sessionsAddress} answers HTTP ${status}`);
      const seconds = Number(objectOf(answer['data'])?.['retryAfterSeconds']) || 0;
      return seconds * 1000 + backoffMs(this.#signInAttempt++, platform.random());
    }
    this.#isDeviceRefused = true;
    report('device', refusal);
    return 0;
  }

  /** Gives the session a later end, if it ends soon. */
  async #renew(session: Session): Promise<void> {
    const leftSeconds = session.expiry - this.core.platform.wallMs() / 1000;
    if (leftSeconds < 0 || leftSeconds >= (session.expiry - session.start) * 0.2) return;
    const sent = { method: 'POST', apiKey: session.apiKey, body: {} };
    const { status, text } = await this.core.connection.askSessions('session', sent);
    const { start, expiry } = parseObject(text);
    if (status !== 200 || typeof expiry !== 'number') return;
    for (const [principal, known] of this.#sessions)
      if (known === session) this.#sessions.set(principal, { ...session, start: Number(start), expiry });
  }

  /** Keeps the session and the token of a device account. */
  #keepDevice(session: Session): void {
    const { device = this.core.deviceState.saved.device, accountId: deviceAccount } = session;
    this.#signInAttempt = 0;
    this.#sessions.set(this.devicePrincipal, session);
    this.core.deviceState.remember({ device, deviceAccount, deviceRequest: null });
  }

  #sessionOf(principal: string): Session | undefined {
    const sessions = this.#sessions;
    return (
      sessions.get(principal) ?? (this.#isDevice(principal) ? sessions.get(this.devicePrincipal) : undefined)
    );
  }

  #isDevice(principal: string): boolean {
    return (
      principal === this.devicePrincipal ||
      principal === `account:${this.core.deviceState.saved.deviceAccount}`
    );
  }
}

/** Reads the session of a complete sign-in. */
export function readSession(answer: Json): Session | undefined {
  const session = objectOf(answer['authenticatedSession']) ?? {};
  const apiKey = textOf(session['apiKey']);
  const accountId = textOf(session['accountId']);
  if (!apiKey || !accountId) return;
  const device = readDevice(answer['issuedDeviceToken']);
  const times = { start: Number(session['start']), expiry: Number(session['expiry']) };
  return { apiKey, accountId, ...times, ...(device && { device }) };
}

/** The code of an answer that no repetition changes, 0 if it asks the player. Null for others: a proxy's has no code. */
function refusalOf(status: number, answer: Json): number | null {
  if (status === 200) return 'exchangeId' in answer ? 0 : null;
  return (status !== 404 && isFinal(status) && codeOf(answer)) || null;
}
