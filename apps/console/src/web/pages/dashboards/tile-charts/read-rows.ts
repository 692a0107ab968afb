/** The answer of a query in the format JSON. */
export interface QueryAnswer {
  readonly meta: readonly { readonly name: string; readonly type: string }[];
  readonly data: readonly Readonly<Record<string, unknown>>[];
}

export type Cell = string | number | null;

export interface Column {
  readonly name: string;
  readonly kind: 'number' | 'time' | 'text';
}

export interface Rows {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
}

const wrapped = '(?:Nullable\\(|LowCardinality\\()*';
const numberType = new RegExp(`^${wrapped}(?:U?Int|Float|Decimal|BFloat)`);
const timeType = new RegExp(`^${wrapped}Date`);

export function readRows({ meta, data }: QueryAnswer): Rows {
  const columns = meta.map(({ name, type }) => ({ name, kind: kindOf(type) }));
  return {
    columns,
    rows: data.map((row) => columns.map(({ name, kind }) => readCell(row[name], kind))),
  };
}

function kindOf(type: string): Column['kind'] {
  if (numberType.test(type)) return 'number';
  return timeType.test(type) ? 'time' : 'text';
}

/** ClickHouse writes large integers as text. One that a number cannot hold exactly stays text. */
function readCell(value: unknown, kind: Column['kind']): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value === 'object') return JSON.stringify(value);
  if (kind !== 'number') return String(value);
  const number = Number(value);
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? String(value) : number;
}

/** Times of ClickHouse are in UTC and carry no zone. */
export function readTime(text: string): number {
  return Date.parse(text.includes(' ') ? `${text.replace(' ', 'T')}Z` : text);
}

export interface NamedValue {
  readonly name: string;
  readonly value: number;
}

/** For bars: the first number of each row, named by its texts, or by its first column. */
export function barsOf({ columns, rows }: Rows, without: string): NamedValue[] {
  const texts = placesOf(columns, ({ kind }) => kind === 'text');
  const names = texts.length > 0 ? texts : [0];
  const value = columns.findIndex(({ kind }, index) => kind === 'number' && !names.includes(index));
  const sums = new Map<string, number>();
  for (const row of rows) {
    const name = names.map((index) => row[index] ?? without).join(' · ');
    sums.set(name, (sums.get(name) ?? 0) + Number(row[value] ?? 0));
  }
  return Array.from(sums, ([name, sum]) => ({ name, value: sum }));
}

export interface Lines {
  readonly xs: readonly number[];
  readonly isTime: boolean;
  readonly series: readonly { readonly name: string; readonly values: readonly (number | null)[] }[];
}

/**
 * For lines: over the first time, or else over the first number. With texts there is a line for each of them, of the
 * next number; without, one for each number.
 */
export function linesOf(table: Rows, without: string): Lines | null {
  const { columns } = table;
  const time = columns.findIndex(({ kind }) => kind === 'time');
  const x = time === -1 ? columns.findIndex(({ kind }) => kind === 'number') : time;
  const numbers = placesOf(columns, ({ kind }, index) => kind === 'number' && index !== x);
  if (x === -1 || numbers.length === 0) return null;
  const points = pointsOf(table, { x, numbers, without });
  const xs = [...new Set(points.map((point) => point.x))].filter(Number.isFinite).toSorted((a, b) => a - b);
  const places = new Map(xs.map((each, index) => [each, index]));
  const byName = new Map<string, (number | null)[]>();
  for (const { x: at, name, value } of points) {
    const values = byName.get(name) ?? xs.map(() => null);
    const place = places.get(at);
    if (place !== undefined) values[place] = value;
    byName.set(name, values);
  }
  const series = Array.from(byName, ([name, values]) => ({ name, values })).slice(0, mostSeries);
  return { xs, isTime: time !== -1, series };
}

interface Drawn {
  readonly x: number;
  readonly numbers: readonly number[];
  readonly without: string;
}

interface LinePoint extends NamedValue {
  readonly x: number;
}

function pointsOf({ columns, rows }: Rows, { x, numbers, without }: Drawn): LinePoint[] {
  const texts = placesOf(columns, ({ kind }) => kind === 'text');
  const isTime = columns[x]?.kind === 'time';
  const drawn = texts.length > 0 ? numbers.slice(0, 1) : numbers;
  return rows.flatMap((row) =>
    drawn.flatMap((index) => {
      const value = row[index];
      if (typeof value !== 'number') return [];
      const named = texts.map((text) => row[text] ?? without).join(' · ');
      const at = isTime ? readTime(String(row[x])) : Number(row[x]);
      return [{ x: at, name: texts.length > 0 ? named : (columns[index]?.name ?? ''), value }];
    }),
  );
}

const mostSeries = 12;

function placesOf(columns: readonly Column[], is: (column: Column, index: number) => boolean): number[] {
  return columns.flatMap((column, index) => (is(column, index) ? [index] : []));
}
