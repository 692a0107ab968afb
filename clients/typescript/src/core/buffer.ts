import type { Accounts } from './accounts.ts';
import { utf8Length } from './checksum.ts';
import type { LossReason, TickrateEvent } from './options.ts';
import type { ClientParts } from './parts.ts';
import type { Remembered } from './remembered.ts';
import {
  needlessChildren,
  readName,
  readSegment,
  splitText,
  writeHeader,
  writeLine,
  writeName,
} from './segment.ts';
import { type FoundSegment, type SegmentPlace, StoreTaken } from './store.ts';

const limits = { eventBytes: 64 * 1024, segmentBytes: 256 * 1024, segmentEvents: 1_000, jumpMs: 2_000 };

interface OpenSegment {
  readonly place: SegmentPlace;
  readonly principal: string;
  readonly base: number;
  readonly baseMonotonic: number;
  bytes: number;
  events: number;
}

export interface Segment {
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
  isSending?: boolean;
}

export interface BufferDeps {
  readonly parts: ClientParts;
  readonly remembered: Remembered;
  readonly accounts: Accounts;
  /**
   * Called while a segment is written, for a page that may end with this call. What it resolves with is called when the
   * segment is written.
   */
  readonly leave: (segment: Segment, text: string) => Promise<(() => Promise<void>) | null> | null;
  /** There may be something to send. */
  readonly onSealed: () => void;
}

