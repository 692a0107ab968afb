import type { Decision, RawAnswer } from './src/core/answer.ts';
import type { Client } from './src/core/client.ts';
import type { ClientPlace, Core, Segment } from './src/core/core.ts';
import type { SavedState } from './src/core/saved-state.ts';
import type { ReadSegment } from './src/core/segment.ts';
import type { SegmentPlace, Store } from './src/core/store.ts';

type Internal = Core & Segment & Store & SegmentPlace & ReadSegment & RawAnswer & Decision;
type InternalName = Exclude<keyof Internal, keyof (Client & ClientPlace & SavedState)>;

/** Members that builds shorten. They are never sent, stored, or seen by a game. Others may have to keep their names. */
export const internalNames = [
  'tuned',
  'tell',
  'isClosed',
  'eventsUrl',
  'finding',
  'saved',
  'lossListeners',
  'unsavedLosses',
  'isSaveDue',
  'isUnsaved',
  'saving',
  'isConsentChosen',
  'learnConsent',
  'player',
  'isDeviceRefused',
  'hasAskedPlayer',
  'signInAttempt',
  'segments',
  'growing',
  'segmentNumber',
  'lastTimeMs',
  'onSealed',
  'leave',
  'sealTimer',
  'isHidden',
  'isStopped',
  'sendAttempt',
  'sending',
  'isSendDue',
  'wake',
  'place',
  'clock',
  'segmentBytes',
  'beganMs',
  'sinceMs',
  'wasOpen',
  'sealing',
  'isSending',
  'adopt',
  'append',
  'flushed',
  'cut',
  'peek',
  'setAside',
  'updateState',
  'announce',
  'onAnnounced',
  'sealed',
  'goodBytes',
  'outcome',
  'lost',
  'retryAfter',
  'delayMs',
] as const satisfies readonly InternalName[];
