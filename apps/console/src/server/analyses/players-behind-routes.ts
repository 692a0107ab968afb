import { parameterInvalid, personalScope } from '@tickrate/contract';
import { answered, type RequestContext } from '@tickrate/platform';
import type { Analyses, AnalysisAsker, AnalysisResult, TimeRange } from '@tickrate/warehouse';
import Type from 'typebox';
import { type Caller, requireScope } from '../calls/caller.ts';
import { type ManagedRoute, managed } from '../calls/managed.ts';
import { type PageRequest, readPage } from '../calls/pages.ts';
import type { PersonalRegistry } from '../event-types/personal-members.ts';
import { rowsOf, unlessLeft } from '../queries/query-outcome.ts';
import { askerOf, type OwnerDeps } from '../queries/query-owner.ts';
import {
  listPlayersOfBreakdown,
  listPlayersOfEvents,
  listPlayersOfFunnel,
  listPlayersOfRetention,
} from './analysis-operations.ts';
import { type RangeFields, readRange } from './read-range.ts';

export interface AnalysisRouteDeps extends OwnerDeps {
  readonly registry: PersonalRegistry & OwnerDeps['registry'];
  readonly warehouse: { readonly analyses: Analyses };
}

interface PagedCall {
  readonly caller: Caller;
  readonly context: RequestContext;
  readonly body: RangeFields & PageRequest;
}

const place = Type.Object({ accountId: Type.String() });

async function pageOf(
  deps: AnalysisRouteDeps,
  { caller, context, body }: PagedCall,
  run: (
    asker: AnalysisAsker,
    page: TimeRange & { readonly after: string | null; readonly mostPlayers: number },
  ) => Promise<AnalysisResult<{ readonly accountId: string; readonly events: number }>>,
) {
  requireScope(caller, personalScope);
  const range = await readRange(body, deps.warehouse.analyses);
  const asker = await askerOf(deps, caller, context);
  const page = readPage(body, {
    place,
    read: async (after, mostPlayers) =>
      rowsOf(await run(asker, { ...range, after: after?.accountId ?? null, mostPlayers })).rows,
    show: (row) => ({ ...row }),
  });
  return (await unlessLeft(page, asker.signal)) ?? answered;
}

/** Each also requires the scope for personal data. */
export function createPlayersBehindRoutes(deps: AnalysisRouteDeps): ManagedRoute[] {
  const { analyses } = deps.warehouse;
  return [
    managed(listPlayersOfEvents, (call) => {
      const { types = [], where = [], part } = call.body;
      return pageOf(deps, call, (asker, page) =>
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
      return pageOf(deps, call, (asker, page) =>
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
      return pageOf(deps, call, (asker, page) =>
        analyses.funnelPlayers(asker, { ...page, steps, windowSeconds, step, which, split: null }),
      );
    }),
    managed(listPlayersOfRetention, (call) => {
      const { per, cohort, period } = call.body;
      return pageOf(deps, call, (asker, page) =>
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
