import { setImmediate } from 'node:timers/promises';
import { closedObject, systemError } from '@tickrate/contract';
import {
  type CompiledDeclaration,
  compareDeclarations,
  readAcceptedDeclaration,
  type StoredColumn,
} from '@tickrate/events';
import type { EventTypeRecord, EventTypeVersionRecord, Registry } from '@tickrate/registry';
import Type from 'typebox';
import { timeOf } from '../calls/fields.ts';
import { type ManagedRoute, managed } from '../calls/managed.ts';
import { readPage, wordsOf } from '../calls/pages.ts';
import { declare, refusalError, requireExactIntegers } from './declare.ts';
import {
  compareVersions,
  declareEventType,
  getEventType,
  listEventTypes,
  setVersionStatus,
} from './event-type-operations.ts';

export type EventTypeRegistry = Pick<
  Registry,
  'eventTypePage' | 'eventType' | 'declareEventType' | 'setVersionStatus'
>;

export const eventTypePlace = closedObject({ name: Type.String({ maxLength: 200 }) });

export function createEventTypeRoutes(registry: EventTypeRegistry): ManagedRoute[] {
  return [
    managed(declareEventType, async ({ caller, params, body, bytes }) => {
      const { projectId } = caller;
      requireExactIntegers(bytes);
      const result = await declare(registry, { projectId, name: params.name, ...body });
      if ('refused' in result) throw refusalError(result.refused);
      return result.declared;
    }),
    managed(listEventTypes, ({ caller: { projectId }, query }) =>
      readPage(query, {
        place: eventTypePlace,
        read: (after, limit) =>
          registry.eventTypePage({
            projectId,
            limit,
            words: wordsOf(query.search),
            ...(after && { after: { projectId, ...after } }),
          }),
        show: (type) => ({ ...typeMembers(type), versions: type.versions.map(showBrief) }),
      }),
    ),
    managed(getEventType, async ({ caller, params }) => {
      const type = await registry.eventType(caller.projectId, params.name);
      return { ...typeMembers(type), versions: type.versions.map(showVersion) };
    }),
    managed(compareVersions, async ({ caller, params, query }) => {
      const type = await registry.eventType(caller.projectId, params.name);
      const from = compiled(requireVersionOf(type, query.from));
      const changes = compareDeclarations(from, compiled(requireVersionOf(type, query.to)));
      return { compatible: changes.every(({ kind }) => kind === 'compatible'), changes };
    }),
    managed(setVersionStatus, async ({ caller: { projectId }, params, body }) => {
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
  throw systemError('objectNotFound', {
    objectType: 'eventTypeVersion',
    invalidIdentifier: `${type.name}/${version}`,
  });
}

/** Compiles a stored version. It was accepted before, and so must be accepted now. */
export function compiled({ declaration, version }: EventTypeVersionRecord): CompiledDeclaration {
  const result = readAcceptedDeclaration(declaration);
  if (!result.ok) throw new Error(`Version ${version} is no longer accepted`);
  return result.declaration;
}

/** The columns of many versions. It yields between them. */
export async function columnsOf(versions: readonly EventTypeVersionRecord[]): Promise<StoredColumn[]> {
  const columns: StoredColumn[] = [];
  for (const version of versions) {
    columns.push(...compiled(version).columns);
    await setImmediate();
  }
  return columns;
}

function typeMembers({ name, description, createdMs, viewFault }: EventTypeRecord) {
  return { name, description, created: timeOf(createdMs), viewFault };
}

function showBrief({ version, status, createdMs }: EventTypeVersionRecord) {
  return { version, status, created: timeOf(createdMs) };
}

function showVersion(record: EventTypeVersionRecord) {
  const { fingerprint, declaration } = record;
  return { ...showBrief(record), fingerprint, declaration };
}
