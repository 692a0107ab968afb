import { quotePath } from '../quote.ts';

/** One SELECT with all user input as parameters. The code that runs it adds the parameter `project`. */
export interface AnalysisQuery {
  readonly sql: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** By the time of events: the first millisecond inclusive, the second exclusive. */
export interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

export type Period = 'hour' | 'day' | 'week' | 'month';

/** The dotted path of a member of an event, and the condition on its value. */
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

/** The start of the period of an event, in UTC. Weeks start on Monday. */
export function startOf(period: Period): string {
  return `toDateTime(${starts[period]}, 'UTC')`;
}

export function isoTime(expression: string): string {
  return `formatDateTime(${expression}, '%Y-%m-%dT%H:%i:%SZ', 'UTC')`;
}

/** The value of a member as text, for every stored type. Null if it is absent. */
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

/**
 * An event without the member matches no condition on it. Adds the values to the parameters under names with the
 * prefix.
 */
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
