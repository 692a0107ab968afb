interface Steps {
  /** The chapter of docs/operations.md with the background, in the language of the documents. */
  readonly chapter: string | null;
  /** Commands and names stand between backticks. */
  readonly steps: readonly string[];
}

/** What to do about each alarm, in the order in which it helps. */
export const attentionSteps = {
  eventsMissing: {
    chapter: 'Events are missing',
    steps: [
      'Find the time: the worker logs `accepted events are missing` with the projects.',
      'Check the queue. Redis needs `appendfsync always` and `maxmemory-policy noeviction`, and must not be restored to an older state.',
      'If your servers can send the events again, send them with their `Idempotency-Key`. Events that are stored are recognised for 24 hours.',
      'Tickrate cannot bring lost events back. The number stays, so that nobody overlooks it.',
    ],
  },
  deadLetters: {
    chapter: 'Rows are refused',
    steps: [
      'Open the dead letters and read the reason: a number and a sentence of ClickHouse.',
      'If somebody changed a table by hand, undo that. Otherwise report the reason as a bug of Tickrate.',
      'When ClickHouse accepts the rows again, choose “Send again” on Pipeline, or run `npm run tickrate -- quarantine replay --kind dead`. Each event is stored once.',
    ],
  },
  rejectedEvents: {
    chapter: null,
    steps: [
      'Open the quarantine: it shows the events with the fault marked.',
      'If the events are right, edit the declaration beside them. The page counts how many of them would pass.',
      'Choose “Declare and replay”. If the events are wrong, mend the game instead: they stay out of your figures.',
    ],
  },
  insertsDelayed: {
    chapter: 'The queue fills up',
    steps: [
      'Look at the workers on Pipeline. If none reports, start one and read its log.',
      'If ClickHouse does not answer or its disk is full, mend that first.',
      'If inserts are slow, look at the parts of the fullest partition and at heavy queries. More CPU for ClickHouse or a longer `BATCH_AGE` helps.',
      'Otherwise start another worker.',
    ],
  },
  viewFault: {
    chapter: 'ClickHouse rejects a view',
    steps: [
      'Open the event type: it shows why ClickHouse rejects the view.',
      'If the declaration is the cause, for example by too many members, declare a version with fewer. The worker tries again at once.',
      'If ClickHouse is the cause, for example a missing right or a full disk, mend it. The worker tries again within 10 minutes.',
    ],
  },
  warehouseUnavailable: {
    chapter: 'The queue fills up',
    steps: [
      'Check whether ClickHouse runs, and read its log. `npm start` restarts the embedded one by itself.',
      'Check its address and password in the configuration of the workers and of the console.',
      'Nothing else is needed: workers store the waiting events when it answers again.',
    ],
  },
  queueUnavailable: {
    chapter: 'Gateways refuse requests',
    steps: [
      'Check whether each Redis of `QUEUE_URL` runs, and read its log.',
      'Start it with the same directory: what it accepted is there. Do not replace it with an empty one.',
      'Nothing else is needed: SDKs send refused events again, and workers store the waiting ones.',
    ],
  },
  diskFull: {
    chapter: 'A disk of the stores is nearly full',
    steps: [
      'Free disk space at once: delete files of other programs, or enlarge the volume. Gateways refuse new events when it is full.',
      'Shorten the retention of projects in the settings, under “Limits and retention”.',
      'Gateways then accept events again automatically. No event that was answered with 200 is lost.',
    ],
  },
  queueFull: {
    chapter: 'The queue fills up',
    steps: [
      'Look at the workers on Pipeline. If none reports, start one and read its log.',
      'If ClickHouse does not answer or its disk is full, mend that first.',
      'If workers and ClickHouse are well, start another worker.',
      'At 70 % gateways refuse new events with 503 until the queue is below 60 %. SDKs keep them and send them again.',
    ],
  },
} as const satisfies Readonly<Record<string, Steps>>;
