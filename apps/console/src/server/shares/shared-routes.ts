import {
  createSchemaCheck,
  objectNotFound,
  parameterInvalid,
  SystemError,
  systemError,
} from '@tickrate/contract';
import {
  createRateLimiter,
  type OperationRoute,
  type OperationsOptions,
  operationRoute,
  type RequestContext,
} from '@tickrate/platform';
import type { Principal, SharedDashboard } from '@tickrate/registry';
import type { ConsoleParts } from '../../parts.ts';
import { type FilledTile, fillTile } from '../../tiles/fill-tile.ts';
import { createAnalysisRoutes } from '../analyses/analysis-routes.ts';
import type { Caller } from '../calls/caller.ts';
import { timeOf } from '../calls/fields.ts';
import type { ManagedRoute } from '../calls/managed.ts';
import { translateOutage } from '../calls/translate-outage.ts';
import { createQueryRoutes } from '../queries/query-routes.ts';
import { type DashboardContent, dashboardContent, savedQueryContent } from '../saved/saved-operations.ts';
import { sharedOperations } from './share-operations.ts';

interface Shared extends SharedDashboard {
  readonly content: DashboardContent;
}

/** Of the players, only sums are shared: the stream of one player is no tile. */
const sharedAnalyses = new Set(['volume', 'players', 'session-length', 'funnel', 'retention', 'breakdown']);
const hiddenStatement = '-- A link does not show statements.';
const perShare = { perSecond: 5, burst: 60 };

/** What anyone with a link can read. The token of the link is the only credential, and is counted. */
export function createSharedRoutes(parts: ConsoleParts): OperationsOptions<null> {
  const { registry, now, checkRates } = parts;
  const limiter = createRateLimiter<'share'>({ policies: { share: perShare }, now });
  const runners = [...createAnalysisRoutes(parts), ...createQueryRoutes(parts)];

  async function open(context: RequestContext, token: string): Promise<Shared> {
    const found = await registry.sharedDashboard(token);
    if (found === null) throw systemError('tokenInvalid', { objectContext: 'share' });
    context.projectId = found.dashboard.projectId;
    const refusal = limiter.take([{ policy: 'share', key: found.shareId }], { response: context.response });
    if (refusal !== null) throw refusal;
    const { content } = found.dashboard;
    if (!createSchemaCheck(dashboardContent).accepts(content))
      throw systemError('objectNotFound', { objectType: 'dashboard' });
    return { ...found, content };
  }

  const routes: OperationRoute<null>[] = [
    operationRoute<null, typeof sharedOperations.readShared>(
      sharedOperations.readShared,
      async ({ context, body: { token } }) => {
        const { dashboard, content, expiresMs } = await open(context, token);
        return { name: dashboard.name, content: withoutQuestions(content), expires: timeOf(expiresMs) };
      },
    ),
    operationRoute<null, typeof sharedOperations.readSharedTile>(
      sharedOperations.readSharedTile,
      async ({ context, params, body }) => {
        const shared = await open(context, body.token);
        const tile = shared.content.tiles[params.tile];
        if (tile === undefined) throw objectNotFound('tile', String(params.tile));
        const { projectId } = shared.dashboard;
        const saved =
          tile.savedQueryId === undefined
            ? null
            : await registry.savedRecord({ projectId, kind: 'query', id: tile.savedQueryId });
        const content = saved?.content ?? null;
        const filled = fillTile(tile, {
          saved: createSchemaCheck(savedQueryContent).accepts(content) ? content : null,
          range: body.range ?? rangeOf(shared.content, now()),
          timeZone: shared.content.timeZone,
          variables: variablesOf(shared.content, body.variables ?? {}),
        });
        if (filled === null) throw objectNotFound('tile', String(params.tile));
        return run(runners, { context, shared, filled });
      },
    ),
  ];
  return {
    routes,
    async admit(context) {
      checkRates(context, null);
      return null;
    },
    perform: (_call, work) => translateOutage(work),
  };
}

/** What a tile asks can name a player: a statement, its parameters, and an analysis that a link does not show. */
function withoutQuestions(content: DashboardContent): DashboardContent {
  return {
    ...content,
    tiles: content.tiles.map(({ query, analysis, ...shown }) => ({
      ...shown,
      ...(query && { query: { sql: hiddenStatement } }),
      ...(analysis && {
        analysis: sharedAnalyses.has(analysis.name) ? analysis : { ...analysis, parameters: {} },
      }),
    })),
  };
}

interface TileRun {
  readonly context: RequestContext;
  readonly shared: Shared;
  readonly filled: FilledTile;
}

/** Runs the call that the tile stands for, as a caller who may read no personal data. */
function run(runners: readonly ManagedRoute[], { context, shared, filled }: TileRun): Promise<unknown> {
  const path = filled.kind === 'query' ? '/v1/query' : `/v1/analyses/${filled.name}`;
  const route = runners.find(({ operation }) => operation.path === path);
  if (route === undefined || (filled.kind === 'analysis' && !sharedAnalyses.has(filled.name))) {
    throw parameterInvalid('tile', 'its analysis cannot be shared');
  }
  const { operation } = route;
  const { body } = filled;
  if (operation.body && !createSchemaCheck(operation.body).accepts(body)) {
    throw parameterInvalid('tile', 'its parameters are not those of its analysis');
  }
  return route
    .handle({
      operation,
      context,
      caller: callerOf(shared),
      params: undefined as never,
      query: undefined as never,
      body: body as never,
      bytes: Buffer.from(JSON.stringify(body)),
      unknownMembers: [],
    })
    .catch((error: unknown) => {
      // What is wrong with a statement quotes it.
      if (error instanceof SystemError && error.reason === 'parameterInvalid')
        throw parameterInvalid('tile', 'its question is refused: it reads personal data, or does not work');
      throw error;
    });
}

function callerOf({ shareId, dashboard: { projectId } }: Shared): Caller {
  const principal: Principal = {
    keyId: shareId,
    keyLine: null,
    kind: 'public',
    projectId,
    scopes: [],
    origins: null,
    sessionId: null,
    accountId: null,
    expiresMs: null,
    lateEventsUntilMs: null,
  };
  return {
    principal,
    kind: 'administrative',
    projectId,
    accountId: null,
    scopes: ['queries:read'],
    // A stranger with a link uses up no budget that the studio needs.
    queryOwner: `shares of ${projectId}`,
  };
}

const defaultSeconds = 7 * 86_400;

/** Throws 1003 for variables that the dashboard does not have. */
function variablesOf(
  { variables = [] }: DashboardContent,
  given: Readonly<Record<string, string>>,
): ReadonlyMap<string, string> {
  const values = new Map(variables.map(({ name, value }) => [name, value]));
  for (const [name, value] of Object.entries(given)) {
    if (!values.has(name)) throw parameterInvalid('variables', `the dashboard has no variable ${name}`);
    values.set(name, value);
  }
  return values;
}

function rangeOf({ range }: DashboardContent, nowMs: number): { readonly from: string; readonly to: string } {
  if (range !== undefined && 'from' in range) return range;
  const seconds = range?.lastSeconds ?? defaultSeconds;
  return { from: new Date(nowMs - seconds * 1_000).toISOString(), to: new Date(nowMs).toISOString() };
}
