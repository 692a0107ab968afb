import { parameterInvalid } from '@tickrate/contract';
import type { Analyses, TimeRange } from '@tickrate/warehouse';

export interface RangeFields {
  readonly from: string;
  readonly to: string;
  readonly timeZone?: string | undefined;
}

/** Throws 1003 for an unknown time zone, and for a range that ends before it starts. */
export async function readRange(
  { from, to, timeZone = 'UTC' }: RangeFields,
  analyses: Pick<Analyses, 'findTimeZone'>,
): Promise<TimeRange> {
  const range = { fromMs: Date.parse(from), toMs: Date.parse(to) };
  if (!(range.fromMs < range.toMs)) throw parameterInvalid('to', 'must be after from');
  const known = timeZone === 'UTC' ? timeZone : await analyses.findTimeZone(timeZone);
  if (known === null || !isZoneHere(known))
    throw parameterInvalid('timeZone', 'is not the IANA name of a time zone');
  return { ...range, timeZone: known };
}

/** The database also knows names such as `posixrules`. */
function isZoneHere(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== '';
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/**
 * The range of equal length before. Whole days are counted in the zone: a week before a change of the clocks starts at
 * midnight too.
 */
export function rangeBefore({ fromMs, toMs, timeZone }: TimeRange): TimeRange {
  const at = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone);
  const from = at(fromMs);
  const length = from.until(at(toMs), { largestUnit: 'day' });
  return { fromMs: from.subtract(length).epochMilliseconds, toMs: fromMs, timeZone };
}
