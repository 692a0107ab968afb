import type { DiskLevel, ServerFacts } from '@tickrate/warehouse';
import { bad, type Finding, good, warning } from './finding.ts';

const gibibyte = 1024 ** 3;
const leastMemoryBytes = gibibyte;
const fewMemoryBytes = 2 * gibibyte;
const fullMemoryShare = 0.9;

export function checkServer({ memoryLimitBytes: limit, memoryBytes, fixedSettings }: ServerFacts): Finding[] {
  return [
    ...(limit === null ? [] : [checkMemory(limit, memoryBytes)]),
    fixedSettings.length === 0
      ? good('ClickHouse settings', 'each insert may set its own')
      : bad(
          'ClickHouse settings',
          `the user may not change ${fixedSettings.join(', ')}: inserts fail`,
          'Remove readonly and the constraints on these settings from the profile of the user in CLICKHOUSE_URL',
        ),
  ];
}

function checkMemory(limit: number, used: number): Finding {
  const found = `at most ${(limit / gibibyte).toFixed(1)} GiB, ${(used / gibibyte).toFixed(1)} GiB in use`;
  const advice =
    'Give the server 4 GiB or more, and check max_server_memory_usage: a query alone may use 1 GiB';
  if (limit < leastMemoryBytes) return bad('ClickHouse memory', found, advice);
  return limit < fewMemoryBytes || used > limit * fullMemoryShare
    ? warning('ClickHouse memory', found, advice)
    : good('ClickHouse memory', found);
}

const fullShare = 0.1;
const fewDays = 7;

/** Below the reserve gateways reject events. */
export function checkDisk(
  { freeBytes, totalBytes }: DiskLevel,
  { reserveBytes, bytesOfDay }: { readonly reserveBytes: number; readonly bytesOfDay: number },
): Finding {
  const share = freeBytes / totalBytes;
  const days = Math.max(0, freeBytes - reserveBytes) / bytesOfDay;
  const found = `${Math.round(share * 100)} % free`;
  const advice = 'Free some space, or shorten the retention';
  if (freeBytes < reserveBytes) {
    return bad('ClickHouse disk', `${found}, less than DISK_RESERVE: gateways reject events`, advice);
  }
  if (share <= fullShare) return bad('ClickHouse disk', found, advice);
  return days < fewDays
    ? warning(
        'ClickHouse disk',
        `${found}, full in ${days.toFixed(1)} days at the rate of the last day`,
        'Enlarge the disk, or shorten the retention, unless it already removes as much each day',
      )
    : good('ClickHouse disk', found);
}
