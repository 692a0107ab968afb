import { personalScope } from '@tickrate/contract';
import { answered, type RequestContext } from '@tickrate/platform';
import type { AnalysisAsker, AnalysisResult, QueryCost, TimeRange } from '@tickrate/warehouse';
import type { ConsoleParts } from '../../parts.ts';
import { type Caller, requireScope } from '../calls/caller.ts';
import { timeOf } from '../calls/fields.ts';
import { type ManagedRoute, managed } from '../calls/managed.ts';
import { requirePersonal } from '../event-types/personal-members.ts';
import { rowsOf, unlessLeft } from '../queries/query-outcome.ts';
import { askerOf } from '../queries/query-owner.ts';
import {
  analyseBreakdown,
  analyseFunnel,
  analysePlayer,
  analysePlayers,
  analyseRetention,
  analyseSessionLength,
  analyseVolume,
} from './analysis-operations.ts';
import { createPlayersBehindRoutes } from './players-behind-routes.ts';
import { type RangeFields, rangeBefore, readRange } from './read-range.ts';

export function createAnalysisRoutes(parts: ConsoleParts): ManagedRoute[] {
  return [
    ...overTime(parts),
    ...ofMembers(parts),
    ...ofOnePlayer(parts),
    ...createPlayersBehindRoutes(parts),
  ];
}

interface Asked {
  readonly caller: Caller;
  readonly context: RequestContext;
  readonly body: RangeFields & { readonly compare?: boolean; readonly sql?: boolean };
}

/** Runs an analysis for the range of the request, and for the range before if the caller compares. */
async function answerOf<Row>(
  parts: ConsoleParts,
  { caller, context, body }: Asked,
  run: (asker: AnalysisAsker, range: TimeRange) => Promise<AnalysisResult<Row>>,
) {
  const range = await readRange(body, parts.warehouse.analyses);
  const asker = await askerOf(parts, caller, context);
  const earlier = body.compare === true ? rangeBefore(range) : null;
  const both = Promise.all([run(asker, range), earlier === null ? null : run(asker, earlier)]);
  const results = await unlessLeft(both, asker.signal);
  if (results === null) return answered;
  const [now, before] = results;
  const { rows, sql, cost } = rowsOf(now);
  return {
    results: rows,
    cost: costOf(cost, before === null ? null : rowsOf(before).cost),
    ...(before !== null && earlier !== null
      ? { before: { ...shownRange(earlier), results: rowsOf(before).rows } }
      : {}),
    ...(body.sql === true ? { sql } : {}),
  };
}

/** The two queries of a comparison run at the same time, over the same rows. */
function costOf(now: QueryCost, before: QueryCost | null) {
  return { ms: Math.max(now.ms, before?.ms ?? 0), rows: now.rows + (before?.rows ?? 0) };
}

function shownRange({ fromMs, toMs }: TimeRange) {
  return { from: timeOf(fromMs), to: timeOf(toMs) };
}

function splitOf(split: { readonly member: string; readonly mostValues?: number } | undefined) {
  return split === undefined ? null : { mostValues: 5, ...split };
}

interface NamesMembers {
  readonly where?: readonly { readonly member: string }[] | undefined;
  readonly split?: { readonly member: string } | undefined;
  readonly member?: string;
}

function membersOf({ where = [], split, member }: NamesMembers): string[] {
  const named = [split?.member, member].filter((each) => each !== undefined);
  return [...where.map((each) => each.member), ...named];
}

function overTime(parts: ConsoleParts): ManagedRoute[] {
  const { analyses } = parts.warehouse;
  return [
    managed(analyseVolume, async (call) => {
      const { per, by = 'occurred', types = [], where = [], split } = call.body;
      await requirePersonal(call.caller, parts.registry, new Set(membersOf(call.body)));
      const request = { per, by, types, where, split: splitOf(split) };
      return answerOf(parts, call, (asker, range) => analyses.volume(asker, { ...range, ...request }));
    }),
    managed(analysePlayers, async (call) => {
      const { per, types = [], where = [], split } = call.body;
      await requirePersonal(call.caller, parts.registry, new Set(membersOf(call.body)));
      const request = { per, types, where, split: splitOf(split) };
      return answerOf(parts, call, (asker, range) =>
        analyses.distinctPlayers(asker, { ...range, ...request }),
      );
    }),
    managed(analyseSessionLength, (call) => answerOf(parts, call, analyses.sessionLength)),
    managed(analyseRetention, (call) => {
      const { per, periods = 30 } = call.body;
      return answerOf(parts, call, (asker, range) => analyses.retention(asker, { ...range, per, periods }));
    }),
  ];
}

function ofMembers(parts: ConsoleParts): ManagedRoute[] {
  const { analyses } = parts.warehouse;
  return [
    managed(analyseFunnel, async (call) => {
      const { steps: asked, windowSeconds, split } = call.body;
      const steps = asked.map(({ type, where = [] }) => ({ type, where }));
      const members = [...membersOf({ split }), ...steps.flatMap(membersOf)];
      await requirePersonal(call.caller, parts.registry, new Set(members));
      const request = { steps, windowSeconds, split: splitOf(split) };
      return answerOf(parts, call, async (asker, range) => {
        const found = await analyses.funnel(asker, { ...range, ...request });
        if (found.kind !== 'rows' || split !== undefined) return found;
        return { ...found, rows: everyStep(steps.length, found.rows) };
      });
    }),
    managed(analyseBreakdown, async (call) => {
      const { type, member, where = [], mostValues = 20 } = call.body;
      await requirePersonal(call.caller, parts.registry, new Set(membersOf(call.body)));
      const request = { type, member, where, mostValues };
      return answerOf(parts, call, (asker, range) => analyses.breakdown(asker, { ...range, ...request }));
    }),
  ];
}

/** Without any player, the query returns no steps. */
function everyStep(steps: number, rows: readonly { readonly step: number; readonly players: number }[]) {
  const players = new Map(rows.map((row) => [row.step, row.players]));
  return Array.from({ length: steps }, (_, n) => ({ step: n + 1, players: players.get(n + 1) ?? 0 }));
}

function ofOnePlayer(parts: ConsoleParts): ManagedRoute[] {
  return [
    managed(analysePlayer, async (call) => {
      requireScope(call.caller, personalScope);
      const { accountId, mostEvents = 100 } = call.body;
      return answerOf(parts, call, (asker, range) =>
        parts.warehouse.analyses.playerStream(asker, { ...range, accountId, mostEvents }),
      );
    }),
  ];
}
