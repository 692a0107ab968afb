import type { Accounts } from './src/core/accounts.ts';
import type { Decision, RawAnswer } from './src/core/answer.ts';
import type { Client, Parts as ClientParts } from './src/core/client.ts';
import type { Connection } from './src/core/connection.ts';
import type { ClientPlace, Problem } from './src/core/core.ts';
import type { DeviceState } from './src/core/device-state.ts';
import type { SavedState } from './src/core/saved-state.ts';
import type { ReadSegment } from './src/core/segment.ts';
import type { Segment, Segments } from './src/core/segments.ts';
import type { Sender } from './src/core/sender.ts';
import type { SegmentPlace, Store } from './src/core/store.ts';

type Data = Segment & SegmentPlace & ReadSegment & RawAnswer & Decision;
type Parts = ClientParts | DeviceState | Connection | Accounts | Segments | Sender | Store | Data;
type KeysOf<T> = T extends unknown ? keyof T : never;
/** `core` is private in each part, and one name in all of them packs better. */
type InternalName = 'core' | Exclude<KeysOf<Parts>, keyof (Client & ClientPlace & SavedState) | Problem>;

/** Members that builds shorten. They are never sent, stored, or seen by a game. Others may have to keep their names. */
export const internalNames = [
  'tuned',
  'core',
  'report',
  'eventsUrl',
  'findAddresses',
  'askSessions',
  'saved',
  'lossListeners',
  'onConsent',
  'deviceState',
  'connection',
  'accounts',
  'segments',
  'sender',
  'isConsentChosen',
  'saving',
  'remember',
  'agree',
  'countLoss',
  'saveAgain',
  'saveSoon',
  'owner',
  'devicePrincipal',
  'eventCount',
  'sessionsAddress',
  'usePlayer',
  'forget',
  'knownKey',
  'keyFor',
  'endSession',
  'signInFor',
  'allSealed',
  'recover',
  'enforceBounds',
  'isGone',
  'isHidden',
  'onSealed',
  'onLeaving',
  'maySend',
  'sendSoon',
  'flushSoon',
  'resume',
  'sending',
  'sendFromLeavingPage',
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
