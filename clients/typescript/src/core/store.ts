import type { Consent, SavedState } from './saved-state.ts';

/** A segment that an earlier run left. */
export interface FoundSegment {
  readonly place: SegmentPlace;
  readonly text: string;
}

/** Where a segment is. The name has no `.open` or `.seal`. */
export interface SegmentPlace {
  readonly run: string;
  readonly name: string;
  readonly sealed: boolean;
}

/** The store was taken over by another process while this one was stopped. What it holds will be sent by that one. */
export class StoreTaken extends Error {}

/** A segment was deleted by a person. */
export class StoreDeleted extends Error {
  /** As of a file that is not there. */
  readonly code = 'ENOENT';
}

/** The buffer on this device. One client uses it; other clients may use other runs of the same folder. */
export interface Store {
  /** False if nothing survives the end of the process. */
  readonly durable: boolean;
  open(): Promise<SavedState | null>;
  /**
   * Makes the segments of runs that nobody uses any more this client's, unless the store is another installation's by now. May
   * repeat what earlier calls found.
   */
  adopt(saved: SavedState): Promise<readonly FoundSegment[]>;
  /** Adds lines to an open segment of this run, and creates it. Throws if the lines are not in the buffer. */
  append(name: string, text: string): void;
  /** Resolves when everything appended so far survives a kill. */
  flushed(): Promise<void>;
  /** Cuts a segment to these good lines. */
  cut(place: SegmentPlace, text: string): Promise<void>;
  /** Resolves when the bytes of the segment are durable and can be sent. */
  seal(place: SegmentPlace): Promise<SegmentPlace>;
  /** The text of a segment of this run while it is in memory: for a page that ends before it could read. */
  peek?(place: SegmentPlace): string | undefined;
  /** The text of a sealed segment. */
  read(place: SegmentPlace): Promise<string>;
  /** Writes a whole sealed segment durably. */
  write(place: SegmentPlace, text: string): Promise<void>;
  remove(place: SegmentPlace): Promise<void>;
  /** Moves a refused segment out of the way, within a bound of its own. */
  setAside(place: SegmentPlace): Promise<void>;
  /** Removes every segment, those set aside included. */
  clear(): Promise<void>;
  /** Replaces what is remembered with what `change` makes of it, which other tabs and processes may have written. */
  updateState(change: (known: SavedState | null) => SavedState): Promise<SavedState>;
  /** Tells other tabs what the player decided. */
  announce?(consent: Consent): void;
  /** Calls `listener` when another tab announces something. */
  onAnnounced?(listener: (consent: Consent) => void): void;
  close(): Promise<void>;
}

/** No space is left, or no more of it for this user. */
export function isDiskFull(error: unknown): boolean {
  return /^(ENOSPC|EDQUOT|EFBIG)$/.test(String((error as { code?: unknown } | null)?.code));
}
