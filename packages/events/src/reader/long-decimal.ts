/*
 * Decimals of 16 to 19 digits, which is how programs print random doubles. They do not fit a double on the way, so they
 * are computed as the unevaluated sum of two doubles and rounded once. In the rare case that the second one is too near
 * the middle between two doubles to be sure, the answer is NaN and the text has to be converted by the engine.
 */

const powersOfTen = Float64Array.from({ length: 23 }, (_, n) => 10 ** n);
const significantDigits = 15;
// Splits a double into two halves of 26 bits, whose products are exact.
const splitter = 2 ** 27 + 1;
// Far above the error of the second double, far below what separates two doubles.
const margin = 1 + 2 ** -40;

/** The value of the digits (and one point) between `start` and `end`, of which `fraction` stand behind the point. */
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

/** (head × scale + tail) / divisor, rounded once; every step but the last correction is exact. */
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

/** What is missing of a × b in its rounded product, exactly (Dekker). */
function productError(a: number, b: number, product: number): number {
  const aHigh = splitter * a - (splitter * a - a);
  const aLow = a - aHigh;
  const bHigh = splitter * b - (splitter * b - b);
  const bLow = b - bHigh;
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
}
