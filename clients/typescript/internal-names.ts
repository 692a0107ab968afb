import type { Client } from './src/core/client.ts';
import type { ClientPlace, Core, Segment } from './src/core/core.ts';
import type { SavedState } from './src/core/saved-state.ts';

type InternalName = Exclude<keyof Core | keyof Segment, keyof (Client & ClientPlace & SavedState)>;

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
] as const satisfies readonly InternalName[];
