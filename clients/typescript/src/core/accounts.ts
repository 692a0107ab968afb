import type { Addresses } from './addresses.ts';
import type { Session } from './options.ts';
import type { ClientParts } from './parts.ts';
import type { Remembered } from './remembered.ts';
import { renew, signInDevice } from './sessions.ts';

/**
 * Whose events these are, and the sessions to send them with. A principal is `key` (nobody), `device:<installation>`
 * (the account of this installation) or `account:<id>` (a player who signed in).
 */
export class Accounts {
  readonly #parts: ClientParts;
  readonly #remembered: Remembered;
  readonly #addresses: Addresses;
  /** The player who is signed in. Null: the device's own account. */
  #player: Session | null = null;
  /** Of every player of this run: events of one who signed out still go under their own session. */
  readonly #players = new Map<string, Session>();
  #deviceSession: Session | null = null;
  #isDeviceRefused = false;
  #attempt = 0;
  #hasAsked = false;

  constructor(parts: ClientParts, remembered: Remembered, addresses: Addresses) {
    this.#parts = parts;
    this.#remembered = remembered;
    this.#addresses = addresses;
  }

  /** The owner of what is tracked now. */
  principal(): string {
    if (this.#parts.options.account === 'key') return 'key';
    return this.#player ? `account:${this.#player.accountId}` : this.#deviceOwner();
  }

  /** A folder has one installation; a former one lost its state.json. */
  ownPrincipal(principal: string): string {
    return principal.startsWith('device:') ? this.#deviceOwner() : principal;
  }

  /** Makes this player, or with null the device's account, the owner of what is tracked from now on. */
  use(session: Session | null): void {
    if (session) this.#players.set(session.accountId, session);
    this.#player = session;
    this.#hasAsked = false;
  }

  /** Keeps the session and the token of a device account. */
  keepDevice(session: Session): void {
    this.#attempt = 0;
    this.#deviceSession = session;
    this.#remembered.change({
      device: session.device ?? this.#remembered.state.device,
      deviceAccount: session.accountId,
      deviceRequest: null,
    });
  }

  /** The key to send events of a principal with, as far as it is known here; empty for a session that ended. */
  knownKey(principal: string): string | undefined {
    return principal === 'key' ? this.#parts.options.key : this.#sessionOf(principal)?.apiKey;
  }

  /** Like `knownKey`, after the session was renewed if it ends soon. */
  async keyFor(principal: string, signal: AbortSignal): Promise<string | undefined> {
    const session = principal === 'key' ? null : this.#sessionOf(principal);
    if (session) await this.#renew(session, signal);
    return this.knownKey(principal);
  }

  /** The server no longer accepts the session. */
  endSession(principal: string): void {
    const player = this.#players.get(playerOf(principal));
    // Events still belong to the player, and wait for the next sign-in.
    if (player) this.#players.set(player.accountId, { ...player, apiKey: '' });
    else this.#deviceSession = null;
  }

  /**
   * Signs the device in if events of these principals need it. Returns how long to wait before sending again, or null if
   * only the player can sign in, so that there is nothing to wait for.
   */
  async signInFor(principals: readonly string[], signal: AbortSignal): Promise<number | null> {
    const needsDevice = principals.some((each) => this.#isDevice(each));
    if (!needsDevice || this.#deviceSession || this.#isDeviceRefused) {
      if (!this.#hasAsked) this.#parts.options.onSignInNeeded?.();
      this.#hasAsked = true;
      return null;
    }
    const { platform, options, tell } = this.#parts;
    const { device, deviceRequest } = this.#remembered.state;
    const requestKey = deviceRequest ?? platform.randomHex(16);
    const address = { url: this.#addresses.sessions, key: options.key };
    const attempt = this.#attempt++;
    const signed = await signInDevice(platform, address, { device, requestKey, attempt, signal });
    if (signal.aborted) return null;
    if (signed === null) {
      this.#isDeviceRefused = true;
      tell(
        'device',
        'the project does not let a device sign in by itself: call signIn(), or set account to "key"',
      );
      return 0;
    }
    if ('waitMs' in signed) return signed.waitMs;
    this.keepDevice(signed);
    await this.#remembered.saved();
    return 0;
  }

  forget(): void {
    this.#deviceSession = null;
    this.#players.clear();
    this.#player = null;
  }

  async #renew(session: Session, signal: AbortSignal): Promise<void> {
    const leftSeconds = session.expiry - this.#parts.platform.wallMs() / 1000;
    const isSoon = leftSeconds < (session.expiry - session.start) * 0.2;
    if (session.apiKey === '' || !isSoon || leftSeconds < 0) return;
    const renewed = await renew(this.#parts.platform, this.#addresses.sessions, { session, signal });
    if (renewed === null) return;
    if (this.#players.has(session.accountId)) this.#players.set(session.accountId, renewed);
    if (session === this.#deviceSession) this.#deviceSession = renewed;
  }

  #sessionOf(principal: string): Session | null {
    const player = this.#players.get(playerOf(principal));
    return player ?? (this.#isDevice(principal) ? this.#deviceSession : null);
  }

  #isDevice(principal: string): boolean {
    const { deviceAccount } = this.#remembered.state;
    return principal === this.#deviceOwner() || principal === `account:${deviceAccount}`;
  }

  #deviceOwner(): string {
    return `device:${this.#remembered.state.installation}`;
  }
}

function playerOf(principal: string): string {
  return principal.slice('account:'.length);
}
