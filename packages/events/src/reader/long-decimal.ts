/*
 * Decimals of 16 to 19 digits: the usual text of random doubles. Their digits do not fit one double, so they are
 * computed as the unevaluated sum of two doubles and rounded once. If the second double is too close to halfway between
 * two doubles, the result is NaN, and the engine must convert the text.
 */

const powersOfTen = Float64Array.from({ length: 23 }, (_, n) => 10 ** n);
const significantDigits = 15;
// Splits a double into two halves of 26 bits, whose products are exact.
const splitter = 2 ** 27 + 1;
// Far above the error of the second double, and far below the distance of two doubles.
const margin = 1 + 2 ** -40;

/** The value of the digits (and one point) between `start` and `end`, with `fraction` digits after the point. */
export function longDecimal(s: Uint8Array, start: number, end: number, fraction: number): number {
  let head = 0;
  let tail = 0;
  let digits = 0;
  for (let i = start; i < end; i++) {
    const digit = (s[i] ?? 0) - 0x30;
    if (digit < 0) continue;
    if (digits < significantDigits) head = head * 10 + digit;
    else tail = tail * 10 + digit;
    if (digits > 0 || digit > 0) digits++;
  }
  const tailDigits = digits - significantDigits;
  if (tailDigits > 4 || fraction > 22) return Number.NaN;
  if (tailDigits <= 0) return head / (powersOfTen[fraction] ?? Number.NaN);
  return quotient(head, powersOfTen[tailDigits] ?? Number.NaN, {
    tail,
    divisor: powersOfTen[fraction] ?? Number.NaN,
  });
}

/** (head × scale + tail) / divisor, rounded once. Every step except the last correction is exact. */
function quotient(head: number, scale: number, { tail, divisor }: { tail: number; divisor: number }): number {
  const product = head * scale;
  const low = productError(head, scale, product) + tail;
  const high = product + low;
  const rest = low - (high - product);
  const first = high / divisor;
  const back = first * divisor;
  const remainder = high - back - productError(first, divisor, back) + rest;
  const second = remainder / divisor;
  const sum = first + second;
  const error = second - (sum - first);
  return sum + error * margin === sum ? sum : Number.NaN;
}

/** The exact rounding error of the product a × b (Dekker). */
function productError(a: number, b: number, product: number): number {
  const aHigh = splitter * a - (splitter * a - a);
  const aLow = a - aHigh;
  const bHigh = splitter * b - (splitter * b - b);
  const bLow = b - bHigh;
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
}
