/** Reads RFC 3339 times from bytes, for the fast reader and the explaining validator. NaN means invalid. */

const dayMs = 86_400_000;
// The range of DateTime64(3) and Date32 in the store.
const earliestMs = Date.UTC(1900, 0, 1);
const latestMs = Date.UTC(2300, 0, 1) - 1;
const daysInMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

export const temporalRange = { earliestMs, latestMs } as const;

/** Days since 1970-01-01 of `YYYY-MM-DD`. */
export function readDate(bytes: Uint8Array, at: number, length: number): number {
  if (length !== 10) return Number.NaN;
  const ms = dateMs(bytes, at);
  return ms >= earliestMs && ms <= latestMs ? ms / dayMs : Number.NaN;
}

/**
 * Milliseconds since 1970 of an RFC 3339 time with any offset. A fraction below one millisecond is cut off. A leap
 * second, 23:59:60 in UTC, equals the following second, as in UNIX time.
 */
export function readDateTime(bytes: Uint8Array, at: number, length: number): number {
  if (length < 20) return Number.NaN;
  const separator = bytes[at + 10];
  if (separator !== 0x54 && separator !== 0x74) return Number.NaN;
  if (bytes[at + 13] !== 0x3a || bytes[at + 16] !== 0x3a) return Number.NaN;
  const hour = twoDigits(bytes, at + 11);
  const minute = twoDigits(bytes, at + 14);
  const second = twoDigits(bytes, at + 17);
  if (!(hour < 24 && minute < 60 && second <= 60)) return Number.NaN;
  const end = at + length;
  const zone = bytes[at + 19] === 0x2e ? fractionEnd(bytes, at + 20, end) : at + 19;
  const offset = offsetMinutes(bytes, zone, end);
  const fraction = zone === at + 19 ? 0 : milliseconds(bytes, at + 20, zone);
  const ms = dateMs(bytes, at) + ((hour * 60 + minute - offset) * 60 + second) * 1000 + fraction;
  if (second === 60 && !isFirstSecondOfDay(ms)) return Number.NaN;
  return ms >= earliestMs && ms <= latestMs ? ms : Number.NaN;
}

function isFirstSecondOfDay(ms: number): boolean {
  return ((ms % dayMs) + dayMs) % dayMs < 1000;
}

function dateMs(bytes: Uint8Array, at: number): number {
  if (bytes[at + 4] !== 0x2d || bytes[at + 7] !== 0x2d) return Number.NaN;
  const year = twoDigits(bytes, at) * 100 + twoDigits(bytes, at + 2);
  const month = twoDigits(bytes, at + 5);
  const day = twoDigits(bytes, at + 8);
  if (!(year >= 1899 && month >= 1 && month <= 12 && day >= 1)) return Number.NaN;
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  if (day > (daysInMonth[month - 1] ?? 0) + (leap ? 1 : 0)) return Number.NaN;
  return daysSinceEpoch(year, month, day) * dayMs;
}

/** The civil calendar counted from March: the leap day is then the last day of its year. */
function daysSinceEpoch(year: number, month: number, day: number): number {
  const marchYear = month > 2 ? year : year - 1;
  const marchMonth = (month + 9) % 12;
  const dayOfYear = Math.floor((153 * marchMonth + 2) / 5) + day - 1;
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  return marchYear * 365 + leapDays + dayOfYear - 719_468;
}

function twoDigits(bytes: Uint8Array, at: number): number {
  const tens = (bytes[at] ?? 0) - 0x30;
  const ones = (bytes[at + 1] ?? 0) - 0x30;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

function fractionEnd(bytes: Uint8Array, at: number, end: number): number {
  let i = at;
  while (i < end && isDigit(bytes[i])) i++;
  return i === at ? end : i;
}

function milliseconds(bytes: Uint8Array, at: number, end: number): number {
  let ms = 0;
  for (let i = 0; i < 3; i++) ms = ms * 10 + (at + i < end ? (bytes[at + i] ?? 0x30) - 0x30 : 0);
  return ms;
}

function offsetMinutes(bytes: Uint8Array, at: number, end: number): number {
  const sign = bytes[at];
  if ((sign === 0x5a || sign === 0x7a) && at + 1 === end) return 0;
  if ((sign !== 0x2b && sign !== 0x2d) || at + 6 !== end || bytes[at + 3] !== 0x3a) return Number.NaN;
  const hours = twoDigits(bytes, at + 1);
  const minutes = twoDigits(bytes, at + 4);
  if (!(hours < 24 && minutes < 60)) return Number.NaN;
  return (sign === 0x2b ? 1 : -1) * (hours * 60 + minutes);
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}
