import { expect, test } from 'vitest';
import { checkDisk, checkServer } from './check-server.ts';

const gibibyte = 1024 ** 3;
const well = { memoryLimitBytes: 8 * gibibyte, memoryBytes: gibibyte, fixedSettings: [] };

test('a ClickHouse with memory and free settings has no finding', () => {
  expect(checkServer(well).map(({ state, advice }) => [state, advice])).toEqual([
    ['good', null],
    ['good', null],
  ]);
  expect(checkServer({ ...well, memoryLimitBytes: null }).map(({ check }) => check)).toEqual([
    'ClickHouse settings',
  ]);
});

test.each([
  ['ClickHouse memory', 'bad', { memoryLimitBytes: gibibyte / 2 }],
  ['ClickHouse memory', 'warning', { memoryLimitBytes: 1.5 * gibibyte }],
  ['ClickHouse memory', 'warning', { memoryBytes: 7.5 * gibibyte }],
  ['ClickHouse settings', 'bad', { fixedSettings: ['async_insert'] }],
] as const)('%s is %s with %j, and there is something to do about it', (check, state, change) => {
  const finding = checkServer({ ...well, ...change }).find((each) => each.check === check);
  expect(finding).toMatchObject({ state, advice: expect.stringMatching(/\w{3}/) });
});

test.each([
  ['good', 50, 5],
  ['warning', 50, 8],
  ['good', 50, 0],
  ['bad', 10, 0],
  ['bad', 0.5, 1],
])('a disk is %s with %d %% free and %d GiB a day', (state, free, day) => {
  const level = { freeBytes: free * gibibyte, totalBytes: 100 * gibibyte };
  const finding = checkDisk(level, { reserveBytes: gibibyte, bytesOfDay: day * gibibyte });
  expect(finding.state).toBe(state);
  if (state === 'warning') expect(finding.found).toContain('full in 6.1 days');
});
