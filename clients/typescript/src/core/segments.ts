import type { WithAccounts } from './accounts.ts';
import { utf8Length } from './checksum.ts';
import type { LossReason, TickrateEvent } from './options.ts';
import {
  keyOf,
  needlessChildren,
  readSegment,
  splitText,
  timeOf,
  writeHeader,
  writeLine,
  writeName,
} from './segment.ts';
import { type FoundSegment, isDiskFull, type SegmentPlace, StoreTaken } from './store.ts';

const limits = { eventBytes: 64 * 1024 + 10, segmentBytes: 256 * 1024, segmentEvents: 1_000, jumpMs: 2_000 };

export interface Segment {
  place: SegmentPlace;
  readonly principal: string;
  /** What X-Client-Time is: a fixed difference to the monotonic clock; null for a segment of an earlier run. */
  readonly clock: number | null;
  events: number;
  segmentBytes: number;
  /** When it began, by the wall clock; 0 for one of this run. */
  readonly beganMs: number;
  /** When it began or was found, by the monotonic clock. */
  readonly sinceMs: number;
  /** Found open: a page that ended may have sent it with more lines at its end than its record has. */
  readonly wasOpen?: boolean;
  /** Resolves when it is sealed. */
  sealing?: Promise<void> | null;
  isSending?: boolean;
}

export interface WithSegments extends WithAccounts {
  readonly segments: Segments;
}

/** The events that no answer covers yet: one segment that grows, and the sealed ones in their order. */
export class Segments {
  private readonly core: WithAccounts;
  sealed: Segment[] = [];
  #growing: Segment | null = null;
  #number = 0;
  #lastTimeMs = 0;
  #sealTimer: ReturnType<typeof setTimeout> | undefined;

  /** There may be something to send. */
  onSealed?: () => void;
  /** Called while a segment is written, for a page that may end with this call. Its result is called once the segment is written. */
  onLeaving?: (segment: Segment, text: string) => Promise<(() => Promise<void>) | undefined>;

  constructor(core: WithAccounts) {
    this.core = core;
  }

