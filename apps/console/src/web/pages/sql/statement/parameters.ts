import type { ResolvedRange } from '../../../time/time-range.ts';
import { plainSql } from './plain-sql.ts';

export interface Parameter {
  readonly name: string;
  /** As written: `Array(String)`. */
  readonly type: string;
}

const mostParameters = 50;

/** The parameters `{name:Type}` of a statement, each once. */
export function parametersOf(sql: string): Parameter[] {
  const found = new Map<string, string>();
  for (const { index, 0: match } of plainSql(sql).matchAll(/\{\s*\w+\s*:[^{}]+\}/g)) {
    // The type may contain a text, as in DateTime('UTC'), which is blank in the plain statement.
    const [, name = '', type = ''] =
      /^\{\s*(\w+)\s*:([^{}]+)\}$/.exec(sql.slice(index, index + match.length)) ?? [];
    if (name !== '' && !found.has(name)) found.set(name, type.trim());
  }
  return Array.from(found, ([name, type]) => ({ name, type })).slice(0, mostParameters);
}

/** Whether an empty field takes the time range of the page: `{from:DateTime}` and `{to:DateTime}`. */
export function isOfRange({ name, type }: Parameter): boolean {
  return (name === 'from' || name === 'to') && /^(?:Date|Date32|DateTime|DateTime64(?:\(\d\))?)$/.test(type);
}

type Value = string | null | (string | number | boolean | null)[];

/** What is sent for what was typed. Texts stay texts: ClickHouse reads a number from one, with every digit. */
export function parameterValues(
  parameters: readonly Parameter[],
  typed: Readonly<Record<string, string>>,
  range: ResolvedRange,
): Record<string, Value> {
  const given = parameters.filter((each) => (typed[each.name] ?? '') !== '' || mayBeEmpty(each));
  return Object.fromEntries(given.map((each) => [each.name, sentValue(each, typed[each.name] ?? '', range)]));
}

/** An empty field of another type is not sent: the server then says that it is missing. */
function mayBeEmpty(parameter: Parameter): boolean {
  return isOfRange(parameter) || /^(?:Nullable|Array|String|LowCardinality\(String)/.test(parameter.type);
}

function sentValue(parameter: Parameter, typed: string, { fromMs, toMs }: ResolvedRange): Value {
  const { name, type } = parameter;
  if (typed === '' && isOfRange(parameter)) return rangeTime(type, name === 'from' ? fromMs : toMs);
  if (typed === '' && type.startsWith('Nullable(')) return null;
  return type.startsWith('Array(') ? listOf(typed) : typed;
}

function rangeTime(type: string, atMs: number): string {
  const text = new Date(atMs).toISOString().replace('T', ' ').replace('Z', '');
  if (type.startsWith('DateTime64')) return text;
  return type === 'DateTime' ? text.slice(0, 19) : text.slice(0, 10);
}

/** A JSON array, or values between commas. */
function listOf(typed: string): (string | number | boolean | null)[] {
  if (/^\s*\[/.test(typed)) {
    try {
      const value: unknown = JSON.parse(typed);
      if (Array.isArray(value)) return value.map((each) => (typeof each === 'object' ? null : each));
    } catch {
      // Not JSON: the values are read as they were typed, and the server says what is wrong with them.
    }
  }
  return typed === '' ? [] : typed.split(',').map((each) => each.trim());
}
