import type { Bar } from '../../../charts/bars.tsx';
import type { Series } from '../../../charts/time-series.tsx';
import {
  cellText,
  isInteger,
  isName,
  isNumber,
  isTime,
  type QueryAnswer,
  type ResultColumn,
  zoneOf,
} from './read-result.ts';

export type Chart =
  | { readonly kind: 'line'; readonly timesMs: readonly number[]; readonly series: readonly Series[] }
  | { readonly kind: 'bars'; readonly name: string; readonly bars: readonly Bar[] }
  | { readonly kind: 'number'; readonly name: string; readonly value: number };

const mostSeries = 8;
const mostBars = 50;
const mostTimes = 20_000;

type Shape = Pick<QueryAnswer, 'columns' | 'rows'>;

/** The chart that the shape of a result allows: a line over time, bars per name, or one number. Null if none does. */
export function chartOf(answer: Shape, write: (value: number) => string): Chart | null {
  return lineOf(answer) ?? numberOf(answer) ?? barsOf(answer, write);
}

function lineOf({ columns, rows }: Shape): Chart | null {
  const times = indexesOf(columns, isTime);
  const numbers = indexesOf(columns, isNumber);
  const names = indexesOf(columns, isName);
  const [time] = times;
  const isWhole = times.length + names.length + numbers.length === columns.length;
  const isLine = isWhole && times.length === 1 && names.length <= 1 && numbers.length > 0;
  if (time === undefined || !isLine) return null;
  const zone = zoneOf(columns[time]?.type ?? '');
  const known = memoized((text) => timeOf(text, zone));
  const atMs = (row: readonly unknown[]) => known(cellText(row[time]));
  const timesMs = [...new Set(rows.map(atMs))].filter(Number.isFinite).toSorted((a, b) => a - b);
  if (timesMs.length < 2 || timesMs.length > mostTimes) return null;
  return {
    kind: 'line',
    timesMs,
    series: seriesOf({ columns, rows }, { timesMs, atMs, numbers, split: names[0] }),
  };
}

interface Axes {
  readonly timesMs: readonly number[];
  readonly atMs: (row: readonly unknown[]) => number;
  readonly numbers: readonly number[];
  /** The column that splits a number into several series. */
  readonly split: number | undefined;
}

/** A missing time is a gap. Rows of the same time and name are added up. */
function seriesOf({ columns, rows }: Shape, { timesMs, atMs, numbers, split }: Axes): Series[] {
  const places = new Map(timesMs.map((at, index) => [at, index]));
  const found = new Map<string, (number | null)[]>();
  for (const row of rows) {
    const place = places.get(atMs(row));
    if (place === undefined) continue;
    for (const number of numbers) {
      const name = seriesName(columns[number]?.name ?? '', split === undefined ? null : row[split], numbers);
      const values = found.get(name) ?? timesMs.map(() => null);
      values[place] = (values[place] ?? 0) + Number(row[number] ?? 0);
      found.set(name, values);
    }
  }
  return largest(found);
}

function seriesName(column: string, split: unknown, numbers: readonly number[]): string {
  if (split === null) return column;
  const name = cellText(split) || '–';
  return numbers.length > 1 ? `${name} · ${column}` : name;
}

function largest(found: ReadonlyMap<string, readonly (number | null)[]>): Series[] {
  const sum = (values: readonly (number | null)[]) =>
    values.reduce<number>((all, each) => all + (each ?? 0), 0);
  return Array.from(found, ([name, values]) => ({ name, values }))
    .toSorted((a, b) => sum(b.values) - sum(a.values))
    .slice(0, mostSeries);
}

function numberOf({ columns, rows }: Shape): Chart | null {
  const [column] = columns;
  const value = rows[0]?.[0];
  if (column === undefined || columns.length !== 1 || rows.length !== 1 || !isNumber(column.type))
    return null;
  return value === null ? null : { kind: 'number', name: column.name, value: Number(value) };
}

/** A name and a number, or a whole number and a number, such as a level and how many reached it. */
function barsOf({ columns, rows }: Shape, write: (value: number) => string): Chart | null {
  const [name, second] = columns;
  if (name === undefined || second === undefined || rows.length === 0 || rows.length > mostBars) return null;
  const isNamed = isName(name.type) || (columns.length === 2 && isInteger(name.type));
  const value = columns.findIndex(({ type }, index) => index > 0 && isNumber(type));
  if (!isNamed || value === -1) return null;
  const bars = rows.map((row) => {
    const amount = Number(row[value] ?? 0);
    return { name: cellText(row[0]) || '–', value: amount, text: write(amount) };
  });
  const names = new Set(bars.map((bar) => bar.name));
  if (names.size < bars.length || bars.some((bar) => !(bar.value >= 0))) return null;
  return { kind: 'bars', name: columns[value]?.name ?? '', bars };
}

function indexesOf(columns: readonly ResultColumn[], is: (type: string) => boolean): number[] {
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

/** The instant of a time that is written in a zone without its offset. NaN if it is none. */
export function timeOf(text: string, zone: string): number {
  const asUtc = Date.parse(`${text.replace(' ', 'T')}${text.length > 10 ? 'Z' : ''}`);
  if (zone === 'UTC' || Number.isNaN(asUtc)) return asUtc;
  // Twice: the first guess may be on the other side of a change of the clocks.
  const guess = asUtc - offsetMs(asUtc, zone);
  return asUtc - offsetMs(guess, zone);
}

function offsetMs(at: number, zone: string): number {
  const parts = offsetFormat(zone).formatToParts(at);
  const [, sign = '+', hours = '0', minutes = '0'] =
    /GMT(?:([+-])(\d+):?(\d+)?)?/.exec(parts.find(({ type }) => type === 'timeZoneName')?.value ?? '') ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function offsetFormat(zone: string): Intl.DateTimeFormat {
  const found =
    formats.get(zone) ?? new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  formats.set(zone, found);
  return found;
}
