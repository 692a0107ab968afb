import type { Series } from './time-series.tsx';

export interface TimedValue {
  /** ISO 8601. */
  readonly at: string;
  readonly name: string;
  readonly value: number;
}

const mostSeries = 8;

/** Rows of an analysis as series over the same times: the largest ones, with 0 where there is no row. */
export function seriesOfRows(rows: readonly TimedValue[]): {
  readonly timesMs: readonly number[];
  readonly series: readonly Series[];
} {
  const times = [...new Set(rows.map(({ at }) => at))].toSorted((a, b) => Date.parse(a) - Date.parse(b));
  const places = new Map(times.map((at, index) => [at, index]));
  const byName = new Map<string, number[]>();
  for (const { at, name, value } of rows) {
    const values = byName.get(name) ?? times.map(() => 0);
    const place = places.get(at) ?? 0;
    values[place] = (values[place] ?? 0) + value;
    byName.set(name, values);
  }
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const series = Array.from(byName, ([name, values]) => ({ name, values }))
    .toSorted((a, b) => sum(b.values) - sum(a.values))
    .slice(0, mostSeries);
  return { timesMs: times.map((at) => Date.parse(at)), series };
}
