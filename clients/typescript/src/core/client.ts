import { Accounts } from './accounts.ts';
import { Connection } from './connection.ts';
import { type ClientPlace, defaultTuning, type Report, silence } from './core.ts';
import { DeviceState } from './device-state.ts';
import type { Loss, Options, Session, TickrateEvent } from './options.ts';
import type { Consent, SavedState } from './saved-state.ts';
import { Segments, type WithSegments } from './segments.ts';
import { Sender } from './sender.ts';
import { isDiskFull } from './store.ts';

export interface Parts extends WithSegments {
  readonly sender: Sender;
}

const mostWithoutConsent = 200;

/*
 * The mode of a client is the player's consent, until it is closed:
 *
 * - `unknown`: events wait in memory; nothing is stored or sent
 * - `granted`: events are written to segments, which are sealed and sent
 * - `denied`: the buffer and the device are forgotten; `track` keeps nothing
 * - closed: `track` counts its events as lost. The next start sends what was not sent
 *
 * unknown → granted: what waits in memory is written. denied → granted: with a new device account. `setConsent` changes the mode,
 * and so does a refusal in another tab or process. `close` ends every mode.
 */

/** Records events in a buffer and sends them. */
export class Client {
  protected readonly core: Parts;
  #isClosed = false;
  #adopting: Promise<void> = Promise.resolve();
  #memory: { readonly event: TickrateEvent; readonly atMs: number }[] = [];

  constructor(core: Parts) {
    this.core = core;
    const onConsent = (consent: Consent) => void this.#switchConsent(consent);
    core.deviceState.onConsent = onConsent;
    core.store.onAnnounced?.(onConsent);
  }

  /** Recovers what earlier runs left. */
  static async start<C extends Client>(this: new (core: Parts) => C, place: ClientPlace): Promise<C> {
    const known = await place.store.open();
    const client = new this(createParts(place, known, await createReport(place.options)));
    await client.#recover(known);
    return client;
  }

