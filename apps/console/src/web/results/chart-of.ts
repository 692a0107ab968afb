import type { Series } from '../charts/time-series.tsx';
import {
  cellText,
  isDate,
  isInteger,
  isName,
  isNumber,
  isTime,
  readTime,
  type Shape,
  shownText,
  type TimesOfPage,
} from './read-result.ts';

export type Chart = 'line' | 'bar' | 'number' | 'table';

export interface Reading extends TimesOfPage {
  /** Stands for a missing name. */
  readonly without: string;
}

export interface NamedValue {
  readonly name: string;
  readonly value: number;
}

export interface LinesOfResult {
  /** Ascending. */
  readonly xs: readonly number[];
  /** `number`: `xs` are no times. */
  readonly xKind: 'time' | 'date' | 'number';
  readonly series: readonly Series[];
}

const mostSeries = 8;
const mostBars = 50;
const mostTimes = 20_000;

/** The chart that suits a result: a line over time, one number, bars for different names, or else only a table. */
export function chartOf(shape: Shape, reading: Reading): Chart {
  if (suitsLine(shape, reading)) return 'line';
  if (shape.columns.length === 1 && shape.rows.length === 1 && numberOf(shape) !== null) return 'number';
  return suitsBars(shape, reading) ? 'bar' : 'table';
}

/** One time, numbers, and at most one name that splits them. */
function suitsLine(shape: Shape, reading: Reading): boolean {
  const { columns } = shape;
  const [times, names, numbers] = [isTime, isName, isNumber].map((is) => indexesOf(columns, is).length);
  if (times !== 1 || (names ?? 0) > 1 || times + (names ?? 0) + (numbers ?? 0) !== columns.length)
    return false;
  const count = linesOf(shape, reading)?.xs.length ?? 0;
  return count > 1 && count <= mostTimes;
}

/** A name and a number, or a whole number and a number, such as a level and how many reached it. */
function suitsBars(shape: Shape, reading: Reading): boolean {
  const { columns, rows } = shape;
  const [type = '', ...others] = columns.map((column) => column.type);
  const isNamed = isName(type) || (others.length === 1 && isInteger(type));
  if (!isNamed || !others.some(isNumber) || rows.length === 0 || rows.length > mostBars) return false;
  const bars = barsOf(shape, reading);
  return bars.length === rows.length && bars.every(({ value }) => value >= 0);
}

/** The first number of the first row; null without one. */
export function numberOf({ columns, rows: [row] }: Shape): NamedValue | null {
  const at = columns.findIndex(({ type }) => isNumber(type));
  const value = row?.[at] ?? null;
  return value === null ? null : { name: columns[at]?.name ?? '', value: Number(value) };
}

/**
 * The first number of each row, named by its texts, or else by its time, or by its first column. Rows of the same name are
 * added up.
 */
export function barsOf({ columns, rows }: Shape, reading: Reading): NamedValue[] {
  const texts = indexesOf(columns, isSplit);
  const names = texts.length > 0 ? texts : [indexesOf(columns, isTime)[0] ?? 0];
  const value = columns.findIndex(({ type }, index) => isNumber(type) && !names.includes(index));
  const sums = new Map<string, NamedValue>();
  const taken = new Set<string>();
  for (const row of rows) {
    const key = names.map((index) => cellText(row[index])).join(' · ');
    const known = sums.get(key);
    const shown = known?.name ?? nameOf(row, { columns, names, reading });
    // In an hour that a zone has twice, two instants are shown alike.
    const name = known === undefined && taken.has(shown) ? `${shown} (${key})` : shown;
    taken.add(name);
    sums.set(key, { name, value: (known?.value ?? 0) + Number(row[value] ?? 0) });
  }
  return [...sums.values()];
}

/**
 * Lines over the first time, or else over the first number: one for each text and number, the largest ones. A missing value is
 * a gap. Rows of the same place and name are added up. Null if there is nothing to draw them over.
 */
