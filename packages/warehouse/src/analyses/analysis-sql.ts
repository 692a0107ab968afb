import { quotePath, quoteString } from '../quote.ts';

/** By the time of events: the first millisecond inclusive, the second exclusive. */
export interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
  /** The IANA name of the zone in which days, weeks, months and hours start. */
  readonly timeZone: string;
}

export type Period = 'hour' | 'day' | 'week' | 'month';

/** The dotted path of a member of an event, and the condition on its value. */
export interface Condition {
  readonly member: string;
  readonly is: 'equal' | 'notEqual' | 'less' | 'lessOrEqual' | 'greater' | 'greaterOrEqual';
  readonly value: string | number | boolean;
}

/** When an event happened, or when it arrived. */
export type TimeColumn = 'occurred' | 'received';

export const ofPlayers = "account_id != ''";

/** The condition that an event happened in the range, or arrived in it. */
export function inRange({ fromMs, toMs }: TimeRange, column: TimeColumn = 'occurred'): string {
  return `${column} >= ${instant(fromMs)} AND ${column} < ${instant(toMs)}`;
}

const firstMs = Date.UTC(1970, 0, 1);
const lastMs = Date.UTC(2299, 11, 31);

/** ClickHouse stores no time outside these bounds. */
export function instant(ms: number): string {
  const text = new Date(Math.min(Math.max(ms, firstMs), lastMs)).toISOString();
  return `toDateTime64('${text.slice(0, 23).replace('T', ' ')}', 3, 'UTC')`;
}

const starts: Readonly<Record<Period, (column: string, zone: string) => string>> = {
  hour: (column, zone) => `toStartOfHour(${column}, ${zone})`,
  day: (column, zone) => `toDate(${column}, ${zone})`,
  week: (column, zone) => `toStartOfWeek(${column}, 1, ${zone})`,
  month: (column, zone) => `toStartOfMonth(${column}, ${zone})`,
};

/** The period of an event in the zone of the range: an hour, or the date of its first day. Weeks start on Monday. */
export function periodOf(period: Period, { timeZone }: TimeRange, column = 'occurred'): string {
  return starts[period](column, quoteString(timeZone));
}

/** The instant at which a period started, in RFC 3339 and UTC. */
export function startText(expression: string, period: Period, range: TimeRange): string {
  const start = period === 'hour' ? expression : startOfDate(expression, range);
  return `formatDateTime(${start}, '%Y-%m-%dT%H:%i:%SZ', 'UTC')`;
}

/** The first instant of a date in the zone of the range. */
export function startOfDate(expression: string, { timeZone }: TimeRange): string {
  return `toDateTime(${expression}, ${quoteString(timeZone)})`;
}

/** The value of a member as text, for every stored type. Null if it is absent. */
export function memberText(member: string): string {
  return `CAST(data.${quotePath(member)}, 'Nullable(String)')`;
}

/** Finds what `memberText` writes. It is never in a text: a text escapes the quotes. */
export const memberPattern = /CAST\(data\.(?:`(?:[^`\\]|\\.)*`\.?)+, 'Nullable\(String\)'\)/gs;

/**
 * The number of distinct accounts. Hashing them to 64 bits first halves the time; two of a million accounts have the
 * same hash once in 30 million answers.
 */
export function distinctAccounts(condition = '1'): string {
  const account = 'cityHash64(account_id)';
  return condition === '1' ? `uniqExact(${account})` : `uniqExactIf(${account}, ${condition})`;
}

function listText(values: readonly string[]): string {
  return `(${values.map(quoteString).join(', ')})`;
}

/** The condition that an event has one of the types. No types means any type. */
export function ofTypes(types: readonly string[]): string {
  return types.length === 0 ? '1' : `type IN ${listText(types)}`;
}

const operators: Readonly<Record<Condition['is'], string>> = {
  equal: '=',
  notEqual: '!=',
  less: '<',
  lessOrEqual: '<=',
  greater: '>',
  greaterOrEqual: '>=',
};

/** An event without the member matches no condition on it. */
export function conditionsSql(conditions: readonly Condition[]): string {
  const parts = conditions.map(({ member, is, value }) => {
    const text = memberText(member);
    return typeof value === 'number'
      ? `ifNull(toFloat64OrNull(${text}) ${operators[is]} ${value}, 0)`
      : `ifNull(${text} ${operators[is]} ${quoteString(String(value))}, 0)`;
  });
  return parts.length === 0 ? '1' : parts.join(' AND ');
}

export function allOf(...conditions: readonly string[]): string {
  const needed = conditions.filter((condition) => condition !== '1');
  return needed.length === 0 ? '1' : needed.join(' AND ');
}