  async #recover(known: SavedState | null): Promise<void> {
    const { core, consent } = this;
    const { deviceState, store, options } = core;
    if (consent === 'unknown') core.report('consent');
    // Whatever the game gives: a process that learned of a refusal too late may have left segments.
    const isRefused = consent === 'denied' || known?.consent === 'denied';
    if (isRefused) await store.clear();
    if (consent === 'granted') await this.#agreeAtStart(known);
    if (!isRefused) await core.segments.recover();
    deviceState.saveSoon();
    core.sender.sendSoon();
    if (options.consent && known && consent !== known.consent) {
      await deviceState.saving;
      store.announce?.(consent);
    }
  }

  /**
   * If nothing can be written, what earlier runs agreed on is enough to send what they left. On a full disk nothing is recorded
   * before there is space, and then the state is saved.
   */
  async #agreeAtStart(known: SavedState | null): Promise<void> {
    try {
      await this.core.deviceState.agree('granted');
    } catch (error) {
      if (!isDiskFull(error) && !known?.device && !known?.deviceRequest) throw error;
      this.core.report('state', error);
    }
  }

  /** True if the buffer can be written: what is tracked with the player's consent survives the end of the process. */
  get durable(): boolean {
    return this.core.store.durable;
  }

  /** What the player decided, or `unknown`. */
  get consent(): Consent {
    return this.core.deviceState.saved.consent;
  }

  /** Events in the buffer that no answer covers yet. */
  get pending(): number {
    return this.core.segments.eventCount + this.#memory.length;
  }

  /** Losses by reason, since the first run on this device. */
  get losses(): Readonly<Record<string, number>> {
    return this.core.deviceState.saved.losses;
  }

  /** Returns true once the event is in the buffer: from then on it is stored exactly once. Never throws. */
  track(event: TickrateEvent): boolean {
    const { core, consent } = this;
    const { deviceState } = core;
    try {
      if (this.#isClosed) return deviceState.countLoss('closed');
      if (consent === 'denied') return false;
      if (consent === 'granted') return core.segments.write(event);
      if (this.#memory.length >= mostWithoutConsent) return deviceState.countLoss('consent');
      this.#memory.push({ event: JSON.parse(JSON.stringify(event)), atMs: core.platform.wallMs() });
      return true;
    } catch (error) {
      core.report('track', error);
      return deviceState.countLoss('storage');
    }
  }

  /**
   * Resolves with true once every event so far survives the end of the process. With false if the device cannot keep them, or
   * if they wait for the player's consent.
   */
  async stored(): Promise<boolean> {
    const { core } = this;
    try {
      await core.deviceState.saving;
      await core.store.flushed();
    } catch (error) {
      core.report('storage', error);
      return false;
    }
    return core.store.durable && !this.#memory.length;
  }

  /** Calls `listener` for each loss. Returns a function that ends this. */
  onLoss(listener: (loss: Loss) => void): () => void {
    const { lossListeners } = this.core.deviceState;
    lossListeners.add(listener);
    return () => lossListeners.delete(listener);
  }

  /**
   * Sends what the buffer holds, with what other processes left that ended meanwhile. True if nothing of this installation
   * waits; a process or tab that still runs sends its own events.
   */
  async flush({ timeoutMs = 10_000 } = {}): Promise<boolean> {
    const { core } = this;
    if (!this.#isClosed && core.sender.maySend) {
      // One after the other, or two calls would take the same segments.
      this.#adopting = this.#adopting
        .then(() => core.segments.recover())
        .catch((error) => core.report('read', error));
      await this.#adopting;
    }
    return this.#send(timeoutMs);
  }

  async #send(timeoutMs: number): Promise<boolean> {
    const { segments, sender, platform } = this.core;
    const { monotonicMs } = platform;
    segments.seal();
    sender.flushSoon();
    const until = monotonicMs() + timeoutMs;
    while (segments.sealed.length && monotonicMs() < until && sender.maySend)
      await new Promise((resolve) => setTimeout(resolve, 20));
    return segments.sealed.length + this.#memory.length === 0;
  }

  /** Persists and sends at once. Call it when the app goes to the background; `isHidden` false ends it. */
  background(isHidden = true): void {
    const { segments, sender } = this.core;
    sender.isHidden = isHidden;
    segments.seal();
    sender.flushSoon();
  }

  /** What the player decided. Other tabs learn of it at once. */
  async setConsent(consent: Consent): Promise<void> {
    if (this.#isClosed || consent === this.consent) return;
    this.core.deviceState.isConsentChosen = true;
    await this.#switchConsent(consent);
    this.core.store.announce?.(consent);
  }

  /** Seals, tries to send for `timeoutMs`, and ends. `track` returns false from then on. */
  async close({ timeoutMs = 1_500 } = {}): Promise<void> {
    const { deviceState, segments, sender, connection, store } = this.core;
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (timeoutMs > 0) await this.#send(timeoutMs);
    segments.seal();
    connection.abort(true);
    await segments.allSealed();
    await sender.sending;
    deviceState.saveSoon();
    await deviceState.saving;
    await store.close();
  }

  async #switchConsent(consent: Consent): Promise<void> {
    const { core } = this;
    const { deviceState, segments } = core;
    if (this.#isClosed || consent === this.consent) return;
    if (consent === 'granted') {
      await deviceState.agree(consent).catch((error) => core.report('state', error));
      for (const { event, atMs } of this.#memory.splice(0)) segments.write(event, atMs);
      core.sender.resume();
    }
    const isDenied = consent === 'denied';
    deviceState.remember({
      consent,
      ...(isDenied && { device: null, deviceAccount: null, deviceRequest: null }),
    });
    if (isDenied) {
      this.#memory = [];
      core.connection.abort();
      core.accounts.forget();
      await segments.clear();
    }
    await deviceState.saving;
  }

  /** Makes this player, or with null the device's account, the owner of what is tracked from now on. */
  protected usePlayer(session: Session | null): void {
    const { segments, accounts, sender } = this.core;
    segments.seal();
    accounts.usePlayer(session);
    sender.resume();
  }
}

/** Each part needs those before it. */
function createParts(place: ClientPlace, known: SavedState | null, report: Report): Parts {
  const tuned = { ...defaultTuning, ...place.options.tuning };
  const core = { ...place, tuned, report } as { -readonly [Name in keyof Parts]: Parts[Name] };
  core.deviceState = new DeviceState(core, known);
  core.connection = new Connection(core);
  core.accounts = new Accounts(core);
  core.segments = new Segments(core);
  core.sender = new Sender(core);
  core.segments.onSealed = () => core.sender.sendSoon();
  core.segments.onLeaving = (segment, text) => core.sender.sendFromLeavingPage(segment, text);
  return core;
}

/** Loads the texts, if the developer asked for them. */
async function createReport({ debug }: Options): Promise<Report> {
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
