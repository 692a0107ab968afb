import { fromDate, parseDateTime } from '@internationalized/date';

/** `2026-11-22T14:03:05`: what a clock on the wall shows in the zone, as a `datetime-local` field has it. */
export function toWallTime(atMs: number, zone: string): string {
  return fromDate(new Date(Math.floor(atMs / 1000) * 1000), zone)
    .toString()
    .slice(0, 19);
}

/** NaN for an incomplete text. In an hour that a zone has twice, the earlier one. */
export function fromWallTime(text: string, zone: string): number {
  try {
    return parseDateTime(text).toDate(zone).getTime();
  } catch {
    return Number.NaN;
  }
}
