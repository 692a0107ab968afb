import { counted } from '../../texts/counted.ts';
import { defineTexts } from '../../texts/define-texts.ts';

export const liveTexts = defineTexts('live', {
  pause: 'Pause',
  follow: 'Follow',
  lag: (text: string) => `${text} behind`,
  skipped: (count: string) => `${count} left out`,
  unread: (count: string) => `${count} not read: they arrive too fast`,
  failing: 'ClickHouse does not answer. New events follow when it does.',
  types: 'Types',
  rejected: (count: string) => counted(count, 'event rejected in 24 hours', 'events rejected in 24 hours'),
  session: 'Session',
  where: 'Conditions on members',
  whereExample: 'level > 3, mode = "ranked"',
  whereFault: (part: string) => `"${part}" is no condition. Example: level > 3, mode = "ranked"`,
  apply: 'Filter',
  received: 'Received',
  waiting: 'Waiting for events …',
  waitingText: 'Events appear here within two seconds after a game sent them.',
  openPlayer: 'Open the player',
  openType: 'Open the type',
  openQuarantine: 'Rejected events of this type',
  body: 'Body',
  row: 'What the row holds besides',
});
