import { counted } from '../../texts/counted.ts';
import { defineTexts } from '../../texts/define-texts.ts';

export const liveTexts = defineTexts('live', {
  title: 'Live',
  pause: 'Pause',
  follow: 'Follow',
  lag: (text: string) => `${text} behind`,
  skipped: (count: string) => `${count} left out`,
  unread: (count: string) => `${count} not read: they arrive too fast`,
  failing: 'ClickHouse does not answer. New events follow when it does.',
  types: 'Types',
  allTypes: 'All types',
  rejected: (count: string) =>
    counted(count, 'event rejected in the last hour', 'events rejected in the last hour'),
  account: 'Player',
  session: 'Session',
  where: 'Conditions on members',
  whereExample: 'level > 3, mode = "ranked"',
  whereFault: (part: string) => `"${part}" is no condition. Example: level > 3, mode = "ranked"`,
  apply: 'Filter',
  received: 'Received',
  type: 'Type',
  player: 'Player',
  event: 'Event',
  waiting: 'Waiting for events …',
  waitingText: 'Events appear here within two seconds after a game sent them.',
  details: 'Event',
  openPlayer: 'Open the player',
  openType: 'Open the type',
  openQuarantine: 'Rejected events of this type',
  body: 'Body',
  row: 'What the row holds besides',
});
