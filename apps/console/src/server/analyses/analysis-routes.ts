import { parameterInvalid, personalScope } from '@tickrate/contract';
import { answered, type RequestContext } from '@tickrate/platform';
import type { Analyses, AnalysisAsker, AnalysisResult, QueryCost, TimeRange } from '@tickrate/warehouse';
import Type from 'typebox';
import type { ConsoleParts } from '../../parts.ts';
import { type Caller, requireScope } from '../calls/caller.ts';
import { timeOf } from '../calls/fields.ts';
import { type ManagedRoute, managed } from '../calls/managed.ts';
import { type PageRequest, readPage } from '../calls/pages.ts';
import { requirePersonal } from '../event-types/personal-members.ts';
import { askerOf, rowsOf, unlessLeft } from '../queries/query-outcome.ts';
import * as operations from './analysis-operations.ts';

export function createAnalysisRoutes(parts: ConsoleParts): ManagedRoute[] {
  const { analyses } = parts.warehouse;
  return [
    managed(operations.analyseVolume, (call) => {
      const { per, by = 'occurred', types = [], where = [], split } = call.body;
      const request = { per, by, types, where, split: splitOf(split) };
      return answerOf(parts, call, (asker, range) => analyses.volume(asker, { ...range, ...request }));
    }),
    managed(operations.analysePlayers, (call) => {
      const { per, types = [], where = [], split } = call.body;
      const request = { per, types, where, split: splitOf(split) };
      return answerOf(parts, call, (asker, range) =>
        analyses.distinctPlayers(asker, { ...range, ...request }),
      );
    }),
    managed(operations.analyseSessionLength, (call) => answerOf(parts, call, analyses.sessionLength)),
    managed(operations.analyseRetention, (call) => {
      const { per, periods = 30 } = call.body;
      return answerOf(parts, call, (asker, range) => analyses.retention(asker, { ...range, per, periods }));
    }),
    managed(operations.analyseFunnel, (call) => {
      const { windowSeconds, split } = call.body;
      const steps = call.body.steps.map(({ type, where = [] }) => ({ type, where }));
      const request = { steps, windowSeconds, split: splitOf(split) };
      return answerOf(parts, call, async (asker, range) => {
        const found = await analyses.funnel(asker, { ...range, ...request });
        if (found.kind !== 'rows' || split !== undefined) return found;
        return { ...found, rows: everyStep(steps.length, found.rows) };
      });
    }),
    managed(operations.analyseBreakdown, (call) => {
      const { type, member, where = [], mostValues = 20 } = call.body;
      const request = { type, member, where, mostValues };
      return answerOf(parts, call, (asker, range) => analyses.breakdown(asker, { ...range, ...request }));
    }),
    managed(operations.analysePlayer, async (call) => {
      requireScope(call.caller, personalScope);
      const { accountId, mostEvents = 100 } = call.body;
      return answerOf(parts, call, (asker, range) =>
        analyses.playerStream(asker, { ...range, accountId, mostEvents }),
      );
    }),
    ...playersBehind(parts),
  ];
}

interface Asked {
  readonly caller: Caller;
  readonly context: RequestContext;
  readonly body: RangeFields & NamesMembers & { readonly compare?: boolean; readonly sql?: boolean };
}

/**
 * Runs an analysis for the range of the request, and for the range before if the caller compares. Throws 2006 if it names
 * a personal member that the caller may not see.
 */
async function answerOf<Row>(
  parts: ConsoleParts,
  { caller, context, body }: Asked,
  run: (asker: AnalysisAsker, range: TimeRange) => Promise<AnalysisResult<Row>>,
) {
  await requirePersonal(caller, parts.registry, new Set(membersOf(body)));
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
  readonly steps?: readonly NamesMembers[];
  readonly split?: { readonly member: string } | undefined;
  readonly member?: string;
}

function membersOf({ where = [], steps = [], split, member }: NamesMembers): string[] {
  const named = [split?.member, member].filter((each) => each !== undefined);
  return [...where.map((each) => each.member), ...steps.flatMap(membersOf), ...named];
}

