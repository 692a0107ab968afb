import { usePlayer } from './accounts.ts';
import { type ClientPlace, type Core, createCore } from './core.ts';
import type { Loss, Options, Session, TickrateEvent } from './options.ts';
import { claim, lose, remember, saveSoon } from './remembered.ts';
import type { Consent, SavedState } from './saved-state.ts';
import { allSealed, forgetSegments, recover, seal, write } from './segments.ts';
import { abortSending, hurry, leave, maySend, sendSoon } from './sender.ts';
import { isDiskFull } from './store.ts';
import { silence, type Tell } from './tell.ts';

const mostWithoutConsent = 200;

/**
 * States: `unknown` consent keeps events in memory; `granted` writes them to segments and sends those; `denied` keeps
 * nothing. `close` ends all of them.
 */
export class Client {
  protected readonly core: Core;
  #adopting: Promise<void> = Promise.resolve();
  #memory: { readonly event: TickrateEvent; readonly atMs: number }[] = [];

  constructor(core: Core) {
    this.core = core;
  }

  /** Recovers what earlier runs left. */
  static async start<C extends Client>(this: new (core: Core) => C, place: ClientPlace): Promise<C> {
    const { store, options } = place;
    const state = await store.open();
    const core = createCore(place, state);
    core.onSealed = () => sendSoon(core);
    core.leave = (segment, text) => leave(core, segment, text);
    core.tell = await createTell(options);
    if (core.saved.consent === 'unknown') core.tell('consent');
    const client = new this(core);
    core.learnConsent = (consent) => void client.#obey(consent);
    store.onAnnounced?.(core.learnConsent);
    const { consent } = core.saved;
    // Whatever the game gives: a process that learned of a refusal too late may have left segments.
    const isRefused = consent === 'denied' || state?.consent === 'denied';
    if (isRefused) await store.clear();
    if (consent === 'granted') await claimAtStart(core, state);
    if (!isRefused) await recover(core);
    saveSoon(core);
    sendSoon(core);
    if (options.consent && state && consent !== state.consent) {
      await core.saving;
      store.announce?.(consent);
    }
    return client;
  }

  /** True if the buffer can be written: what is tracked with the player's consent survives the end of the process. */
  get durable(): boolean {
    return this.core.store.durable;
  }

  /** What the player decided, or `unknown`. */
  get consent(): Consent {
    return this.core.saved.consent;
  }

