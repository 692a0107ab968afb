import { deviceOf, ownerOf } from './accounts.ts';
import { utf8Length } from './checksum.ts';
import type { Core, Segment } from './core.ts';
import type { LossReason, TickrateEvent } from './options.ts';
import { lose, saveSoon } from './remembered.ts';
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

/* The events that no answer covers yet: one segment that grows, and the sealed ones in their order. */

const limits = { eventBytes: 64 * 1024 + 10, segmentBytes: 256 * 1024, segmentEvents: 1_000, jumpMs: 2_000 };

/** Writes the line of an event, or counts it as lost. `atMs` is when it happened, if not now. */
export function write(core: Core, tracked: TickrateEvent, atMs?: number): boolean {
  const { eventType, eventTypeVersion, event } = tracked;
  const segment = segmentNow(core);
  const ms = atMs ?? Number(segment.clock) + core.platform.monotonicMs();
  const occurredAt = tracked.occurredAt ?? new Date(ms).toISOString();
  const line = writeLine(JSON.stringify({ eventType, eventTypeVersion, occurredAt, event }));
  const bytes = utf8Length(line);
  if (bytes > limits.eventBytes) {
    core.tell('tooLarge', eventType);
    return lose(core, 'tooLarge');
  }
  const isFull = segment.segmentBytes + bytes > limits.segmentBytes || segment.events >= limits.segmentEvents;
  return append(core, isFull ? begin(core) : segment, { line, bytes });
}

/** Ends the segment that grows. A torn one is cut back to its good lines first. */
export function seal(core: Core, isTorn = false): void {
  const segment = core.growing;
  core.growing = null;
  clearTimeout(core.sealTimer);
  if (!segment?.events) return;
  segment.sealing = finish(core, segment, isTorn);
  core.segments.push(segment);
  bound(core);
}

/** Resolves when every segment that was sealed can be sent. */
export async function allSealed({ segments }: Core): Promise<void> {
  await Promise.all(segments.map(({ sealing }) => sealing));
}

/** Takes over the segments of runs that ended. */
export async function recover(core: Core): Promise<void> {
  const adopted = await core.store.adopt(core.saved);
  const known = new Set(core.segments.map(rootOf));
  // Not the halves of a segment that is being split: a parent without an answer would delete them.
  const found = adopted.filter((each) => !known.has(rootOf(each)));
  const needless = new Set(needlessChildren(found.map(({ place }) => keyOf(place))));
  for (const each of found) {
    if (needless.has(keyOf(each.place))) await core.store.remove(each.place);
    else await recoverOne(core, each);
  }
  core.segments.sort((a, b) => (a.place.name < b.place.name ? -1 : 1));
  bound(core);
}

/** Drops the oldest sealed segments beyond the bounds, but never the one that is being sent. */
export function bound(core: Core): void {
  const { bufferBytes, maxAgeMs } = core.tuned;
  const { wallMs, monotonicMs } = core.platform;
  let bytes = 0;
  for (const { segmentBytes } of [...core.segments, core.growing ?? { segmentBytes: 0 }])
    bytes += segmentBytes;
  for (const segment of core.segments) {
    const { beganMs, sinceMs } = segment;
    // A clock before 2020 was not set, and says nothing about the age.
    const isOld =
      monotonicMs() - sinceMs > maxAgeMs || (beganMs > Date.UTC(2020) && wallMs() - beganMs > maxAgeMs);
    if (segment.isSending || segment.sealing || !(isOld || bytes > bufferBytes)) continue;
    bytes -= segment.segmentBytes;
    drop(core, segment);
    lose(core, isOld ? 'tooOld' : 'bufferFull', segment.events);
    core.store.remove(segment.place).catch(() => undefined);
  }
}

/** Its events are stored, lost, or another process sends them. */
export function drop(core: Core, segment: Segment): void {
  core.segments = core.segments.filter((each) => each !== segment);
}

/** Halves a segment, durably before the whole is gone: whoever repeats it makes the same halves. */
export async function split(core: Core, segment: Segment): Promise<void> {
  const { store } = core;
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
  core.segments = core.segments.flatMap((each) => (each === segment ? children : each));
}

export async function forgetSegments(core: Core): Promise<void> {
  core.growing = null;
  core.segments = [];
  clearTimeout(core.sealTimer);
  await core.store.clear();
}

/** Forgets a segment that is not there any more: another process sends it, or a person deleted it. */
export function isGone(core: Core, segment: Segment, error: unknown): boolean {
  const isDeleted = (error as { code?: unknown } | null)?.code === 'ENOENT';
  if (!isDeleted && !(error instanceof StoreTaken)) return false;
  drop(core, segment);
  if (isDeleted) {
    core.tell('deleted', error);
    lose(core, 'storage', segment.events);
  }
  return true;
}

