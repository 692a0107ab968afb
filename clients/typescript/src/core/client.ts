import { Accounts } from './accounts.ts';
import { type Addresses, addressesOf } from './addresses.ts';
import { Buffer } from './buffer.ts';
import type { Loss, Options, Session, TickrateEvent } from './options.ts';
import { type ClientParts, createTell } from './parts.ts';
import type { Platform } from './platform.ts';
import { Remembered } from './remembered.ts';
import type { Consent, SavedState } from './saved-state.ts';
import { Sender } from './sender.ts';
import type { Store } from './store.ts';

const mostWithoutConsent = 200;

/** What a client is made of: options, and the place where it runs. */
export interface ClientPlace {
  readonly options: Options;
  readonly platform: Platform;
  readonly store: Store;
}

/**
 * States: `unknown` consent keeps events in memory; `granted` writes them to segments and sends those; `denied` keeps
 * nothing. `close` ends all of them.
 */
export class Client {
  protected readonly parts: ClientParts;
  protected readonly addresses: Addresses;
  readonly #remembered: Remembered;
  readonly #accounts: Accounts;
  readonly #buffer: Buffer;
  readonly #sender: Sender;
  #memory: { readonly event: TickrateEvent; readonly atMs: number }[] = [];
  #isClosed = false;

  constructor(place: ClientPlace, known: SavedState | null) {
    const parts = { ...place, tell: createTell(place.options) };
    const addresses = addressesOf(place.options);
    const remembered = new Remembered(parts, known);
    const accounts = new Accounts(parts, remembered, addresses);
    const buffer = new Buffer({
      parts,
      remembered,
      accounts,
      leave: (segment, text) => this.#sender.leave(segment, text),
      onSealed: () => this.#sender.run(),
    });
    this.parts = parts;
    this.addresses = addresses;
    this.#remembered = remembered;
    this.#accounts = accounts;
    this.#buffer = buffer;
    this.#sender = new Sender({ parts, remembered, accounts, addresses, buffer });
  }

  /** Recovers what earlier runs left. */
  static async start<C extends Client>(
    this: new (
      place: ClientPlace,
      known: SavedState | null,
    ) => C,
    place: ClientPlace,
  ): Promise<C> {
    const { found, state } = await place.store.open();
    const client = new this(place, state);
    const { consent } = client;
    if (consent === 'denied') await place.store.clear();
    if (consent === 'granted') await client.#remembered.claim(consent);
    if (consent !== 'denied') await client.#buffer.recover(found);
    client.#remembered.save();
    void client.#sender.discover();
    client.#sender.run();
    return client;
  }

  /** True if the buffer survives the end of the process. */
  get durable(): boolean {
    return this.parts.store.durable;
  }

  get consent(): Consent {
    return this.#remembered.state.consent;
  }

  /** Events in the buffer that no answer covers yet. */
  get pending(): number {
    return this.#buffer.events + this.#memory.length;
  }

  /** Losses by reason, since the first run on this device. */
  get losses(): Readonly<Record<string, number>> {
    return this.#remembered.state.losses;
  }

  /** Returns true once the event is in the buffer: from then on it is stored exactly once. Never throws. */
  track(event: TickrateEvent): boolean {
    try {
      return this.#track(event);
    } catch (error) {
      this.parts.tell(
        'track',
        `track() failed: ${String(error)}. Pass an event of generated code, without cycles or bigint`,
      );
      return this.#remembered.lose('storage', 1);
    }
  }

  /** Resolves when every event so far survives the end of the process. */
  async stored(): Promise<void> {
    await this.#remembered.saved();
    await this.parts.store.flushed();
  }

  /** Calls `listener` for each loss. Returns a function that ends this. */
  onLoss(listener: (loss: Loss) => void): () => void {
    return this.#remembered.onLoss(listener);
  }

  /** Sends what the buffer holds. True if nothing is left. */
  async flush({ timeoutMs = 10_000 } = {}): Promise<boolean> {
    const [buffer, sender] = [this.#buffer, this.#sender];
    buffer.seal();
    sender.retry();
    const { monotonicMs } = this.parts.platform;
    const until = monotonicMs() + timeoutMs;
    while (buffer.segments.length > 0 && monotonicMs() < until && !sender.isStopped) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return buffer.segments.length === 0;
  }

  /** Persists and sends at once. Call it when the app goes to the background; `isHidden` false ends it. */
  background(isHidden = true): void {
    this.#sender.isHidden = isHidden;
    this.#buffer.seal();
    this.#sender.hurry();
  }

  async setConsent(consent: Consent): Promise<void> {
    if (this.#isClosed || consent === this.consent) return;
    if (consent === 'granted') {
      await this.#remembered.claim(consent);
      for (const { event, atMs } of this.#memory.splice(0)) this.#buffer.write(event, atMs);
      this.#sender.isStopped = false;
      this.#sender.run();
    }
    const forgotten = { device: null, deviceAccount: null, deviceRequest: null };
    this.#remembered.change({ consent, ...(consent === 'denied' && forgotten) });
    if (consent === 'denied') {
      this.#memory = [];
      this.#sender.abort();
      this.#accounts.forget();
      await this.#buffer.forget();
    }
    await this.#remembered.saved();
  }

  /** Seals, tries to send for `timeoutMs`, and ends. `track` returns false from then on. */
  async close({ timeoutMs = 1_500 } = {}): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (timeoutMs > 0 && this.consent === 'granted') await this.flush({ timeoutMs });
    this.#buffer.seal();
    const ended = this.#sender.close();
    await this.#buffer.sealed();
    await ended;
    await this.#remembered.saved();
    await this.parts.store.close();
  }

  protected tell(id: string, message: string): void {
    this.parts.tell(id, message);
  }

  /** The token of the device's own account, if it has one. */
  protected get device() {
    return this.#remembered.state.device;
  }

  /** Makes this player, or with null the device's account, the owner of what is tracked from now on. */
  protected usePlayer(session: Session | null): void {
    this.#buffer.seal();
    if (session?.device) this.#accounts.keepDevice(session);
    this.#accounts.use(session);
    this.#sender.isStopped = false;
    this.#sender.hurry();
  }

  #track(event: TickrateEvent): boolean {
    if (this.#isClosed) return this.#remembered.lose('closed', 1);
    const { consent } = this;
    if (consent === 'denied') return false;
    if (consent === 'granted') return this.#buffer.write(event);
    if (this.#memory.length >= mostWithoutConsent) return this.#remembered.lose('consent', 1);
    this.#memory.push({ event: structuredClone(event), atMs: this.parts.platform.wallMs() });
    return true;
  }
}