  /** Events in the buffer that no answer covers yet. */
  get pending(): number {
    const { segments, growing } = this.core;
    return segments.reduce((sum, { events }) => sum + events, (growing?.events ?? 0) + this.#memory.length);
  }

  /** Losses by reason, since the first run on this device. */
  get losses(): Readonly<Record<string, number>> {
    return this.core.saved.losses;
  }

  /** Returns true once the event is in the buffer: from then on it is stored exactly once. Never throws. */
  track(event: TickrateEvent): boolean {
    const { core, consent } = this;
    try {
      if (core.isClosed) return lose(core, 'closed');
      if (consent === 'denied') return false;
      if (consent === 'granted') return write(core, event);
      if (this.#memory.length >= mostWithoutConsent) return lose(core, 'consent');
      this.#memory.push({ event: JSON.parse(JSON.stringify(event)), atMs: core.platform.wallMs() });
      return true;
    } catch (error) {
      core.tell('track', error);
      return lose(core, 'storage');
    }
  }

  /**
   * Resolves with true once every event so far survives the end of the process. With false if the device cannot keep them, or
   * if they wait for the player's consent.
   */
  async stored(): Promise<boolean> {
    const { core } = this;
    try {
      await core.saving;
      await core.store.flushed();
    } catch (error) {
      core.tell('storage', error);
      return false;
    }
    return core.store.durable && !this.#memory.length;
  }

  /** Calls `listener` for each loss. Returns a function that ends this. */
  onLoss(listener: (loss: Loss) => void): () => void {
    const { lossListeners } = this.core;
    lossListeners.add(listener);
    return () => lossListeners.delete(listener);
  }

  /**
   * Sends what the buffer holds, with what other processes left that ended meanwhile. True if nothing of this installation
   * waits; a process or tab that still runs sends its own events.
   */
  async flush({ timeoutMs = 10_000 } = {}): Promise<boolean> {
    const { core } = this;
    if (!core.isClosed && maySend(core)) {
      // One after the other, or two calls would take the same segments.
      this.#adopting = this.#adopting.then(() => recover(core)).catch((error) => core.tell('read', error));
      await this.#adopting;
    }
    return this.#send(timeoutMs);
  }

  async #send(timeoutMs: number): Promise<boolean> {
    const { core } = this;
    const { monotonicMs } = core.platform;
    seal(core);
    core.sendAttempt = 0;
    hurry(core);
    const until = monotonicMs() + timeoutMs;
    while (core.segments.length && monotonicMs() < until && maySend(core))
      await new Promise((resolve) => setTimeout(resolve, 20));
    return core.segments.length + this.#memory.length === 0;
  }

  /** Persists and sends at once. Call it when the app goes to the background; `isHidden` false ends it. */
  background(isHidden = true): void {
    this.core.isHidden = isHidden;
    seal(this.core);
    hurry(this.core);
  }

  /** What the player decided. Other tabs learn of it at once. */
  async setConsent(consent: Consent): Promise<void> {
    const { core } = this;
    if (core.isClosed || consent === this.consent) return;
    core.isConsentChosen = true;
    await this.#obey(consent);
    core.store.announce?.(consent);
  }

  /** Seals, tries to send for `timeoutMs`, and ends. `track` returns false from then on. */
  async close({ timeoutMs = 1_500 } = {}): Promise<void> {
    const { core } = this;
    if (core.isClosed) return;
    core.isClosed = true;
    if (timeoutMs > 0) await this.#send(timeoutMs);
    seal(core);
    core.abort.abort();
    await allSealed(core);
    await core.sending;
    saveSoon(core);
    await core.saving;
    await core.store.close();
  }

  async #obey(consent: Consent): Promise<void> {
    const { core } = this;
    if (core.isClosed || consent === this.consent) return;
    if (consent === 'granted') {
      await claim(core, consent).catch((error) => core.tell('state', error));
      for (const { event, atMs } of this.#memory.splice(0)) write(core, event, atMs);
      core.isStopped = false;
      sendSoon(core);
    }
    const isDenied = consent === 'denied';
    remember(core, { consent, ...(isDenied && { device: null, deviceAccount: null, deviceRequest: null }) });
    if (isDenied) {
      this.#memory = [];
      abortSending(core);
      core.sessions.clear();
      core.player = null;
      await forgetSegments(core);
    }
    await core.saving;
  }

  /** Makes this player, or with null the device's account, the owner of what is tracked from now on. */
  protected usePlayer(session: Session | null): void {
    const { core } = this;
    seal(core);
    usePlayer(core, session);
    core.isStopped = false;
    hurry(core);
  }
}

/**
 * If nothing can be written, what earlier runs agreed on is enough to send what they left. On a full disk nothing is recorded
 * before there is space, and then the state is saved.
 */
async function claimAtStart(core: Core, known: SavedState | null): Promise<void> {
  try {
    await claim(core, 'granted');
  } catch (error) {
    if (!isDiskFull(error) && !known?.device && !known?.deviceRequest) throw error;
    core.tell('state', error);
  }
}

/** Loads the texts, if the developer asked for them. */
async function createTell({ debug }: Options): Promise<Tell> {
  if (!debug) return silence;
  try {
    const { explainTo } = await import('../debug/explain.ts');
    return explainTo(debug);
  } catch {
    // biome-ignore lint/suspicious/noConsole: the developer asked for it
    console.warn('tickrate: put debug.js beside this script to see what is wrong');
    return silence;
  }
}
