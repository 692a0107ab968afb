import { expect, test } from 'vitest';
import { createDiskSpace, type Volume } from './disk-space.ts';

const volume = (freeBytes: number, name = 'clickhouse'): Volume => ({ name, freeBytes });

/** A volume that is read again with each `see`; null is a source that cannot be read. */
function createCase({ reserveBytes = 100, queuedBytes = 0 } = {}) {
  const reported: string[] = [];
  let now: readonly Volume[] | null = null;
  const see = async (volumes: readonly Volume[] | null) => {
    now = volumes;
    await disk.start();
    await disk.stop();
    return disk.hasSpace();
  };
  const disk = createDiskSpace({
    sources: [
      {
        name: 'reader',
        everyMs: 3_600_000,
        async read() {
          if (now === null) throw new Error('away');
          return now;
        },
      },
    ],
    reserveBytes,
    queuedBytes: () => queuedBytes,
    onFull: ({ name }) => reported.push(`full ${name}`),
    onSpace: () => reported.push('space'),
    onFault: (source) => reported.push(`unread ${source}`),
  });
  return { disk, see, reported };
}

test('there is space until one volume has less than the reserve, and again from a quarter above it', async () => {
  const { see, reported } = createCase();
  expect(await see([volume(100), volume(900, 'postgres')])).toBe(true);
  expect(await see([volume(900), volume(99, 'postgres')])).toBe(false);
  expect(await see([volume(900), volume(124, 'postgres')])).toBe(false);
  expect(await see([volume(900), volume(125, 'postgres')])).toBe(true);
  expect(reported).toEqual(['full postgres', 'space']);
});

test('queued bytes need space in addition to the reserve', async () => {
  const { see } = createCase({ queuedBytes: 50 });
  expect(await see([volume(149)])).toBe(false);
  expect(await see([volume(174)])).toBe(false);
  expect(await see([volume(175)])).toBe(true);
});

test('a reserve of 0 accepts events on a full disk', async () => {
  const { see } = createCase({ reserveBytes: 0 });
  expect(await see([volume(0)])).toBe(true);
});

test('a volume that cannot be read refuses no event, is logged once, and counts as unknown', async () => {
  const { disk, see, reported } = createCase();
  expect(await see(null)).toBe(true);
  expect(await see(null)).toBe(true);
  expect(disk.freeBytes()).toBeNull();
  expect(await see([volume(300), volume(200)])).toBe(true);
  expect(disk.freeBytes()).toBe(200);
  expect(await see(null)).toBe(true);
  expect(reported).toEqual(['unread reader', 'unread reader']);
});
