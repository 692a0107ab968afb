import { parameterInvalid, personalScope } from '@tickrate/contract';
import type { Analyses } from '@tickrate/warehouse';
import { requireScope } from '../calls/caller.ts';
import { type ManagedRoute, managed } from '../calls/managed.ts';
import { type PersonalRegistry, requirePersonal } from '../event-types/personal-members.ts';
import {
  analyseBreakdown,
  analyseFunnel,
  analysePlayer,
  analysePlayers,
  analyseRetention,
  analyseSessionLength,
  analyseVolume,
} from './analysis-operations.ts';

export interface AnalysisRouteDeps {
  readonly registry: PersonalRegistry;
  readonly warehouse: { readonly analyses: Analyses };
}

export function createAnalysisRoutes(deps: AnalysisRouteDeps): ManagedRoute[] {
  return [...overTime(deps), ...ofMembers(deps), ...ofOnePlayer(deps)];
}

function overTime({ warehouse: { analyses } }: AnalysisRouteDeps): ManagedRoute[] {
  return [
    managed(analyseVolume, async ({ caller, body: { per, types = [], ...range } }) => ({
      results: await analyses.volume(caller.projectId, { ...rangeOf(range), per, types }),
    })),
    managed(analysePlayers, async ({ caller, body: { per, ...range } }) => ({
      results: await analyses.distinctPlayers(caller.projectId, { ...rangeOf(range), per }),
    })),
    managed(analyseSessionLength, async ({ caller, body }) => ({
      results: await analyses.sessionLength(caller.projectId, rangeOf(body)),
    })),
    managed(analyseRetention, async ({ caller, body: { per, periods = 30, ...range } }) => {
      const rows = await analyses.retention(caller.projectId, { ...rangeOf(range), per, periods });
      return { results: rows.map((row) => ({ ...row, returned: [...row.returned] })) };
    }),
  ];
}

function ofMembers({ registry, warehouse: { analyses } }: AnalysisRouteDeps): ManagedRoute[] {
  return [
    managed(analyseFunnel, async ({ caller, body: { steps: asked, windowSeconds, ...range } }) => {
      const steps = asked.map(({ type, where = [] }) => ({ type, where }));
      const members = steps.flatMap(({ where }) => where.map(({ member }) => member));
      await requirePersonal(caller, registry, new Set(members));
      const rows = await analyses.funnel(caller.projectId, { ...rangeOf(range), steps, windowSeconds });
      const players = new Map(rows.map((row) => [row.step, row.players]));
      return { results: steps.map((_, n) => ({ step: n + 1, players: players.get(n + 1) ?? 0 })) };
    }),
    managed(analyseBreakdown, async ({ caller, body }) => {
      const { type, member, where = [], mostValues = 20, ...range } = body;
      await requirePersonal(caller, registry, new Set([member, ...where.map((each) => each.member)]));
      const request = { ...rangeOf(range), type, member, where, mostValues };
      return { results: await analyses.breakdown(caller.projectId, request) };
    }),
  ];
}

function ofOnePlayer({ warehouse: { analyses } }: AnalysisRouteDeps): ManagedRoute[] {
  return [
    managed(analysePlayer, async ({ caller, body: { accountId, mostEvents = 100, ...range } }) => {
      requireScope(caller, personalScope);
      const request = { ...rangeOf(range), accountId, mostEvents };
      return { results: await analyses.playerStream(caller.projectId, request) };
    }),
  ];
}

function rangeOf({ from, to }: { readonly from: string; readonly to: string }) {
  const range = { fromMs: Date.parse(from), toMs: Date.parse(to) };
  if (!(range.fromMs < range.toMs)) throw parameterInvalid('to', 'must be after from');
  return range;
}
