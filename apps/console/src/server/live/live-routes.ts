import type { IncomingMessage } from 'node:http';
import { createSchemaCheck, isPermitted, parameterInvalid, personalScope } from '@tickrate/contract';
import { answered } from '@tickrate/platform';
import type { Registry } from '@tickrate/registry';
import type { Static } from 'typebox';
import type { ConsoleParts } from '../../parts.ts';
import { conditionList } from '../analyses/analysis-fields.ts';
import { type Caller, requireScope } from '../calls/caller.ts';
import { type ManagedCall, type ManagedRoute, managed } from '../calls/managed.ts';
import { parsed } from '../calls/pages.ts';
import { requirePersonal } from '../event-types/personal-members.ts';
import type { EventFilter } from './event-filter.ts';
import { streamLive } from './live-operations.ts';

const isConditionList = createSchemaCheck(conditionList);

export function createLiveRoutes({ registry, hub, authorize }: ConsoleParts): ManagedRoute[] {
  return [
    managed(streamLive, async ({ caller, context, query: { seconds, ...query } }) => {
      const filter = filterOf(query);
      await requireFilter(caller, registry, filter);
      const { request, response } = context;
      if (request.method === 'HEAD') {
        response.writeHead(200, ['Content-Type', 'text/event-stream; charset=utf-8']).end();
        return answered;
      }
      const wasPersonal = isPermitted(caller.scopes, personalScope);
      await hub.open({
        response,
        caller,
        filter,
        lastEventId: lastEventIdOf(request),
        mostMs: seconds === undefined ? null : seconds * 1_000,
        async recheck() {
          const now = await authorize(context, streamLive);
          if (wasPersonal && isAbout(filter)) requireScope(now, personalScope);
          return now;
        },
      });
      return answered;
    }),
  ];
}

function filterOf({ types, where, ...about }: ManagedCall<typeof streamLive>['query']): EventFilter {
  return {
    ...about,
    types: types?.split(',').map((type) => type.trim()),
    where: where === undefined ? [] : readConditions(where),
  };
}

function readConditions(text: string): Static<typeof conditionList> {
  const read = parsed(text);
  if (!isConditionList.accepts(read)) throw parameterInvalid('where', 'not a JSON array of conditions');
  return read;
}

/** Throws 2006 if the filter would reveal what the caller may not see. */
async function requireFilter(caller: Caller, registry: Registry, filter: EventFilter): Promise<void> {
  if (filter.accountId !== undefined || filter.sessionId !== undefined) requireScope(caller, personalScope);
  await requirePersonal(caller, registry, new Set(filter.where.map(({ member }) => member)));
}

function isAbout({ accountId, sessionId, where }: EventFilter): boolean {
  return accountId !== undefined || sessionId !== undefined || where.length > 0;
}

function lastEventIdOf({ headers }: IncomingMessage): string | null {
  const given = headers['last-event-id'];
  return typeof given === 'string' ? given : null;
}
