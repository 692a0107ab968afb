import { counted, defineTexts } from '../../texts/define-texts.ts';

/** What needs attention, and what to do about it. Overview and Pipeline show it. */
export const attentionTexts = defineTexts('attention', {
  alarm: 'Alarm',
  warning: 'Warning',
  info: 'Note',
  steps: 'What to do, step by step',
  chapter: (title: string) => `More about it: docs/operations.md, “${title}”.`,
  unknownType: 'an unknown type',
  noEvents: 'No event has arrived yet',
  noEventsAdvice: 'Send the first one: the page shows the lines to copy.',
  eventsMissing: (count: string) =>
    counted(count, 'accepted event is missing', 'accepted events are missing'),
  eventsMissingAdvice:
    'Keep the queue and the databases as they are, and check whether one of them was restored from an older backup or lost writes.',
  deadLetters: (count: string) => counted(count, 'event is a dead letter', 'events are dead letters'),
  deadLettersAdvice: 'ClickHouse refused their rows. Read the reason, mend its cause, then send them again.',
  rejectedEvents: (count: string, type: string, reason: string) =>
    counted(
      count,
      `event of ${type} was rejected · ${reason}`,
      `events of ${type} were rejected · ${reason}`,
    ),
  rejectedEventsAdvice: 'Mend the declaration of the type or the build that sends them, then replay.',
  insertsDelayed: (age: string) => `Events wait for ${age}`,
  insertsDelayedAdvice:
    'Nothing is lost: events wait in the queue. Check that workers run, that ClickHouse answers, and that its disk has space.',
  viewFault: (type: string) => `ClickHouse refuses the view of ${type}`,
  viewFaultAdvice: 'Its events are stored, but queries by type do not see them. Declare a corrected version.',
  warehouseUnavailable: 'ClickHouse does not answer',
  warehouseUnavailableAdvice:
    'Nothing is lost: events wait in the queue. Start ClickHouse, or check its address and password.',
  queueUnavailable: 'The queue, or a part of it, does not answer',
  queueUnavailableAdvice:
    'Gateways use the parts that answer, and refuse events while none does. Start Redis, or check its address.',
  diskFull: 'The disk of ClickHouse is nearly full',
  diskFullAdvice:
    'Less than a tenth is free. Enlarge the disk, or shorten the retention of projects in the settings.',
  queueFull: 'A lane of the queue is nearly full',
  queueFullAdvice:
    'Gateways refuse new events when it is full. Start more workers, or check that ClickHouse keeps up with them.',
});
