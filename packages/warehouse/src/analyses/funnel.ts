import {
  allOf,
  type Condition,
  conditionsSql,
  inRange,
  ofPlayers,
  ofTypes,
  type TimeRange,
} from './analysis-sql.ts';
import { type PlayerPage, playersSql } from './players-behind.ts';
import { type Split, type SplitColumns, splitParts } from './split.ts';

export interface FunnelStep {
  readonly type: string;
  readonly where: readonly Condition[];
}

export interface FunnelRequest extends TimeRange {
  /** 2 to 10, in the order in which a player takes them. */
  readonly steps: readonly FunnelStep[];
  /** The longest time from the first step to the last. */
  readonly windowSeconds: number;
  /** By the member of the player's first event that is the first step. */
  readonly split: Split | null;
}

export interface FunnelRow extends SplitColumns {
  /** Starts at 1. */
  readonly step: number;
  /** The players who took this step and all steps before it, in order and in time. */
  readonly players: number;
}

/** Counts players per step. Other events in between do not matter, and one event is never two steps. */
export function funnelQuery(request: FunnelRequest): string {
  const { steps, split } = request;
  const first = firstStep(steps);
  const parts = split === null ? null : splitParts(split, allOf(inRange(request), ofPlayers, first));
  return `SELECT arrayJoin(range(1, ${steps.length + 1})) AS step${parts === null ? '' : `, ${parts.columns}`}, toFloat64(countIf(reached >= step)) AS players
FROM
(
${reachedSql(request, parts === null ? '' : `, argMinIf(${parts.key}, occurred, ${first}) AS split_key, countIf(${first}) AS firsts`)}
)
${parts === null ? 'GROUP BY step\nORDER BY step' : 'WHERE firsts > 0\nGROUP BY step, split_key\nORDER BY split_key, step'}`;
}

export interface FunnelPlayersRequest extends FunnelRequest, PlayerPage {
  /** Starts at 1. */
  readonly step: number;
  /** The players who took the step, or those who took the one before it and not this one. */
  readonly which: 'reached' | 'lost';
}

export function funnelPlayersQuery(request: FunnelPlayersRequest): string {
  const { step, which } = request;
  const having = which === 'reached' ? `reached >= ${step}` : `reached = ${step - 1}`;
  return playersSql(request, { from: `(\n${reachedSql(request, ', count() AS events')}\n)`, where: having });
}

function firstStep([first]: readonly FunnelStep[]): string {
  return first === undefined ? '0' : stepSql(first);
}

function stepSql({ type, where }: FunnelStep): string {
  return allOf(`${ofTypes([type])}`, conditionsSql(where));
}

/** The number of steps that each player took. */
function reachedSql(request: FunnelRequest, more: string): string {
  const { steps, windowSeconds } = request;
  const types = [...new Set(steps.map(({ type }) => type))];
  // One event can be two steps only if they have the same type. The check for it takes three times as long, so it is
  // left out otherwise.
  const mode = types.length === steps.length ? '' : ", 'strict_once'";
  return `  SELECT account_id, windowFunnel(${windowSeconds * 1000}${mode})(${millisecond(request)}, ${steps.map(stepSql).join(', ')}) AS reached${more}
  FROM events
  WHERE ${allOf(inRange(request), ofPlayers, ofTypes(types))}
  GROUP BY account_id`;
}

/** If 32 bits are enough for the range, half as many bytes are sorted. */
function millisecond({ fromMs, toMs }: TimeRange): string {
  const ms = 'toUnixTimestamp64Milli(occurred)';
  const isShort = fromMs >= 0 && toMs - fromMs < 2 ** 32;
  return isShort ? `toUInt32(${ms} - ${fromMs})` : `toUInt64(${ms})`;
}