  /** How many events there are. */
  get eventCount(): number {
    return this.sealed.reduce((sum, { events }) => sum + events, this.#growing?.events ?? 0);
  }

  /** Writes the line of an event, or counts it as lost. `atMs` is when it happened, if not now. */
  write(tracked: TickrateEvent, atMs?: number): boolean {
    const { eventType, eventTypeVersion, event } = tracked;
    const segment = this.#current();
    const ms = atMs ?? Number(segment.clock) + this.core.platform.monotonicMs();
    const occurredAt = tracked.occurredAt ?? new Date(ms).toISOString();
    const line = writeLine(JSON.stringify({ eventType, eventTypeVersion, occurredAt, event }));
    const bytes = utf8Length(line);
    if (bytes > limits.eventBytes) {
      this.core.report('tooLarge', eventType);
      return this.core.deviceState.countLoss('tooLarge');
    }
    const isFull =
      segment.segmentBytes + bytes > limits.segmentBytes || segment.events >= limits.segmentEvents;
    return this.#append(isFull ? this.#begin() : segment, { line, bytes });
  }

  /** Ends the segment that grows. A torn one is cut back to its good lines first. */
  seal(isTorn = false): void {
    const segment = this.#growing;
    this.#growing = null;
    clearTimeout(this.#sealTimer);
    if (!segment?.events) return;
    segment.sealing = this.#finish(segment, isTorn);
    this.sealed.push(segment);
    this.enforceBounds();
  }

  /** Resolves when every segment that was sealed can be sent. */
  async allSealed(): Promise<void> {
    await Promise.all(this.sealed.map(({ sealing }) => sealing));
  }

  /** Takes over the segments of runs that ended. */
  async recover(): Promise<void> {
    const adopted = await this.core.store.adopt(this.core.deviceState.saved);
    const known = new Set(this.sealed.map(rootOf));
    // Not the halves of a segment that is being split: a parent without an answer would delete them.
    const found = adopted.filter((each) => !known.has(rootOf(each)));
    const needless = new Set(needlessChildren(found.map(({ place }) => keyOf(place))));
    for (const each of found) {
      if (needless.has(keyOf(each.place))) await this.core.store.remove(each.place);
      else await this.#recoverOne(each);
    }
    this.sealed.sort((a, b) => (a.place.name < b.place.name ? -1 : 1));
    this.enforceBounds();
  }

  /** Drops the oldest sealed segments beyond the bounds, but never the one that is being sent. */
  enforceBounds(): void {
    const { bufferBytes, maxAgeMs } = this.core.tuned;
    const { wallMs, monotonicMs } = this.core.platform;
    let bytes = 0;
    for (const { segmentBytes } of [...this.sealed, this.#growing ?? { segmentBytes: 0 }])
      bytes += segmentBytes;
    for (const segment of this.sealed) {
      const { beganMs, sinceMs } = segment;
      // A clock before 2020 was not set, and says nothing about the age.
      const isOld =
        monotonicMs() - sinceMs > maxAgeMs || (beganMs > Date.UTC(2020) && wallMs() - beganMs > maxAgeMs);
      if (segment.isSending || segment.sealing || !(isOld || bytes > bufferBytes)) continue;
      bytes -= segment.segmentBytes;
      this.remove(segment);
      this.core.deviceState.countLoss(isOld ? 'tooOld' : 'bufferFull', segment.events);
      this.core.store.remove(segment.place).catch(() => undefined);
    }
  }

  /** Its events are stored, lost, or another process sends them. */
  remove(segment: Segment): void {
    this.sealed = this.sealed.filter((each) => each !== segment);
  }

  /** Halves a segment, durably before the whole is gone: whoever repeats it makes the same halves. */
  async split(segment: Segment): Promise<void> {
    const { store } = this.core;
    const { place } = segment;
    const texts = splitText(await store.read(place));
    const half = Math.ceil(segment.events / 2);
    const children = texts.map(
      (text, at): Segment => ({
        ...segment,
        place: { ...place, name: `${place.name}.${at}` },
        segmentBytes: utf8Length(text),
        events: at ? segment.events - half : half,
        isSending: false,
      }),
    );
    for (const [at, child] of children.entries()) await store.write(child.place, texts[at] ?? '');
    await store.remove(place);
    this.sealed = this.sealed.flatMap((each) => (each === segment ? children : each));
  }

  async clear(): Promise<void> {
    this.#growing = null;
    this.sealed = [];
    clearTimeout(this.#sealTimer);
    await this.core.store.clear();
  }

  /** Forgets a segment that is not there any more: another process sends it, or a person deleted it. */
  isGone(segment: Segment, error: unknown): boolean {
    const isDeleted = (error as { code?: unknown } | null)?.code === 'ENOENT';
    if (!isDeleted && !(error instanceof StoreTaken)) return false;
    this.remove(segment);
    if (isDeleted) {
      this.core.report('deleted', error);
      this.core.deviceState.countLoss('storage', segment.events);
    }
    return true;
  }

  #append(segment: Segment, written: { line: string; bytes: number }): boolean {
    const { line, bytes } = written;
    const { clock, sinceMs, events, principal } = segment;
    const header = events ? '' : writeHeader(principal, Math.round(Number(clock) + sinceMs));
    try {
      this.core.store.append(segment.place.name, header + line);
    } catch (error) {
      if (error instanceof StoreTaken) {
        // The run of the segment belongs to another process now, or was deleted: seal() saves what it can.
        return this.#append(this.#begin(), written);
      }
      this.seal(true);
      this.core.report('storage', error);
      return this.core.deviceState.countLoss(isDiskFull(error) ? 'diskFull' : 'storage');
    }
    segment.segmentBytes += bytes + header.length;
    segment.events++;
    if (segment.segmentBytes >= this.core.tuned.sealBytes || segment.events >= this.core.tuned.sealEvents)
      this.seal();
    return true;
  }

  /** The segment that grows, or a new one after its owner or the clock changed. */
  #current(): Segment {
    const { wallMs, monotonicMs } = this.core.platform;
    const growing = this.#growing;
    const isCurrent =
      growing?.principal === this.core.accounts.owner &&
      Math.abs(wallMs() - Number(growing.clock) - monotonicMs()) <= limits.jumpMs;
    return isCurrent ? growing : this.#begin();
  }

  #begin(): Segment {
    const { wallMs, monotonicMs, randomHex } = this.core.platform;
    this.seal();
    const [base, sinceMs] = [wallMs(), monotonicMs()];
    this.#lastTimeMs = Math.max(this.#lastTimeMs, base);
    this.#sealTimer = setTimeout(() => {
      this.seal();
      this.onSealed?.();
    }, this.core.tuned.sealAfterMs);
    (this.#sealTimer as { unref?: () => void }).unref?.();
    this.#growing = {
      place: { run: '', name: writeName(this.#lastTimeMs, this.#number++, randomHex(16)), sealed: false },
      principal: this.core.accounts.owner,
      clock: base - sinceMs,
      events: 0,
      segmentBytes: 0,
      beganMs: 0,
      sinceMs,
    };
    return this.#growing;
  }

  async #finish(segment: Segment, isTorn: boolean): Promise<void> {
    const { store } = this.core;
    const { place } = segment;
    try {
      // The page may end with this call. So both begin before the first await, the write first.
      const text = isTorn ? undefined : store.peek?.(place);
      if (isTorn) {
        const read = readSegment(await store.read(place), false);
        if (read.outcome === 'send') await store.cut(place, read.text);
      }
      const written = store.seal(place);
      const leaving = text && this.onLeaving?.(segment, text);
      segment.place = await written;
      const handleAnswer = await leaving;
      segment.sealing = null;
      this.core.deviceState.saveAgain();
      if (handleAnswer) await handleAnswer();
      this.onSealed?.();
    } catch (error) {
      if (!this.isGone(segment, error)) this.core.report('seal', error);
    }
  }

  async #recoverOne({ place, text }: FoundSegment): Promise<void> {
    const { store } = this.core;
    const read = readSegment(text, place.sealed);
    for (const [reason, count] of Object.entries(read.lost))
      this.core.deviceState.countLoss(reason as LossReason, count);
    if (read.outcome === 'aside') await store.setAside(place);
    if (read.outcome === 'delete') await store.remove(place);
    if (read.outcome !== 'send') return;
    const { events, goodBytes: segmentBytes } = read;
    // A folder has one installation; a former one lost its state.json.
    const principal = read.principal.startsWith('device:')
      ? this.core.accounts.devicePrincipal
      : read.principal;
    // A page sends a segment while it is still open.
    const mayBeSent = place.sealed || store.peek !== undefined;
    if (principal !== read.principal && mayBeSent) {
      // It may have been stored for the account that state.json no longer names: sending it again could double it.
      await store.setAside(place);
      this.core.deviceState.countLoss('damaged', events);
      return;
    }
    if (read.text.length < text.length) await store.cut(place, read.text);
    const beganMs = timeOf(place);
    this.#lastTimeMs = Math.max(this.#lastTimeMs, beganMs);
    this.sealed.push({
      place: place.sealed ? place : await store.seal(place),
      principal,
      clock: null,
      events,
      segmentBytes,
      beganMs,
      sinceMs: this.core.platform.monotonicMs(),
      wasOpen: !place.sealed,
    });
  }
}

/** The same for a segment and its halves. */
function rootOf({ place }: { readonly place: SegmentPlace }): string {
  return keyOf(place).slice(0, 32);
}
