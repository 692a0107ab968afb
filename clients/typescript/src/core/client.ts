import { backoffMs, type Decision, decide, type RawAnswer } from './answer.ts';
import { utf8Length } from './checksum.ts';
import type { Loss, LossReason, Options, Session, TickrateEvent } from './options.ts';
import type { Platform } from './platform.ts';
import { gzip, request } from './request.ts';
import { type Consent, mergeState, type SavedState } from './saved-state.ts';
import {
  bodyOf,
  needlessChildren,
  readName,
  readSegment,
  splitText,
  writeHeader,
  writeLine,
  writeName,
} from './segment.ts';
import { renew, signInDevice } from './sessions.ts';
import { type FoundSegment, type SegmentPlace, type Store, StoreTaken } from './store.ts';

const limits = {
  eventBytes: 64 * 1024,
  segmentBytes: 256 * 1024,
  segmentEvents: 1_000,
  memoryEvents: 200,
  jumpMs: 2_000,
};
const sdk = 'tickrate-js/0.1.0';

interface OpenSegment {
  readonly place: SegmentPlace;
  readonly principal: string;
  readonly base: number;
  readonly baseMonotonic: number;
  bytes: number;
  events: number;
}

interface Segment {
  place: SegmentPlace;
  readonly principal: string;
  /** What X-Client-Time is: a fixed difference to the monotonic clock; null for a segment of an earlier run. */
  readonly clock: number | null;
  readonly events: number;
  readonly bytes: number;
  readonly timeMs: number;
  /** When it was sealed or found, by the monotonic clock. */
  readonly sinceMs: number;
  /** Found open: a page that ended may have sent it with more lines at its end than its record has. */
  readonly wasOpen?: boolean;
  /** Resolves when it is sealed. */
  sealing: Promise<unknown> | null;
}

export interface ClientParts {
  readonly options: Options;
  readonly platform: Platform;
  readonly store: Store;
}

/**
 * States: `unknown` consent keeps events in memory; `granted` writes them to segments and sends those; `denied` keeps
 * nothing. `close` ends all of them. One sender loop runs while there is something to send.
 */
export class Client {
  protected readonly parts: ClientParts;
  protected state: SavedState;
  /** The player who is signed in. Null: the device's own account. */
  protected player: Session | null = null;
  protected sessionsUrl: string;
  readonly #store: Store;
  #eventsUrl: string;
  #open: OpenSegment | null = null;
  #segments: Segment[] = [];
  #memory: { readonly event: TickrateEvent; readonly atMs: number }[] = [];
  #number = 0;
  #lastTimeMs = 0;
  #sealTimer: ReturnType<typeof setTimeout> | undefined;
  #deviceSession: Session | null = null;
  /** Of every player of this run: events of one who signed out still go under their own session. */
  readonly #players = new Map<string, Session>();
  #deviceRefused = false;
  #attempt = 0;
  #signInAttempt = 0;
  #sending: Segment | null = null;
  #running: Promise<void> | null = null;
  #runAgain = false;
  #hasAsked = false;
  #isStopped = false;
  #isClosed = false;
  #isHidden = false;
  #abort = new AbortController();
  #wake: () => void = () => undefined;
  readonly #told = new Set<string>();
  readonly #listeners = new Set<(loss: Loss) => void>();
  #saving: Promise<unknown> = Promise.resolve();

  constructor(parts: ClientParts, opened: { state: SavedState | null }) {
    this.parts = parts;
    const { options, platform, store } = parts;
    this.#store = store;
    this.#eventsUrl = trimmed(options.url);
    this.sessionsUrl = trimmed(options.sessionsUrl ?? options.url);
    const known = opened.state;
    this.state = {
      consent: options.consent ?? known?.consent ?? 'unknown',
      installation: known?.installation ?? platform.randomHex(4),
      device: known?.device ?? null,
      deviceAccount: known?.deviceAccount ?? null,
      deviceRequest: known?.deviceRequest ?? null,
      losses: known?.losses ?? {},
    };
  }

