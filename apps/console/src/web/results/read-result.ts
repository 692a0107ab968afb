import type { CsvCell } from '../export/csv.ts';
import type { Formats } from '../time/format-values.ts';
import { fromWallTime } from '../time/wall-time.ts';

export interface ResultColumn {
  readonly name: string;
  /** In ClickHouse. */
  readonly type: string;
}

/** The columns of a result, and its rows with the values as ClickHouse writes them. */
export interface Shape {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly (readonly unknown[])[];
}

export interface QueryAnswer extends Shape {
  /** Null if the answer is not whole. */
  readonly cost: { readonly ms: number; readonly rows: number } | null;
  readonly bytes: number;
  /** Whether there are more rows than these. */
  readonly isCut: boolean;
}

/** The most that a page takes of an answer. The tables of a browser are no taller than half a million rows. */
const mostBytes = 64 * 1024 * 1024;
const mostRows = 500_000;
/** ClickHouse writes one member per line, so that only a row begins or ends with exactly two tabs. */
const rowEnd = '\n\t\t}';

/** Reads an answer in JSON as it arrives, and stops where a page could not show more. */
export async function readAnswer(answer: Response): Promise<QueryAnswer> {
  const reader = answer.body?.getReader();
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let bytes = 0;
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
    bytes += part.value.byteLength;
    parts.push(decoder.decode(part.value, { stream: true }));
    if (bytes <= mostBytes) continue;
    await reader?.cancel();
    return parseAnswer(closeCut(parts.join('')), bytes, true);
  }
  return parseAnswer(parts.join(''), bytes, false);
}

function closeCut(text: string): string {
  const end = text.lastIndexOf(rowEnd);
  return end === -1 ? '' : `${text.slice(0, end + rowEnd.length)}]}`;
}

export interface JsonAnswer {
  readonly meta: readonly ResultColumn[];
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly cost?: { readonly ms: number; readonly rows: number };
}

/** Throws if the text is not whole: the query failed after its first rows. */
function parseAnswer(text: string, bytes: number, isCut: boolean): QueryAnswer {
  const { meta, data, cost } = JSON.parse(text) as JsonAnswer;
  const shown = data.length > mostRows ? data.slice(0, mostRows) : data;
  return {
    ...shapeOf({ meta, data: shown }),
    cost: cost ?? null,
    bytes,
    isCut: isCut || data.length > mostRows,
  };
}

export function shapeOf({ meta, data }: JsonAnswer): Shape {
  const columns = meta.map((column) =>
    hasInstants(column, data) ? { ...column, type: 'DateTime' } : column,
  );
  return { columns, rows: data.map((row) => meta.map(({ name }) => row[name] ?? null)) };
}

/** Analyses write their times as texts, and so does their SQL. */
function hasInstants({ name, type }: ResultColumn, data: JsonAnswer['data']): boolean {
  const isInstant = (value: unknown) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(value);
  return type === 'String' && data.length > 0 && data.every((row) => isInstant(row[name]));
}

export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

export interface TimesOfPage {
  readonly zone: string;
  readonly formats: Pick<Formats, 'time' | 'date'>;
}

/** A value as a page shows it, in every table and chart: an instant in the zone of the page, a day as that day. */
export function shownText(value: unknown, { type }: ResultColumn, { zone, formats }: TimesOfPage): string {
  const text = cellText(value);
  if (text === '' || !isTime(type)) return text;
  const at = readTime(text, type, zone);
  if (isDate(type)) return formats.date(at);
  const fraction = /\.\d*[1-9]/.exec(text)?.[0] ?? '';
  return formats.time(at) + fraction;
}

/** The name of a column. That of instants also names the zone in which they are shown. */
export function headOf({ name, type }: ResultColumn, zone: string): string {
  return isTime(type) && !isDate(type) ? `${name} (${zone})` : name;
}

/** For a table: a number stays one, also when ClickHouse writes it as a text to keep its digits. */
export function cellOf(value: unknown, { type }: ResultColumn): CsvCell {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  const text = cellText(value);
  return isNumber(type) && Number.isSafeInteger(Number(text)) ? Number(text) : text;
}

const mostDecimals = 2;

/** How many digits after the point these numbers need where their points are aligned. */
export function decimalsOf(numbers: readonly unknown[]): number {
  const needed = numbers.map((each) => /\.(\d+)$/.exec(cellText(each))?.[1]?.length ?? 0);
  return Math.min(
    mostDecimals,
    needed.reduce((most, each) => Math.max(most, each), 0),
  );
}

/** The type within `Nullable` and `LowCardinality`. */
function bareType(type: string): string {
  return /^(?:Nullable|LowCardinality)\((.*)\)$/s.exec(type)?.[1] ?? type;
}

function innerType(type: string): string {
  return bareType(bareType(type));
}

export function isNumber(type: string): boolean {
  return /^(?:U?Int\d+|Float\d+|Decimal)/.test(innerType(type));
}

export function isInteger(type: string): boolean {
  return /^U?Int\d+/.test(innerType(type));
}

export function isTime(type: string): boolean {
  return /^Date/.test(innerType(type));
}

export function isName(type: string): boolean {
  return /^(?:String|FixedString|Enum|UUID|Bool)/.test(innerType(type));
}

/** A day without a time: of no zone. */
export function isDate(type: string): boolean {
  return /^Date(?:32)?$/.test(innerType(type));
}

/**
 * The instant of a time as ClickHouse or an analysis writes it; NaN if it is none. A date is the start of that day in the
 * page's zone, so that the page shows the same day. In an hour that a zone has twice, a text means the earlier one.
 */
export function readTime(text: string, type: string, zone: string): number {
  if (text.endsWith('Z')) return Date.parse(text);
  return fromWallTime(text.replace(' ', 'T'), isDate(type) ? zone : zoneOf(type));
}

/** The time zone in which a value of the column is written. */
function zoneOf(type: string): string {
  return /'([^']+)'\)$/.exec(innerType(type))?.[1]?.replaceAll('\\/', '/') ?? 'UTC';
}