export function linesOf(shape: Shape, reading: Reading): LinesOfResult | null {
  const { columns, rows } = shape;
  const x = indexesOf(columns, isTime)[0] ?? indexesOf(columns, isNumber)[0];
  const column = columns[x ?? -1];
  if (x === undefined || column === undefined) return null;
  const numbers = indexesOf(columns, isNumber).filter((index) => index !== x);
  if (numbers.length === 0) return null;
  const read = memoized((text) =>
    isTime(column.type) ? readTime(text, column.type, reading.zone) : Number(text),
  );
  const at = rows.map((row) => (row[x] === null ? Number.NaN : read(cellText(row[x]))));
  const known = [...new Set(at)].filter(Number.isFinite).toSorted((a, b) => a - b);
  const xs = isTime(column.type) ? withGaps(known) : known;
  const series = largest(sumsOf(shape, { at, xs, numbers, reading }));
  return { xs, xKind: kindOf(column.type), series };
}

/** Periods without a row break the lines, if most rows are of periods that follow each other. */
function withGaps(times: readonly number[]): number[] {
  const distances = times.slice(1).map((time, index) => time - (times[index] ?? time));
  const period = distances.reduce((least, distance) => Math.min(least, distance), Number.POSITIVE_INFINITY);
  const isGap = (distance = period) => distance > period * 1.5;
  if (distances.filter(isGap).length * 2 > distances.length) return [...times];
  return times.flatMap((time, index) => (isGap(distances[index]) ? [time, time + period] : [time]));
}

function kindOf(type: string): LinesOfResult['xKind'] {
  if (!isTime(type)) return 'number';
  return isDate(type) ? 'date' : 'time';
}

interface Axes {
  /** Of each row. */
  readonly at: readonly number[];
  readonly xs: readonly number[];
  readonly numbers: readonly number[];
  readonly reading: Reading;
}

function sumsOf(shape: Shape, { at, xs, numbers, reading }: Axes): Map<string, (number | null)[]> {
  const places = new Map(xs.map((each, index) => [each, index]));
  const found = new Map<string, (number | null)[]>();
  const nameOfLine = namesOfLines(shape, numbers, reading);
  for (const [index, row] of shape.rows.entries()) {
    const place = places.get(at[index] ?? Number.NaN);
    if (place === undefined) continue;
    for (const number of numbers) {
      const name = nameOfLine(row, number);
      const values = found.get(name) ?? xs.map(() => null);
      const value = row[number] ?? null;
      if (value !== null) values[place] = (values[place] ?? 0) + Number(value);
      found.set(name, values);
    }
  }
  return found;
}

function namesOfLines({ columns }: Shape, numbers: readonly number[], reading: Reading) {
  const texts = indexesOf(columns, isSplit);
  return (row: readonly unknown[], number: number): string => {
    const column = columns[number]?.name ?? '';
    if (texts.length === 0) return column;
    const split = nameOf(row, { columns, names: texts, reading });
    return numbers.length > 1 ? `${split} · ${column}` : split;
  };
}

/** Neither a number nor a time: it splits the numbers. */
function isSplit(type: string): boolean {
  return !isNumber(type) && !isTime(type);
}

interface Naming {
  readonly columns: Shape['columns'];
  readonly names: readonly number[];
  readonly reading: Reading;
}

function nameOf(row: readonly unknown[], { columns, names, reading }: Naming): string {
  const parts = names.map((index) => {
    const column = columns[index];
    return (column && shownText(row[index], column, reading)) || reading.without;
  });
  return parts.join(' · ');
}

function largest(found: ReadonlyMap<string, readonly (number | null)[]>): Series[] {
  const sum = (values: readonly (number | null)[]) =>
    values.reduce<number>((all, each) => all + (each ?? 0), 0);
  return Array.from(found, ([name, values]) => ({ name, values }))
    .toSorted((a, b) => sum(b.values) - sum(a.values))
    .slice(0, mostSeries);
}

function indexesOf(columns: Shape['columns'], is: (type: string) => boolean): number[] {
  return columns.flatMap(({ type }, index) => (is(type) ? [index] : []));
}

function memoized(read: (text: string) => number): (text: string) => number {
  const known = new Map<string, number>();
  return (text) => {
    const found = known.get(text) ?? read(text);
    known.set(text, found);
    return found;
  };
}
