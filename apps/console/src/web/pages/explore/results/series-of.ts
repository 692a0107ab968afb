import type { RowOf } from '../../../api/call.ts';
import type { Series } from '../../../charts/time-series.tsx';
import type { ResolvedRange } from '../../../time/time-range.ts';
import { fromWallTime, toWallTime } from '../../../time/wall-time.ts';
import type { Per } from '../explore-search.ts';

/** A figure of one series at one time. */
export interface Point {
  readonly at: string;
  readonly series: string;
  readonly value: number;
}

interface Charted {
  readonly timesMs: readonly number[];
  readonly series: readonly Series[];
}

/**
 * Points as series over the periods of a range, the largest series first. A period without a point is 0: nothing
 * happened in it. Points that are in no period are left out.
 */
export function seriesOf(points: readonly Point[], periodsMs: readonly number[]): Charted {
  const position = new Map(periodsMs.map((at, index) => [at, index]));
  const byName = new Map<string, number[]>();
  for (const { at, series, value } of points) {
    const index = position.get(Date.parse(at));
    if (index === undefined) continue;
    const values = byName.get(series) ?? periodsMs.map(() => 0);
    values[index] = (values[index] ?? 0) + value;
    byName.set(series, values);
  }
  const series = [...byName].map(([name, values]) => ({ name, values }));
  return { timesMs: periodsMs, series: series.toSorted((a, b) => sumOf(b.values) - sumOf(a.values)) };
}

/** For values that can be added. */
export function withTotal(series: Series): Series {
  return { ...series, total: sumOf(series.values) };
}

export function sumOf(values: Series['values']): number {
  return values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
}

export function sessionSeries(
  rows: readonly RowOf<'POST /v1/analyses/session-length'>[],
  names: Readonly<Record<'median' | 'mean' | 'p90', string>>,
): Charted {
  const sorted = rows.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
  return {
    timesMs: sorted.map(({ at }) => Date.parse(at)),
    series: [
      { name: names.median, values: sorted.map(({ medianSeconds }) => medianSeconds) },
      { name: names.mean, values: sorted.map(({ meanSeconds }) => meanSeconds) },
      { name: names.p90, values: sorted.map(({ p90Seconds }) => p90Seconds) },
    ],
  };
}

const mostPeriods = 2_000;

/** When the periods of a range begin, in a zone. Hours and days of a change of the clock are as long as they are there. */
export function periodsOf({ fromMs, toMs }: ResolvedRange, per: Per, zone: string): number[] {
  const starts: number[] = [];
  let at = startOf(fromMs, per, zone);
  while (at < toMs && starts.length < mostPeriods) {
    starts.push(at);
    const next = startOf(at + shortMs[per], per, zone);
    at = next > at ? next : startOf(at + longMs[per], per, zone);
  }
  return starts;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Within the next period, whatever the clock does; and surely beyond this one. */
const shortMs = { hour: hourMs, day: 26 * hourMs, week: 8 * dayMs, month: 32 * dayMs } as const;
const longMs = { hour: 2 * hourMs, day: 49 * hourMs, week: 9 * dayMs, month: 40 * dayMs } as const;

/** The start of the period that a time is in. Weeks begin on Monday. */
function startOf(atMs: number, per: Per, zone: string): number {
  if (per === 'hour') return atMs - (((minutesOf(atMs, zone) * 60_000 + (atMs % 60_000)) % hourMs) as number);
  const day = toWallTime(atMs, zone).slice(0, 10);
  if (per === 'month') return fromWallTime(`${day.slice(0, 7)}-01T00:00:00`, zone);
  if (per === 'day') return fromWallTime(`${day}T00:00:00`, zone);
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  return fromWallTime(`${date.toISOString().slice(0, 10)}T00:00:00`, zone);
}

/** Minutes past the hour on a clock in the zone; some zones differ from UTC by half an hour. */
function minutesOf(atMs: number, zone: string): number {
  return Number(toWallTime(atMs, zone).slice(14, 16));
}
