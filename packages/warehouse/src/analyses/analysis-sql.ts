import { quotePath } from '../quote.ts';

/** One SELECT, with everything that somebody typed as a parameter; `project` is one that whoever runs it adds. */
export interface AnalysisQuery {
  readonly sql: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** From the first millisecond to before the second, by when events happened. */
export interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

export type Period = 'hour' | 'day' | 'week' | 'month';

/** A member of an event, by its dotted path, and what its value has to be. */
export interface Condition {
  readonly member: string;
  readonly is: 'equal' | 'notEqual' | 'less' | 'lessOrEqual' | 'greater' | 'greaterOrEqual';
  readonly value: string | number | boolean;
}

export const ofProject = 'project = {project:String}';
export const ofPlayers = "account_id != ''";
export const inRange =
  'occurred >= fromUnixTimestamp64Milli({from:Int64}) AND occurred < fromUnixTimestamp64Milli({to:Int64})';

export function rangeParameters({ fromMs, toMs }: TimeRange): Record<string, unknown> {
  return { from: String(fromMs), to: String(toMs) };
}

const starts: Readonly<Record<Period, string>> = {
  hour: 'toStartOfHour(occurred)',
  day: 'toStartOfDay(occurred)',
  week: 'toStartOfWeek(occurred, 1)',
  month: 'toStartOfMonth(occurred)',
};

/** The beginning of the period that an event is in, in UTC; weeks begin on Mondays. */
export function startOf(period: Period): string {
  return `toDateTime(${starts[period]}, 'UTC')`;
}

export function isoTime(expression: string): string {
  return `formatDateTime(${expression}, '%Y-%m-%dT%H:%i:%SZ', 'UTC')`;
}

/** A member's value as text, whatever type it was stored as; null where it is missing. */
export function memberText(member: string): string {
  return `CAST(data.${quotePath(member)}, 'Nullable(String)')`;
}

const operators: Readonly<Record<Condition['is'], string>> = {
  equal: '=',
  notEqual: '!=',
  less: '<',
  lessOrEqual: '<=',
  greater: '>',
  greaterOrEqual: '>=',
};

/** An event without the member meets no condition on it. Adds the values to the parameters under names with the prefix. */
export function conditionsSql(
  conditions: readonly Condition[],
  prefix: string,
  parameters: Record<string, unknown>,
): string {
  const parts = conditions.map(({ member, is, value }, n) => {
    const name = `${prefix}${n}`;
    parameters[name] = String(value);
    const text = memberText(member);
    return typeof value === 'number'
      ? `ifNull(toFloat64OrNull(${text}) ${operators[is]} {${name}:Float64}, 0)`
      : `ifNull(${text} ${operators[is]} {${name}:String}, 0)`;
  });
  return parts.length === 0 ? '1' : parts.join(' AND ');
}