/** Without any player, the query returns no steps. */
function everyStep(steps: number, rows: readonly { readonly step: number; readonly players: number }[]) {
  const players = new Map(rows.map((row) => [row.step, row.players]));
  return Array.from({ length: steps }, (_, n) => ({ step: n + 1, players: players.get(n + 1) ?? 0 }));
}

const place = Type.Object({ accountId: Type.String() });

async function pageOf(
  parts: ConsoleParts,
  { caller, context, body }: Asked & { readonly body: PageRequest },
  run: (
    asker: AnalysisAsker,
    page: TimeRange & { readonly after: string | null; readonly mostPlayers: number },
  ) => Promise<AnalysisResult<{ readonly accountId: string; readonly events: number }>>,
) {
  requireScope(caller, personalScope);
  const range = await readRange(body, parts.warehouse.analyses);
  const asker = await askerOf(parts, caller, context);
  const page = readPage(body, {
    place,
    read: async (after, mostPlayers) =>
      rowsOf(await run(asker, { ...range, after: after?.accountId ?? null, mostPlayers })).rows,
    show: (row) => ({ ...row }),
  });
  return (await unlessLeft(page, asker.signal)) ?? answered;
}

/** Each also requires the scope for personal data. */
function playersBehind(parts: ConsoleParts): ManagedRoute[] {
  const { analyses } = parts.warehouse;
  return [
    managed(operations.listPlayersOfEvents, (call) => {
      const { types = [], where = [], part } = call.body;
      return pageOf(parts, call, (asker, page) =>
        analyses.eventPlayers(asker, {
          ...page,
          types,
          where,
          part: part === undefined ? null : { ...part, isRest: part.isRest ?? false },
        }),
      );
    }),
    managed(operations.listPlayersOfBreakdown, (call) => {
      const { type, member, where = [], value: is } = call.body;
      return pageOf(parts, call, (asker, page) =>
        analyses.eventPlayers(asker, {
          ...page,
          types: [type],
          where,
          part: { member, values: [is], isRest: false },
        }),
      );
    }),
    managed(operations.listPlayersOfFunnel, (call) => {
      const { steps: asked, windowSeconds, step, which = 'reached' } = call.body;
      if (step > asked.length) throw parameterInvalid('step', 'must be the number of one of the steps');
      const steps = asked.map(({ type, where = [] }) => ({ type, where }));
      return pageOf(parts, call, (asker, page) =>
        analyses.funnelPlayers(asker, { ...page, steps, windowSeconds, step, which, split: null }),
      );
    }),
    managed(operations.listPlayersOfRetention, (call) => {
      const { per, cohort, period } = call.body;
      return pageOf(parts, call, (asker, page) =>
        analyses.retentionPlayers(asker, {
          ...page,
          per,
          periods: period,
          cohortMs: Date.parse(cohort),
          period,
        }),
      );
    }),
  ];
}

export interface RangeFields {
  readonly from: string;
  readonly to: string;
  readonly timeZone?: string | undefined;
}

/** Throws 1003 for an unknown time zone, and for a range that ends before it starts. */
async function readRange(
  { from, to, timeZone = 'UTC' }: RangeFields,
  analyses: Pick<Analyses, 'findTimeZone'>,
): Promise<TimeRange> {
  const range = { fromMs: Date.parse(from), toMs: Date.parse(to) };
  if (!(range.fromMs < range.toMs)) throw parameterInvalid('to', 'must be after from');
  const known = timeZone === 'UTC' ? timeZone : await analyses.findTimeZone(timeZone);
  if (known === null || !isZoneHere(known))
    throw parameterInvalid('timeZone', 'is not the IANA name of a time zone');
  return { ...range, timeZone: known };
}

/** The database also knows names such as `posixrules`. */
function isZoneHere(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== '';
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/**
 * The range of equal length before. Whole days are counted in the zone: a week before a change of the clocks starts at
 * midnight too.
 */
function rangeBefore({ fromMs, toMs, timeZone }: TimeRange): TimeRange {
  const at = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone);
  const from = at(fromMs);
  const length = from.until(at(toMs), { largestUnit: 'day' });
  return { fromMs: from.subtract(length).epochMilliseconds, toMs: fromMs, timeZone };
}
