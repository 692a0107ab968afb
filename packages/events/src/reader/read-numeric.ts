import { exactInteger } from '@tickrate/contract';
import { isInRange } from '../declaration/explain-event.ts';
import {
  type IntegerShape,
  isListed,
  isMultipleOf,
  type NumberShape,
  takesDecimalText,
} from '../declaration/shape.ts';
import type { RowWriter } from '../rows/row-writer.ts';
import { longDecimal } from './long-decimal.ts';

/* The parts of the generated readers for numbers. The conventions are those of read-text.ts. */

export interface IntegerRule {
  readonly shape: IntegerShape;
  readonly lowest: number;
  readonly highest: number;
  readonly isNarrow: boolean;
  readonly takesText: boolean;
  readonly checksMore: boolean;
}

export function integerRule(shape: IntegerShape): IntegerRule {
  return {
    shape,
    lowest: Number(shape.minimum),
    highest: Number(shape.maximum),
    isNarrow: shape.format === 'int32',
    takesText: takesDecimalText(shape),
    checksMore: shape.multipleOf !== null || shape.allowed !== null,
  };
}

export function readInteger(s: Buffer, i: number, w: RowWriter, rule: IntegerRule): number {
  const isNegative = s[i] === 0x2d;
  const start = isNegative ? i + 1 : i;
  let j = start;
  let value = 0;
  let digit = (s[j] ?? 0) - 0x30;
  while (digit >= 0 && digit <= 9) {
    value = value * 10 + digit;
    digit = (s[++j] ?? 0) - 0x30;
  }
  const digits = j - start;
  const next = s[j];
  const isPlain = digits > 0 && digits <= 15 && next !== 0x2e && next !== 0x65 && next !== 0x45;
  if (!isPlain) return readUnusualInteger(s, i, w, rule);
  if (digits > 1 && s[start] === 0x30) return -1;
  if (isNegative) value = -value;
  // Fifteen digits are exact in a double. So is their comparison with a bound, even if the bound was rounded.
  if (value < rule.lowest || value > rule.highest) return -1;
  if (rule.checksMore && !isAllowed(BigInt(value), rule.shape)) return -1;
  if (rule.isNarrow) w.int32(value);
  else w.int64(value);
  return j;
}

/** 16 digits and more, decimal strings, and floats without a fraction such as 1e3. */
function readUnusualInteger(s: Buffer, i: number, w: RowWriter, rule: IntegerRule): number {
  const isText = rule.takesText && s[i] === 0x22;
  const start = isText ? i + 1 : i;
  const end = numberEnd(s, start);
  if (end - start > 40 || (isText && s[end] !== 0x22)) return -1;
  const token = s.toString('latin1', start, end);
  const value = isText ? decimal(token) : integral(token);
  if (value === null || value < rule.shape.minimum || value > rule.shape.maximum) return -1;
  if (rule.checksMore && !isAllowed(value, rule.shape)) return -1;
  if (rule.isNarrow) w.int32(Number(value));
  else w.wide(value);
  return isText ? end + 1 : end;
}

function decimal(token: string): bigint | null {
  return /^(?:-?[1-9][0-9]{0,19}|0)$/.test(token) ? BigInt(token) : null;
}

function integral(token: string): bigint | null {
  if (/^-?(?:0|[1-9][0-9]*)$/.test(token)) return BigInt(token);
  if (!jsonNumber.test(token)) return null;
  const value = Number(token);
  return Number.isSafeInteger(value) ? BigInt(value) : exactInteger(token);
}

function isAllowed(value: bigint, shape: IntegerShape): boolean {
  if (shape.multipleOf !== null && value % shape.multipleOf !== 0n) return false;
  return shape.allowed === null || isListed(shape.allowed, value);
}

export interface NumberRule {
  readonly shape: NumberShape;
  readonly isBounded: boolean;
}

export function numberRule(shape: NumberShape): NumberRule {
  const isBounded =
    shape.minimum > Number.NEGATIVE_INFINITY ||
    shape.maximum < Number.POSITIVE_INFINITY ||
    shape.exclusiveMinimum > Number.NEGATIVE_INFINITY ||
    shape.exclusiveMaximum < Number.POSITIVE_INFINITY ||
    shape.multipleOf !== null ||
    shape.allowed !== null;
  return { shape, isBounded };
}

const jsonNumber = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
const powersOfTen = Float64Array.from({ length: 16 }, (_, n) => 10 ** n);

export function readNumber(s: Buffer, i: number, w: RowWriter, rule: NumberRule): number {
  const isNegative = s[i] === 0x2d;
  const start = isNegative ? i + 1 : i;
  let j = start;
  let mantissa = 0;
  let digit = (s[j] ?? 0) - 0x30;
  while (digit >= 0 && digit <= 9) {
    mantissa = mantissa * 10 + digit;
    digit = (s[++j] ?? 0) - 0x30;
  }
  const whole = j - start;
  let fraction = 0;
  if (s[j] === 0x2e) {
    digit = (s[++j] ?? 0) - 0x30;
    while (digit >= 0 && digit <= 9) {
      mantissa = mantissa * 10 + digit;
      fraction++;
      digit = (s[++j] ?? 0) - 0x30;
    }
    if (fraction === 0) return -1;
  }
  if (whole === 0 || (whole > 1 && s[start] === 0x30)) return -1;
  const hasExponent = s[j] === 0x65 || s[j] === 0x45;
  if (hasExponent) {
    j = exponentEnd(s, j + 1);
    if (j < 0) return -1;
  }
  let size = Number.NaN;
  // Up to 15 digits both are exact in a double, so the quotient is the double nearest to the decimal text.
  if (whole + fraction <= 15) size = mantissa / (powersOfTen[fraction] ?? 1);
  else if (!hasExponent) size = longDecimal(s, start, j, fraction);
  if (hasExponent || Number.isNaN(size)) size = Number(s.toString('latin1', start, j));
  return writeNumber(w, isNegative ? -size : size, rule) ? j : -1;
}

function exponentEnd(s: Buffer, i: number): number {
  const start = s[i] === 0x2b || s[i] === 0x2d ? i + 1 : i;
  let j = start;
  while (isDigit(s[j])) j++;
  return j === start ? -1 : j;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

function writeNumber(w: RowWriter, value: number, { shape, isBounded }: NumberRule): boolean {
  if (!Number.isFinite(value)) return false;
  if (isBounded) {
    if (!isInRange(shape, value)) return false;
    if (shape.multipleOf !== null && !isMultipleOf(value, shape.multipleOf)) return false;
    if (shape.allowed !== null && !isListed(shape.allowed, value)) return false;
  }
  w.float64(value);
  return true;
}

function numberEnd(s: Buffer, start: number): number {
  let j = start;
  for (;;) {
    const c = s[j] ?? 0;
    const isPart =
      (c >= 0x30 && c <= 0x39) || c === 0x2d || c === 0x2b || c === 0x2e || c === 0x65 || c === 0x45;
    if (!isPart) return j;
    j++;
  }
}