  /** Recovers what earlier runs left. */
  static async start<C extends Client>(
    this: new (
      parts: ClientParts,
      opened: { state: SavedState | null },
    ) => C,
    parts: ClientParts,
  ): Promise<C> {
    const { found, state } = await parts.store.open();
    const client = new this(parts, { state });
    if (client.state.consent === 'denied') await parts.store.clear();
    if (client.state.consent === 'granted') await client.#claim();
    if (client.state.consent !== 'denied') await client.#recover(found);
    client.#save();
    void client.#discover();
    client.#run();
    return client;
  }

  /** True if the buffer survives the end of the process. */
  get durable(): boolean {
    return this.#store.durable;
  }

  get consent(): Consent {
    return this.state.consent;
  }

  /** Events in the buffer that no answer covers yet. */
  get pending(): number {
    const sealed = this.#segments.reduce((sum, { events }) => sum + events, 0);
    return sealed + (this.#open?.events ?? 0) + this.#memory.length;
  }

  /** Losses by reason, since the first run on this device. */
  get losses(): Readonly<Record<string, number>> {
    return this.state.losses;
  }

  /** Returns true once the event is in the buffer: from then on it is stored exactly once. Never throws. */
  track(event: TickrateEvent): boolean {
    try {
      return this.#track(event);
    } catch (error) {
      this.tell(
        'track',
        `track() failed: ${String(error)}. Pass an event of generated code, without cycles or bigint`,
      );
      this.#lose('storage', 1);
      return false;
    }
  }

  /** Resolves when every event so far survives the end of the process. */
  async stored(): Promise<void> {
    await this.#saving;
    await this.#store.flushed();
  }

  /** Calls `listener` for each loss. Returns a function that ends this. */
  onLoss(listener: (loss: Loss) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Sends what the buffer holds. True if nothing is left. */
  async flush({ timeoutMs = 10_000 } = {}): Promise<boolean> {
    this.#seal();
    this.#attempt = 0;
    this.#wake();
    this.#run();
    const { monotonicMs } = this.parts.platform;
    const until = monotonicMs() + timeoutMs;
    while (this.#segments.length > 0 && monotonicMs() < until && !this.#isStopped) await pause(20);
    return this.#segments.length === 0;
  }

  /** Persists and sends at once. Call it when the app goes to the background; `isHidden` false ends it. */
  background(isHidden = true): void {
    this.#isHidden = isHidden;
    this.#seal();
    this.#wake();
    this.#run();
  }

  async setConsent(consent: Consent): Promise<void> {
    if (this.#isClosed || consent === this.state.consent) return;
    if (consent === 'granted') {
      this.#saving = this.#saving.then(() => this.#claim(consent));
      await this.#saving;
      const kept = this.#memory.splice(0);
      for (const { event, atMs } of kept) this.#write(event, atMs);
      this.#isStopped = false;
      this.#run();
    }
    this.state = { ...this.state, consent };
    if (consent === 'denied') await this.#forget();
    this.#save();
    await this.#saving;
  }

  /**
   * Before the first event of this installation: all tabs and processes agree on one installation and one request for its
   * device account. With two accounts, an event that one sent could be stored again for the other.
   */
  async #claim(consent = this.state.consent): Promise<void> {
    const { device, deviceRequest } = this.state;
    const fresh = device ? null : (deviceRequest ?? this.parts.platform.randomHex(16));
    const mine = { ...this.state, consent, deviceRequest: fresh };
    this.state = await this.#store.updateState((known) => mergeState(mine, known, {}));
  }

  /** Seals, tries to send for `timeoutMs`, and ends. `track` returns false from then on. */
  async close({ timeoutMs = 1_500 } = {}): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const isSent =
      timeoutMs > 0 && this.state.consent === 'granted' ? await this.flush({ timeoutMs }) : false;
    if (!isSent) this.#seal();
    this.#abort.abort();
    this.#wake();
    clearTimeout(this.#sealTimer);
    await Promise.all(this.#segments.map(({ sealing }) => sealing));
    await this.#running;
    await this.#saving;
    await this.#store.close();
  }

  /** Makes this player, or with null the device's account, the owner of what is tracked from now on. */
  protected usePlayer(session: Session | null): void {
    this.#seal();
    if (session) this.#players.set(session.accountId, session);
    this.player = session;
    this.#isStopped = false;
    this.#hasAsked = false;
    this.#wake();
    this.#run();
  }

  /** Keeps the token of a device account that a sign-in issued. */
  protected keepDevice(session: Session): void {
    if (!session.device) return;
    this.#deviceSession = session;
    this.state = {
      ...this.state,
      device: session.device,
      deviceAccount: session.accountId,
      deviceRequest: null,
    };
    this.#save();
  }

  protected tell(id: string, message: string): void {
    const { debug } = this.parts.options;
    if (!debug || this.#told.has(id)) return;
    this.#told.add(id);
    if (typeof debug === 'function') debug(message);
    // biome-ignore lint/suspicious/noConsole: the developer asked for it
    else console.warn(`tickrate: ${message}`);
  }

  #track(event: TickrateEvent): boolean {
    if (this.#isClosed) return this.#lose('closed', 1);
    const { consent } = this.state;
    if (consent === 'denied') return false;
    const { wallMs } = this.parts.platform;
    if (consent === 'unknown') {
      if (this.#memory.length >= limits.memoryEvents) return this.#lose('consent', 1);
      this.#memory.push({ event: structuredClone(event), atMs: wallMs() });
      return true;
    }
    return this.#write(event, null);
  }

  /** Writes the line of an event, or counts it. */
  #write({ eventType, eventTypeVersion, occurredAt, event }: TickrateEvent, atMs: number | null): boolean {
    const open = this.#segmentNow();
    const nowMs = open.base + this.parts.platform.monotonicMs() - open.baseMonotonic;
    const time = occurredAt ?? new Date(atMs ?? nowMs).toISOString();
    const json = JSON.stringify({ eventType, eventTypeVersion, occurredAt: time, event });
    const line = writeLine(json);
    const bytes = utf8Length(line);
    if (bytes > limits.eventBytes + 10) {
      this.tell('tooLarge', `an event of type ${eventType} is larger than 64 KiB and was dropped`);
      return this.#lose('tooLarge', 1);
    }
    const isFull = open.bytes + bytes > limits.segmentBytes || open.events >= limits.segmentEvents;
    return this.#append(isFull ? this.#segmentNow(true) : open, { line, bytes });
  }

  #append(open: OpenSegment, { line, bytes }: { line: string; bytes: number }): boolean {
    try {
      const header = open.events === 0 ? writeHeader(open.principal, open.base) : '';
      this.#store.append(open.place.name, header + line);
      open.bytes += bytes + header.length;
      open.events++;
    } catch (error) {
      this.#detach(error instanceof StoreTaken);
      if (error instanceof StoreTaken) return this.#append(this.#segmentNow(), { line, bytes });
      const isFull = (error as { code?: unknown }).code === 'ENOSPC';
      this.tell(
        'storage',
        `the buffer cannot be written: ${String(error)}. Check the folder and the free space`,
      );
      return this.#lose(isFull ? 'diskFull' : 'storage', 1);
    }
    const { sealBytes = 65_536, sealEvents = 500 } = this.parts.options.tuning ?? {};
    if (open.bytes >= sealBytes || open.events >= sealEvents) this.#seal();
    return true;
  }

  /** After a failed write: the segment is cut back to its good lines and sealed, or belongs to another process now. */
  #detach(isTaken: boolean): void {
    if (isTaken) this.#open = null;
    else this.#seal(true);
  }

  #segmentNow(isForced = false): OpenSegment {
    const { wallMs, monotonicMs, randomHex } = this.parts.platform;
    const open = this.#open;
    const principal = this.#principal();
    if (open !== null && !isForced) {
      const shownMs = open.base + monotonicMs() - open.baseMonotonic;
      if (open.principal === principal && Math.abs(wallMs() - shownMs) <= limits.jumpMs) return open;
    }
    this.#seal();
    this.#lastTimeMs = Math.max(this.#lastTimeMs, wallMs());
    const begun: OpenSegment = {
      place: { run: '', name: writeName(this.#lastTimeMs, this.#number++, randomHex(16)), sealed: false },
      principal,
      base: wallMs(),
      baseMonotonic: monotonicMs(),
      bytes: 0,
      events: 0,
    };
    this.#open = begun;
    this.#sealTimer = setTimeout(() => {
      this.#seal();
      this.#run();
    }, this.parts.options.tuning?.sealAfterMs ?? 30_000);
    (this.#sealTimer as { unref?: () => void }).unref?.();
    return begun;
  }

  #principal(): string {
    if (this.parts.options.account === 'key') return 'key';
    return this.player ? `account:${this.player.accountId}` : `device:${this.state.installation}`;
  }

  #seal(isTorn = false): void {
    const open = this.#open;
    this.#open = null;
    clearTimeout(this.#sealTimer);
    if (open === null || open.events === 0) return;
    const segment: Segment = {
      place: open.place,
      principal: open.principal,
      clock: open.base - open.baseMonotonic,
      events: open.events,
      bytes: open.bytes,
      timeMs: Number.NaN,
      sinceMs: this.parts.platform.monotonicMs(),
      sealing: null,
    };
    segment.sealing = this.#finish(segment, isTorn);
    this.#segments.push(segment);
    this.#bound();
  }

  async #finish(segment: Segment, isTorn: boolean): Promise<void> {
    try {
      // The page may end with this call. So both begin before the first await, the write first.
      const leaving = this.#isHidden && !isTorn ? this.#store.peek?.(segment.place) : undefined;
      if (isTorn) {
        const read = readSegment(await this.#store.read(segment.place), false);
        if (read.outcome === 'send') await this.#store.cut(segment.place, read.text);
      }
      const written = this.#store.seal(segment.place);
      const { signal } = this.#abort;
      const beacon = leaving === undefined ? null : this.#beacon(segment, leaving, signal);
      segment.place = await written;
      const answer = await beacon;
      segment.sealing = null;
      if (answer?.status === 200) await this.#heed(segment, answer, signal);
      this.#run();
    } catch (error) {
      if (isGone(error)) this.#drop(segment);
      else this.tell('seal', `a segment cannot be sealed: ${String(error)}. It is sent after the next start`);
    }
  }

  async #recover(found: readonly FoundSegment[]): Promise<void> {
    const keyOf = ({ place }: FoundSegment) => readName(`${place.name}.seal`)?.key ?? '';
    const needless = new Set(needlessChildren(found.map(keyOf)));
    for (const each of found) {
      if (needless.has(keyOf(each))) await this.#store.remove(each.place);
      else await this.#recoverOne(each);
    }
    this.#segments.sort((a, b) => (a.place.name < b.place.name ? -1 : 1));
    this.#bound();
  }

  async #recoverOne({ place, text }: FoundSegment): Promise<void> {
    const read = readSegment(text, place.sealed);
    for (const [reason, count] of Object.entries(read.lost)) this.#lose(reason as LossReason, count);
    if (read.outcome === 'aside') await this.#store.setAside(place);
    if (read.outcome === 'delete') await this.#store.remove(place);
    if (read.outcome !== 'send') return;
    const { events, goodBytes: bytes } = read;
    const principal = this.#ownPrincipal(read.principal);
    if (principal !== read.principal && place.sealed) {
      // It may have been stored for the account that state.json no longer names: sending it again could double it.
      await this.#store.setAside(place);
      this.#lose('damaged', events);
      return;
    }
    if (read.text.length < text.length) await this.#store.cut(place, read.text);
    const sealed = place.sealed ? place : await this.#store.seal(place);
    const timeMs = readName(`${place.name}.seal`)?.timeMs ?? 0;
    const sinceMs = this.parts.platform.monotonicMs();
    this.#segments.push({
      place: sealed,
      principal,
      clock: null,
      events,
      bytes,
      timeMs,
      sinceMs,
      wasOpen: !place.sealed,
      sealing: null,
    });
    this.#lastTimeMs = Math.max(this.#lastTimeMs, timeMs);
  }

  /** A folder has one installation; a former one lost its state.json. */
  #ownPrincipal(principal: string): string {
    return principal.startsWith('device:') ? `device:${this.state.installation}` : principal;
  }

  /** Drops the oldest sealed segments beyond the bounds, but never the one that is being sent. */
  #bound(): void {
    const { bufferBytes = 8 * 1024 * 1024, maxAgeMs = 28 * 86_400_000 } = this.parts.options.tuning ?? {};
    let bytes = this.#segments.reduce((sum, segment) => sum + segment.bytes, this.#open?.bytes ?? 0);
    const { wallMs, monotonicMs } = this.parts.platform;
    // A clock before 2020 was not set, and says nothing about the age.
    const isOld = ({ timeMs, sinceMs }: Segment) =>
      monotonicMs() - sinceMs > maxAgeMs || (timeMs > Date.UTC(2020) && wallMs() - timeMs > maxAgeMs);
    if (bytes <= bufferBytes && !this.#segments.some(isOld)) return;
    for (const segment of [...this.#segments]) {
      const reason = isOld(segment) ? 'tooOld' : 'bufferFull';
      const isKept = segment === this.#sending || segment.sealing !== null;
      if (isKept || (reason === 'bufferFull' && bytes <= bufferBytes)) continue;
      bytes -= segment.bytes;
      this.#drop(segment);
      this.#lose(reason, segment.events);
      this.#store.remove(segment.place).catch(() => undefined);
    }
  }

  #drop(segment: Segment): void {
    this.#segments = this.#segments.filter((each) => each !== segment);
  }

  #lose(reason: LossReason, count: number): false {
    this.#lost[reason] = (this.#lost[reason] ?? 0) + count;
    this.state = {
      ...this.state,
      losses: { ...this.state.losses, [reason]: (this.state.losses[reason] ?? 0) + count },
    };
    if (reason !== 'closed') this.#save();
    for (const listener of this.#listeners) {
      try {
        listener({ reason, count });
      } catch {
        // The game's own listener: its fault must not stop the buffer.
      }
    }
    return false;
  }

  #saveScheduled = false;
  /** Losses that are not saved yet. */
  #lost: Record<string, number> = {};
  /** Writes the state soon, once for many changes. */
  #save(): void {
    if (this.#saveScheduled || this.state.consent === 'unknown') return;
    this.#saveScheduled = true;
    this.#saving = this.#saving
      .then(() => {
        this.#saveScheduled = false;
        const [mine, lost] = [this.state, this.#lost];
        this.#lost = {};
        return this.#store.updateState((known) => mergeState(mine, known, lost));
      })
      .catch((error: unknown) => this.tell('state', `state.json cannot be written: ${String(error)}`));
  }

  async #forget(): Promise<void> {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#open = null;
    this.#memory = [];
    this.#segments = [];
    this.#deviceSession = null;
    this.#players.clear();
    this.player = null;
    clearTimeout(this.#sealTimer);
    this.state = { ...this.state, device: null, deviceAccount: null, deviceRequest: null };
    await this.#store.clear();
  }

  async #discover(): Promise<void> {
    if (this.state.consent !== 'granted') return;
    const { options, platform } = this.parts;
    const sent = { url: `${this.#eventsUrl}/.well-known/tickrate`, method: 'GET', headers: {} };
    const { status, text } = await request(platform, sent, this.#abort.signal);
    if (status !== 200) return;
    const { events, sessions } = readAddresses(text);
    if (events !== null) this.#eventsUrl = events;
    if (sessions !== null && options.sessionsUrl === undefined) this.sessionsUrl = sessions;
  }

  /** Sends segment after segment while there are any. */
  #run(): void {
    if (this.#isStopped || this.state.consent !== 'granted') return;
    this.#runAgain = this.#running !== null;
    this.#running ??= this.#sendAll()
      .catch((error: unknown) => this.tell('send', `sending stopped: ${String(error)}`))
      .finally(() => {
        this.#running = null;
        if (this.#runAgain) this.#run();
      });
  }

  async #sendAll(): Promise<void> {
    const { signal } = this.#abort;
    while (!signal.aborted && !this.#isStopped) {
      await Promise.all(this.#segments.map(({ sealing }) => sealing));
      this.#bound();
      const waiting = this.#segments.filter(({ sealing }) => !sealing);
      if (waiting.length === 0) return;
      let isSent = false;
      for (const segment of waiting) {
        const key = await this.#keyFor(segment.principal, signal);
        if (key === null || !this.#segments.includes(segment)) continue;
        isSent = true;
        await this.#sendOne(segment, key, signal);
        break;
      }
      if (!isSent && !(await this.#sleepUntilSignedIn(signal))) return;
    }
  }

  /** The session to send events of a principal with. An empty key: it has ended. */
  #sessionOf(principal: string): Session | null {
    const player = this.#players.get(principal.slice('account:'.length));
    if (player) return player;
    const isDevice =
      principal === `device:${this.state.installation}` ||
      principal === `account:${this.state.deviceAccount}`;
    return isDevice ? this.#deviceSession : null;
  }

  /** The key to send events of a principal with; null while there is none. */
  async #keyFor(principal: string, signal: AbortSignal): Promise<string | null> {
    if (principal === 'key') return this.parts.options.key;
    const session = this.#sessionOf(principal);
    return (session && (await this.#renewed(session, signal)).apiKey) || null;
  }

  async #renewed(session: Session, signal: AbortSignal): Promise<Session> {
    if (session.apiKey === '') return session;
    const lifeSeconds = session.expiry - session.start;
    const leftSeconds = session.expiry - this.parts.platform.wallMs() / 1000;
    if (!(leftSeconds < lifeSeconds * 0.2) || leftSeconds < 0) return session;
    const renewed = await renew(
      this.parts.platform,
      { url: this.sessionsUrl, key: this.parts.options.key },
      { session, signal },
    );
    if (renewed === null) return session;
    if (this.#players.has(session.accountId)) this.#players.set(session.accountId, renewed);
    if (session === this.#deviceSession) this.#deviceSession = renewed;
    return renewed;
  }

  /** False if only the player can sign in, so that there is nothing to wait for. */
  async #sleepUntilSignedIn(signal: AbortSignal): Promise<boolean> {
    const mine = `device:${this.state.installation}`;
    const needsDevice = this.#segments.some(
      ({ principal }) => principal === mine || principal === `account:${this.state.deviceAccount}`,
    );
    if (!needsDevice || this.#deviceSession !== null || this.#deviceRefused) {
      if (!this.#hasAsked) this.parts.options.onSignInNeeded?.();
      this.#hasAsked = true;
      return false;
    }
    const { platform, options } = this.parts;
    const requestKey = this.state.deviceRequest ?? platform.randomHex(16);
    const signed = await signInDevice(
      platform,
      { url: this.sessionsUrl, key: options.key },
      { device: this.state.device, requestKey, attempt: this.#signInAttempt++, signal },
    );
    if (signal.aborted) return false;
    if (signed === null) {
      this.#deviceRefused = true;
      this.tell(
        'device',
        'the project does not let a device sign in by itself: call signIn(), or set account to "key"',
      );
      return true;
    }
    if ('waitMs' in signed) {
      await this.#sleep(this.#tuned(signed.waitMs), signal);
      return true;
    }
    this.#signInAttempt = 0;
    this.#deviceSession = signed;
    this.state = {
      ...this.state,
      device: signed.device ?? this.state.device,
      deviceAccount: signed.accountId,
      deviceRequest: null,
    };
    this.#save();
    await this.#saving;
    return true;
  }

  #tuned(ms: number): number {
    const { backoffToMs = 300_000 } = this.parts.options.tuning ?? {};
    return Math.min(ms, Math.max(backoffToMs, 1));
  }

  async #sendOne(segment: Segment, key: string, signal: AbortSignal): Promise<void> {
    this.#sending = segment;
    try {
      const body = bodyOf(await this.#store.read(segment.place));
      const answer = await this.#put(segment, { key, body, signal });
      await this.#heed(segment, answer, signal);
    } catch (error) {
      if (isGone(error)) this.#drop(segment);
      else {
        this.tell('read', `a segment cannot be read: ${String(error)}`);
        await this.#sleep(backoffMs(this.#attempt++, this.parts.platform.random()), signal);
      }
    } finally {
      this.#sending = null;
    }
  }

  async #heed(segment: Segment, answer: RawAnswer, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { platform, options } = this.parts;
    const { backoffFromMs: fromMs = 1000, backoffToMs: toMs = 300_000 } = options.tuning ?? {};
    const decision = decide(answer, this.#attempt, { random: platform.random(), fromMs, toMs });
    this.#warn(decision, answer);
    await this.#obey(segment, decision, signal);
  }

  /** `X-Client-Time` and the key of a segment's request. */
  #identify({ clock, place }: Segment): { clientTime: string; idempotencyKey: string } {
    const { wallMs, monotonicMs } = this.parts.platform;
    const clientMs = clock === null ? wallMs() : clock + monotonicMs();
    const idempotencyKey = readName(`${place.name}.seal`)?.key ?? '';
    return { clientTime: String(Math.max(0, Math.round(clientMs))), idempotencyKey };
  }

  /** A request without a preflight, which outlives its page. Null if it cannot be one. */
  #beacon(segment: Segment, text: string, signal: AbortSignal): Promise<RawAnswer> | null {
    const { platform, options } = this.parts;
    const apiKey = segment.principal === 'key' ? options.key : this.#sessionOf(segment.principal)?.apiKey;
    const isPossible = this.state.consent === 'granted' && !this.#isStopped && segment.bytes < 60_000;
    if (!apiKey || !isPossible) return null;
    const query = new URLSearchParams({ apiKey, ...this.#identify(segment) });
    const url = `${this.#eventsUrl}/v1/event/multiInsert?${query}`;
    const headers = { 'Content-Type': 'text/plain' };
    return request(platform, { url, method: 'POST', headers, body: bodyOf(text), keepalive: true }, signal);
  }

  async #put(segment: Segment, { key, body, signal }: { key: string; body: string; signal: AbortSignal }) {
    const packed = body.length < 1024 ? null : await gzip(body);
    const { clientTime, idempotencyKey } = this.#identify(segment);
    return request(
      this.parts.platform,
      {
        url: `${this.#eventsUrl}/v1/event/multiInsert`,
        method: 'PUT',
        headers: {
          'X-API-Key': key,
          'Idempotency-Key': idempotencyKey,
          'X-Client-Time': clientTime,
          'X-Tickrate-SDK': sdk,
          'Content-Type': 'application/x-ndjson',
          ...(packed && { 'Content-Encoding': 'gzip' }),
        },
        body: packed ?? body,
      },
      signal,
    );
  }

  async #obey(
    segment: Segment,
    { action, delayMs, rejected, code }: Decision,
    signal: AbortSignal,
  ): Promise<void> {
    if (action === 'retry') this.#attempt++;
    const isStored = code === 8010 && segment.wasOpen === true;
    if (action === 'delete' || isStored) {
      this.#attempt = 0;
      await this.#settle(segment, this.#store.remove(segment.place));
      if (rejected > 0) this.#lose('rejected', rejected);
    }
    if (action === 'setAside' && !isStored) {
      await this.#settle(segment, this.#store.setAside(segment.place));
      this.#lose('refused', segment.events);
    }
    if (action === 'split') await this.#split(segment);
    if (action === 'signIn') this.#endSession(segment.principal);
    if (action === 'stop') this.#isStopped = true;
    if (delayMs > 0) await this.#sleep(delayMs, signal, action === 'retry');
    if (code === 8010 && !isStored)
      this.tell('8010', 'a segment was changed after it was sent; it was set aside');
  }

  async #settle(segment: Segment, done: Promise<void>): Promise<void> {
    await done;
    this.#drop(segment);
  }

  async #split(segment: Segment): Promise<void> {
    if (segment.events === 1) {
      await this.#settle(segment, this.#store.remove(segment.place));
      this.#lose('rejected', 1);
      return;
    }
    const texts = splitText(await this.#store.read(segment.place));
    const children = texts.map((text, at): Segment => {
      const place = { ...segment.place, name: `${segment.place.name}.${at}` };
      const half = Math.ceil(segment.events / 2);
      const events = at === 0 ? half : segment.events - half;
      return { ...segment, place, bytes: utf8Length(text), events };
    });
    for (const [at, child] of children.entries()) await this.#store.write(child.place, texts[at] ?? '');
    await this.#store.remove(segment.place);
    const place = this.#segments.indexOf(segment);
    if (place >= 0) this.#segments.splice(place, 1, ...children);
  }

  #endSession(principal: string): void {
    const player = this.#players.get(principal.slice('account:'.length));
    // Events still belong to the player, and wait for the next sign-in.
    if (player) this.#players.set(player.accountId, { ...player, apiKey: '' });
    else this.#deviceSession = null;
  }

  #warn({ action, code, body }: Decision, { status, date }: RawAnswer): void {
    const { options, platform } = this.parts;
    if (!options.debug) return;
    const offSeconds = Math.round((platform.wallMs() - Date.parse(date ?? '')) / 1000);
    if (Math.abs(offSeconds) > 60)
      this.tell(
        'clock',
        `this device's clock is ${Math.abs(offSeconds)} s ${offSeconds > 0 ? 'ahead of' : 'behind'} the server's: ` +
          'event times are corrected by that much',
      );
    if (action === 'stop')
      this.tell(
        `stop ${code}`,
        code === 2007
          ? 'this web origin is not allowed by the key (2007): add it to the origins of the key'
          : `the option key was refused (HTTP ${status}, code ${code}): pass a public key of the project, tk_pub_…`,
      );
    const { rejected, notices } = body;
    for (const each of Array.isArray(rejected) ? rejected : []) {
      const [fault] = Array.isArray(each?.errors) ? each.errors : [];
      this.tell(
        `rejected ${fault?.reason} ${fault?.location}`,
        `an event was rejected at ${fault?.location}: ${fault?.message} (${fault?.reason}). ` +
          'Compare it with its declaration: tickrate event-types declare',
      );
    }
    if (Array.isArray(notices) && notices.length > 0)
      this.tell('notices', `event times were limited to 30 days: ${JSON.stringify(notices)}`);
  }

  /** `flush` ends a backoff, but not a wait that the server asked for. */
  #sleep(ms: number, signal: AbortSignal, isWakeable = true): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(done, Math.min(ms, 2 ** 31 - 1));
      (timer as { unref?: () => void }).unref?.();
      this.#wake = isWakeable ? done : () => undefined;
      signal.addEventListener('abort', done);
      function done() {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      }
    });
  }
}

/** Another process adopted the segment, and sends it. */
function isGone(error: unknown): boolean {
  return error instanceof StoreTaken || (error as { code?: unknown }).code === 'ENOENT';
}

function trimmed(url: string): string {
  return url.replace(/\/+$/, '');
}

function readAddresses(text: string): { events: string | null; sessions: string | null } {
  try {
    const { events, sessions } = JSON.parse(text);
    const address = (value: unknown) =>
      typeof value === 'string' && /^https?:\/\//.test(value) ? trimmed(value) : null;
    return { events: address(events), sessions: address(sessions) };
  } catch {
    return { events: null, sessions: null };
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