function append(core: Core, segment: Segment, written: { line: string; bytes: number }): boolean {
  const { line, bytes } = written;
  const { clock, sinceMs, events, principal } = segment;
  const header = events ? '' : writeHeader(principal, Math.round(Number(clock) + sinceMs));
  try {
    core.store.append(segment.place.name, header + line);
  } catch (error) {
    if (error instanceof StoreTaken) {
      // The run of the segment belongs to another process now, or was deleted: seal() saves what it can.
      return append(core, begin(core), written);
    }
    seal(core, true);
    core.tell('storage', error);
    return lose(core, isDiskFull(error) ? 'diskFull' : 'storage');
  }
  segment.segmentBytes += bytes + header.length;
  segment.events++;
  if (segment.segmentBytes >= core.tuned.sealBytes || segment.events >= core.tuned.sealEvents) seal(core);
  return true;
}

/** The segment that grows, or a new one after its owner or the clock changed. */
function segmentNow(core: Core): Segment {
  const { wallMs, monotonicMs } = core.platform;
  const { growing } = core;
  const isCurrent =
    growing?.principal === ownerOf(core) &&
    Math.abs(wallMs() - Number(growing.clock) - monotonicMs()) <= limits.jumpMs;
  return isCurrent ? growing : begin(core);
}

function begin(core: Core): Segment {
  const { wallMs, monotonicMs, randomHex } = core.platform;
  seal(core);
  const [base, sinceMs] = [wallMs(), monotonicMs()];
  core.lastTimeMs = Math.max(core.lastTimeMs, base);
  core.sealTimer = setTimeout(() => {
    seal(core);
    core.onSealed();
  }, core.tuned.sealAfterMs);
  (core.sealTimer as { unref?: () => void }).unref?.();
  core.growing = {
    place: { run: '', name: writeName(core.lastTimeMs, core.segmentNumber++, randomHex(16)), sealed: false },
    principal: ownerOf(core),
    clock: base - sinceMs,
    events: 0,
    segmentBytes: 0,
    beganMs: 0,
    sinceMs,
  };
  return core.growing;
}

async function finish(core: Core, segment: Segment, isTorn: boolean): Promise<void> {
  const { store } = core;
  const { place } = segment;
  try {
    // The page may end with this call. So both begin before the first await, the write first.
    const text = isTorn ? undefined : store.peek?.(place);
    if (isTorn) {
      const read = readSegment(await store.read(place), false);
      if (read.outcome === 'send') await store.cut(place, read.text);
    }
    const written = store.seal(place);
    const leaving = text && core.leave(segment, text);
    segment.place = await written;
    const heed = await leaving;
    segment.sealing = null;
    if (core.isUnsaved) saveSoon(core);
    if (heed) await heed();
    core.onSealed();
  } catch (error) {
    if (!isGone(core, segment, error)) core.tell('seal', error);
  }
}

/** The same for a segment and its halves. */
function rootOf({ place }: { readonly place: SegmentPlace }): string {
  return keyOf(place).slice(0, 32);
}

async function recoverOne(core: Core, { place, text }: FoundSegment): Promise<void> {
  const { store } = core;
  const read = readSegment(text, place.sealed);
  for (const [reason, count] of Object.entries(read.lost)) lose(core, reason as LossReason, count);
  if (read.outcome === 'aside') await store.setAside(place);
  if (read.outcome === 'delete') await store.remove(place);
  if (read.outcome !== 'send') return;
  const { events, goodBytes: segmentBytes } = read;
  // A folder has one installation; a former one lost its state.json.
  const principal = read.principal.startsWith('device:') ? deviceOf(core) : read.principal;
  // A page sends a segment while it is still open.
  const mayBeSent = place.sealed || store.peek !== undefined;
  if (principal !== read.principal && mayBeSent) {
    // It may have been stored for the account that state.json no longer names: sending it again could double it.
    await store.setAside(place);
    lose(core, 'damaged', events);
    return;
  }
  if (read.text.length < text.length) await store.cut(place, read.text);
  const beganMs = timeOf(place);
  core.lastTimeMs = Math.max(core.lastTimeMs, beganMs);
  core.segments.push({
    place: place.sealed ? place : await store.seal(place),
    principal,
    clock: null,
    events,
    segmentBytes,
    beganMs,
    sinceMs: core.platform.monotonicMs(),
    wasOpen: !place.sealed,
  });
}
