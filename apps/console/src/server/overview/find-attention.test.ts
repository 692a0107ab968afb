import { expect, test } from 'vitest';
import { findAttention, type ProjectState } from './find-attention.ts';

const healthy: ProjectState = {
  events: { accepted: 10, pending: 0, missing: 0 },
  dead: 0,
  unmended: [],
  viewFaults: [],
  oldestOpenSeconds: null,
  oldestQueuedSeconds: 0,
  isQueueAvailable: true,
  isWarehouseAvailable: true,
  disk: null,
  queue: [],
};
const pipeline = { page: 'pipeline' };

test.each<[string, Partial<ProjectState>, object[]]>([
  ['nothing for a healthy project', {}, []],
  [
    'the first event of a new project',
    { events: { accepted: 0, pending: 0, missing: 0 } },
    [{ kind: 'noEvents', severity: 'info', count: null, target: { page: 'firstEvent' } }],
  ],
  [
    'lost events, and nothing while nobody knows',
    { events: { accepted: 10, pending: 0, missing: 2 } },
    [{ kind: 'eventsMissing', severity: 'alarm', count: 2, target: pipeline }],
  ],
  [
    'no loss while the queue is too long to read',
    { events: { accepted: 10, pending: 0, missing: null } },
    [],
  ],
  [
    'a queue that does not answer',
    { isQueueAvailable: false },
    [{ kind: 'queueUnavailable', severity: 'alarm', count: null, target: pipeline }],
  ],
  [
    'alarms before warnings',
    { dead: 3, isWarehouseAvailable: false },
    [
      { kind: 'warehouseUnavailable', severity: 'alarm', count: null, target: pipeline },
      { kind: 'deadLetters', severity: 'warning', count: 3, target: { page: 'quarantine', kind: 'dead' } },
    ],
  ],
  ['no insert that is younger than a minute', { oldestOpenSeconds: 59 }, []],
  [
    'an insert that waits',
    { oldestOpenSeconds: 61.5 },
    [{ kind: 'insertsDelayed', severity: 'warning', count: 61, target: pipeline }],
  ],
  [
    'events that wait while no worker runs',
    { events: { accepted: 10, pending: 1, missing: 0 }, oldestQueuedSeconds: 61.5 },
    [{ kind: 'insertsDelayed', severity: 'warning', count: 61, target: pipeline }],
  ],
  ['no wait of the events of other projects', { oldestQueuedSeconds: 61.5 }, []],
  [
    'a disk that is nearly full',
    { disk: { diskFreeBytes: 9, diskTotalBytes: 100 } },
    [{ kind: 'diskFull', severity: 'alarm', count: null, target: pipeline }],
  ],
  ['no lane of the queue with room', { queue: [{ usedBytes: 79, limitBytes: 100 }] }, []],
  [
    'a lane of the queue that is nearly full, while another is empty',
    {
      queue: [
        { usedBytes: 0, limitBytes: 100 },
        { usedBytes: 80, limitBytes: 100 },
      ],
    },
    [{ kind: 'queueFull', severity: 'alarm', count: null, target: pipeline }],
  ],
  [
    'a view that ClickHouse refuses',
    { viewFaults: ['level_up'] },
    [
      {
        kind: 'viewFault',
        severity: 'warning',
        count: null,
        target: { page: 'eventTypes', type: 'level_up' },
      },
    ],
  ],
])('names %s', (_what, state, found) => {
  expect(findAttention({ ...healthy, ...state })).toEqual(found);
});

test('names the most frequent rejected events', () => {
  const unmended = [
    { type: 'b', reason: 'type', events: 5 },
    { type: 'a', reason: 'range', events: 10 },
    ...['c', 'd', 'e', 'f'].map((type) => ({ type, reason: 'range', events: 2 })),
  ];
  const found = findAttention({ ...healthy, unmended });
  expect(found.map(({ count, target }) => [target.type, count])).toEqual([
    ['a', 10],
    ['b', 5],
    ['c', 2],
    ['d', 2],
    ['e', 2],
  ]);
  expect(found[0]?.target).toEqual({ page: 'quarantine', kind: 'rejected', type: 'a', reason: 'range' });
});
