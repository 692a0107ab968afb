import { closedObject, objectNotFound } from '@tickrate/contract';
import { compareDeclarations } from '@tickrate/events';
import type { EventTypeRecord, EventTypeVersionRecord } from '@tickrate/registry';
import Type from 'typebox';
import type { ConsoleParts } from '../../parts.ts';
import { withTimes } from '../calls/fields.ts';
import { type ManagedRoute, managed } from '../calls/managed.ts';
import { readPage, wordsOf } from '../calls/pages.ts';
import { declare, refusalError, requireExactIntegers } from './declare.ts';
import { eventTypeOperations as operations } from './event-type-operations.ts';
import { compiled } from './stored-columns.ts';

export const eventTypePlace = closedObject({ name: Type.String({ maxLength: 200 }) });

export function createEventTypeRoutes({ registry }: ConsoleParts): ManagedRoute[] {
  return [
    managed(operations.declareEventType, async ({ caller, params, body, bytes }) => {
      const { projectId } = caller;
      requireExactIntegers(bytes);
      const result = await declare(registry, { projectId, name: params.name, ...body });
      if ('refused' in result) throw refusalError(result.refused);
      return result.declared;
    }),
    managed(operations.listEventTypes, ({ caller: { projectId }, query }) =>
      readPage(query, {
        place: eventTypePlace,
        read: (after, limit) =>
          registry.eventTypePage({
            projectId,
            limit,
            words: wordsOf(query.search),
            ...(after && { after: { projectId, ...after } }),
          }),
        show: ({ projectId: _, versions, ...type }) => ({
          ...withTimes(type),
          versions: versions.map(showBrief),
        }),
      }),
    ),
    managed(operations.getEventType, async ({ caller, params }) => {
      const { projectId, versions, ...type } = await registry.eventType(caller.projectId, params.name);
      return { ...withTimes(type), versions: versions.map(withTimes) };
    }),
    managed(operations.compareVersions, async ({ caller, params, query }) => {
      const type = await registry.eventType(caller.projectId, params.name);
      const from = compiled(requireVersionOf(type, query.from));
      const changes = compareDeclarations(from, compiled(requireVersionOf(type, query.to)));
      return { compatible: changes.every(({ kind }) => kind === 'compatible'), changes };
    }),
    managed(operations.setVersionStatus, async ({ caller: { projectId }, params, body }) => {
      await registry.setVersionStatus({ projectId, ...params, ...body });
      const type = await registry.eventType(projectId, params.name);
      return showBrief(requireVersionOf(type, params.version));
    }),
  ];
}

/** Throws 3001 if the type does not have the version. */
export function requireVersionOf(type: EventTypeRecord, version: number): EventTypeVersionRecord {
  const found = type.versions.find((each) => each.version === version);
  if (found) return found;
  throw objectNotFound('eventTypeVersion', `${type.name}/${version}`);
}

function showBrief({ version, status, createdMs }: EventTypeVersionRecord) {
  return withTimes({ version, status, createdMs });
}
