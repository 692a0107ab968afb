import type { Loss, Options, Session, Tuning } from './options.ts';
import type { Platform } from './platform.ts';
import type { Consent, SavedState } from './saved-state.ts';
import type { SegmentPlace, Store } from './store.ts';
import { silence, type Tell } from './tell.ts';

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

/** What a client is made of: options, and the place where it runs. */
export interface ClientPlace {
  readonly options: Options;
  readonly platform: Platform;
  readonly store: Store;
}

/**
 * The state of one client. The functions of the files beside this one read and change it; each group of members names the
 * file that changes it. Builds shorten the names of these members: see `internal-names.ts`.
 */
export interface Core extends ClientPlace {
  readonly tuned: Required<Tuning>;
  tell: Tell;
  isClosed: boolean;

  // addresses.ts
  eventsUrl: string;
  sessionsUrl: string;
  /** Null while nobody answered what the addresses are. */
  finding: Promise<void> | null;

  // remembered.ts
  saved: SavedState;
  readonly lossListeners: Set<(loss: Loss) => void>;
  /** Losses that are not saved yet. */
  unsavedLosses: Record<string, number>;
  isSaveDue: boolean;
  /** The last save failed. */
  isUnsaved?: boolean;
  saving: Promise<unknown>;
  /** The consent of this run is newer than what is saved. */
  isConsentChosen: boolean;
  /** Another tab or process may have changed it. */
  learnConsent: (consent: Consent) => void;

  // accounts.ts
  /** The principal of the player who is signed in. Null: the device's own account. */
  player: string | null;
  /** By principal, of every player of this run: events of one who signed out still go under their own session. */
  readonly sessions: Map<string, Session>;
  isDeviceRefused: boolean;
  hasAskedPlayer: boolean;
  signInAttempt: number;

  // segments.ts
  /** The sealed ones in their order. */
  segments: Segment[];
  growing: Segment | null;
  segmentNumber: number;
  lastTimeMs: number;
  /** There may be something to send. */
  onSealed: () => void;
  /**
   * Called while a segment is written, for a page that may end with this call. What it resolves with is called when the
   * segment is written.
   */
  leave: (segment: Segment, text: string) => Promise<(() => Promise<void>) | undefined>;
  sealTimer?: ReturnType<typeof setTimeout> | undefined;

  // sender.ts
  /** The page or app may end at any moment. */
  isHidden: boolean;
  /** Nothing is sent until the key, the player or the consent changes. */
  isStopped: boolean;
  sendAttempt: number;
  sending: Promise<void> | null;
  isSendDue: boolean;
  abort: AbortController;
  wake: () => void;
}

const defaults: Required<Tuning> = {
  sealAfterMs: 30_000,
  sealBytes: 65_536,
  sealEvents: 500,
  bufferBytes: 8 * 1024 * 1024,
  maxAgeMs: 28 * 86_400_000,
  backoffFromMs: 1_000,
  backoffToMs: 300_000,
};

export function createCore(place: ClientPlace, known: SavedState | null): Core {
  const { options, platform } = place;
  const { url, sessionsUrl = url, tuning } = options;
  const consent = options.consent === 'unknown' ? undefined : options.consent;
  return {
    ...place,
    tuned: { ...defaults, ...tuning },
    tell: silence,
    isClosed: false,
    eventsUrl: trimmed(url),
    sessionsUrl: trimmed(sessionsUrl),
    finding: null,
    saved: {
      consent: 'unknown',
      installation: platform.randomHex(4),
      device: null,
      deviceAccount: null,
      deviceRequest: null,
      losses: {},
      ...known,
      ...(consent && { consent }),
    },
    lossListeners: new Set(),
    unsavedLosses: {},
    isSaveDue: false,
    saving: Promise.resolve(),
    isConsentChosen: consent !== undefined,
    learnConsent: silence,
    player: null,
    sessions: new Map(),
    isDeviceRefused: false,
    hasAskedPlayer: false,
    signInAttempt: 0,
    segments: [],
    growing: null,
    segmentNumber: 0,
    lastTimeMs: 0,
    onSealed: silence,
    leave: async () => undefined,
    isHidden: false,
    isStopped: false,
    sendAttempt: 0,
    sending: null,
    isSendDue: false,
    abort: new AbortController(),
    wake: silence,
  };
}

export function trimmed(url: string): string {
  return url.replace(/\/+$/, '');
}
