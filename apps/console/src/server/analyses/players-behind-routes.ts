import { parameterInvalid, personalScope } from '@tickrate/contract';
import { answered, type RequestContext } from '@tickrate/platform';
import type { AnalysisAsker, AnalysisResult, TimeRange } from '@tickrate/warehouse';
import Type from 'typebox';
import type { ConsoleParts } from '../../parts.ts';
import { type Caller, requireScope } from '../calls/caller.ts';
import { type ManagedRoute, managed } from '../calls/managed.ts';
import { type PageRequest, readPage } from '../calls/pages.ts';
import { rowsOf, unlessLeft } from '../queries/query-outcome.ts';
import { askerOf } from '../queries/query-owner.ts';
import {
  listPlayersOfBreakdown,
  listPlayersOfEvents,
  listPlayersOfFunnel,
  listPlayersOfRetention,
} from './analysis-operations.ts';
import { type RangeFields, readRange } from './read-range.ts';

interface PagedCall {
  readonly caller: Caller;
  readonly context: RequestContext;
  readonly body: RangeFields & PageRequest;
}

const place = Type.Object({ accountId: Type.String() });

async function pageOf(
  parts: ConsoleParts,
  { caller, context, body }: PagedCall,
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
export function createPlayersBehindRoutes(parts: ConsoleParts): ManagedRoute[] {
  const { analyses } = parts.warehouse;
  return [
    managed(listPlayersOfEvents, (call) => {
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
    managed(listPlayersOfBreakdown, (call) => {
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
    managed(listPlayersOfFunnel, (call) => {
      const { steps: asked, windowSeconds, step, which = 'reached' } = call.body;
      if (step > asked.length) throw parameterInvalid('step', 'must be the number of one of the steps');
      const steps = asked.map(({ type, where = [] }) => ({ type, where }));
      return pageOf(parts, call, (asker, page) =>
        analyses.funnelPlayers(asker, { ...page, steps, windowSeconds, step, which, split: null }),
      );
    }),
    managed(listPlayersOfRetention, (call) => {
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