/** The events that no answer covers yet: one open segment, and the sealed ones in their order. */
export class Buffer {
  segments: Segment[] = [];
  readonly #deps: BufferDeps;
  #open: OpenSegment | null = null;
  #number = 0;
  #lastTimeMs = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(deps: BufferDeps) {
    this.#deps = deps;
  }

  get events(): number {
    return this.segments.reduce((sum, { events }) => sum + events, this.#open?.events ?? 0);
  }

  /** Resolves when every segment that was sealed can be sent. */
  async sealed(): Promise<void> {
    await Promise.all(this.segments.map(({ sealing }) => sealing));
  }

  /** Writes the line of an event, or counts it as lost. `atMs` is when it happened, if not now. */
  write({ eventType, eventTypeVersion, occurredAt, event }: TickrateEvent, atMs?: number): boolean {
    const { parts, remembered } = this.#deps;
    const open = this.#segmentNow();
    const nowMs = open.base + parts.platform.monotonicMs() - open.baseMonotonic;
    const time = occurredAt ?? new Date(atMs ?? nowMs).toISOString();
    const line = writeLine(JSON.stringify({ eventType, eventTypeVersion, occurredAt: time, event }));
    const bytes = utf8Length(line);
    if (bytes > limits.eventBytes + 10) {
      parts.tell('tooLarge', `an event of type ${eventType} is larger than 64 KiB and was dropped`);
      return remembered.lose('tooLarge', 1);
    }
    const isFull = open.bytes + bytes > limits.segmentBytes || open.events >= limits.segmentEvents;
    return this.#append(isFull ? this.#segmentNow(true) : open, line, bytes);
  }

  /** Ends the open segment. A torn one is cut back to its good lines first. */
  seal(isTorn = false): void {
    const open = this.#open;
    this.#open = null;
    clearTimeout(this.#timer);
    if (open === null || open.events === 0) return;
    const { place, principal, events, bytes } = open;
    const segment: Segment = {
      place,
      principal,
      clock: open.base - open.baseMonotonic,
      events,
      bytes,
      timeMs: Number.NaN,
      sinceMs: this.#deps.parts.platform.monotonicMs(),
      sealing: null,
    };
    segment.sealing = this.#finish(segment, isTorn);
    this.segments.push(segment);
    this.bound();
  }

  /** Takes over the segments of runs that ended. */
  async recover(found: readonly FoundSegment[]): Promise<void> {
    const { store } = this.#deps.parts;
    const keyOf = ({ place }: FoundSegment) => readName(`${place.name}.seal`)?.key ?? '';
    const needless = new Set(needlessChildren(found.map(keyOf)));
    for (const each of found) {
      if (needless.has(keyOf(each))) await store.remove(each.place);
      else await this.#recoverOne(each);
    }
    this.segments.sort((a, b) => (a.place.name < b.place.name ? -1 : 1));
    this.bound();
  }

  /** Drops the oldest sealed segments beyond the bounds, but never the one that is being sent. */
  bound(): void {
    const { parts, remembered } = this.#deps;
    const { bufferBytes = 8 * 1024 * 1024, maxAgeMs = 28 * 86_400_000 } = parts.options.tuning ?? {};
    const { wallMs, monotonicMs } = parts.platform;
    let bytes = this.segments.reduce((sum, segment) => sum + segment.bytes, this.#open?.bytes ?? 0);
    // A clock before 2020 was not set, and says nothing about the age.
    const isOld = ({ timeMs, sinceMs }: Segment) =>
      monotonicMs() - sinceMs > maxAgeMs || (timeMs > Date.UTC(2020) && wallMs() - timeMs > maxAgeMs);
    if (bytes <= bufferBytes && !this.segments.some(isOld)) return;
    for (const segment of [...this.segments]) {
      const reason = isOld(segment) ? 'tooOld' : 'bufferFull';
      const isKept = segment.isSending || segment.sealing !== null;
      if (isKept || (reason === 'bufferFull' && bytes <= bufferBytes)) continue;
      bytes -= segment.bytes;
      this.drop(segment);
      remembered.lose(reason, segment.events);
      parts.store.remove(segment.place).catch(() => undefined);
    }
  }

  /** Its events are stored, lost, or another process sends them. */
  drop(segment: Segment): void {
    this.segments = this.segments.filter((each) => each !== segment);
  }

  /** Halves a segment, durably before the whole is gone: whoever repeats it makes the same halves. */
  async split(segment: Segment): Promise<void> {
    const { store } = this.#deps.parts;
    const texts = splitText(await store.read(segment.place));
    const half = Math.ceil(segment.events / 2);
    const children = texts.map((text, at): Segment => {
      const place = { ...segment.place, name: `${segment.place.name}.${at}` };
      const events = at === 0 ? half : segment.events - half;
      return { ...segment, place, bytes: utf8Length(text), events, isSending: false };
    });
    for (const [at, child] of children.entries()) await store.write(child.place, texts[at] ?? '');
    await store.remove(segment.place);
    const place = this.segments.indexOf(segment);
    if (place >= 0) this.segments.splice(place, 1, ...children);
  }

  async forget(): Promise<void> {
    this.#open = null;
    this.segments = [];
    clearTimeout(this.#timer);
    await this.#deps.parts.store.clear();
  }

  #append(open: OpenSegment, line: string, bytes: number): boolean {
    const { parts, remembered } = this.#deps;
    const header = open.events === 0 ? writeHeader(open.principal, open.base) : '';
    try {
      parts.store.append(open.place.name, header + line);
    } catch (error) {
      if (error instanceof StoreTaken) {
        // The segment belongs to another process now.
        this.#open = null;
        return this.#append(this.#segmentNow(), line, bytes);
      }
      this.seal(true);
      parts.tell(
        'storage',
        `the buffer cannot be written: ${String(error)}. Check the folder and the free space`,
      );
      const isFull = (error as { code?: unknown }).code === 'ENOSPC';
      return remembered.lose(isFull ? 'diskFull' : 'storage', 1);
    }
    open.bytes += bytes + header.length;
    open.events++;
    const { sealBytes = 65_536, sealEvents = 500 } = parts.options.tuning ?? {};
    if (open.bytes >= sealBytes || open.events >= sealEvents) this.seal();
    return true;
  }

  /** The open segment, or a new one after its owner or the clock changed. */
  #segmentNow(isForced = false): OpenSegment {
    const { parts, accounts, onSealed } = this.#deps;
    const { wallMs, monotonicMs, randomHex } = parts.platform;
    const open = this.#open;
    const principal = accounts.principal();
    if (open !== null && !isForced && open.principal === principal) {
      const shownMs = open.base + monotonicMs() - open.baseMonotonic;
      if (Math.abs(wallMs() - shownMs) <= limits.jumpMs) return open;
    }
    this.seal();
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
    this.#timer = setTimeout(() => {
      this.seal();
      onSealed();
    }, parts.options.tuning?.sealAfterMs ?? 30_000);
    (this.#timer as { unref?: () => void }).unref?.();
    return begun;
  }

  async #finish(segment: Segment, isTorn: boolean): Promise<void> {
    const { parts, leave, onSealed } = this.#deps;
    const { store, tell } = parts;
    try {
      // The page may end with this call. So both begin before the first await, the write first.
      const text = isTorn ? undefined : store.peek?.(segment.place);
      if (isTorn) {
        const read = readSegment(await store.read(segment.place), false);
        if (read.outcome === 'send') await store.cut(segment.place, read.text);
      }
      const written = store.seal(segment.place);
      const leaving = text === undefined ? null : leave(segment, text);
      segment.place = await written;
      const heed = await leaving;
      segment.sealing = null;
      await heed?.();
      onSealed();
    } catch (error) {
      if (isGone(error)) this.drop(segment);
      else tell('seal', `a segment cannot be sealed: ${String(error)}. It is sent after the next start`);
    }
  }

  async #recoverOne({ place, text }: FoundSegment): Promise<void> {
    const { parts, remembered, accounts } = this.#deps;
    const { store, platform } = parts;
    const read = readSegment(text, place.sealed);
    for (const [reason, count] of Object.entries(read.lost)) remembered.lose(reason as LossReason, count);
    if (read.outcome === 'aside') await store.setAside(place);
    if (read.outcome === 'delete') await store.remove(place);
    if (read.outcome !== 'send') return;
    const { events, goodBytes: bytes } = read;
    const principal = accounts.ownPrincipal(read.principal);
    if (principal !== read.principal && place.sealed) {
      // It may have been stored for the account that state.json no longer names: sending it again could double it.
      await store.setAside(place);
      remembered.lose('damaged', events);
      return;
    }
    if (read.text.length < text.length) await store.cut(place, read.text);
    const timeMs = readName(`${place.name}.seal`)?.timeMs ?? 0;
    this.segments.push({
      place: place.sealed ? place : await store.seal(place),
      principal,
      clock: null,
      events,
      bytes,
      timeMs,
      sinceMs: platform.monotonicMs(),
      wasOpen: !place.sealed,
      sealing: null,
    });
    this.#lastTimeMs = Math.max(this.#lastTimeMs, timeMs);
  }
}

/** Another process adopted the segment, and sends it. */
export function isGone(error: unknown): boolean {
  return error instanceof StoreTaken || (error as { code?: unknown }).code === 'ENOENT';
}
