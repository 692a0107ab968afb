import { isPermitted, objectNotFound, personalScope } from '@tickrate/contract';
import { maskPersonal, type StoredColumn, writeTypeCode } from '@tickrate/events';
import {
  createStoredDeclarationCompiler,
  type EventTypeRecord,
  type EventTypeVersionRecord,
} from '@tickrate/registry';
import type { SampledEvent } from '@tickrate/warehouse';
import type { ConsoleParts } from '../../parts.ts';
import { withTimes } from '../calls/fields.ts';
import { type ManagedRoute, managed } from '../calls/managed.ts';
import { readPage } from '../calls/pages.ts';
import { declare, refusalOf } from './declare.ts';
import { eventToolOperations as operations } from './event-tool-operations.ts';
import { eventTypePlace, requireVersionOf } from './event-type-routes.ts';
import { profileMembers } from './profile-members.ts';
import { columnsOf, compiled } from './stored-columns.ts';
import { validateEventText } from './validate-event-text.ts';

const profiledEvents = 500;

/** Calls for developers: test an event, show stored events, generate code, import and export folders. */
export function createEventToolRoutes(parts: ConsoleParts): ManagedRoute[] {
  return [...trying(parts), ...folders(parts)];
}

function trying({ registry, warehouse }: ConsoleParts): ManagedRoute[] {
  const readStored = createStoredDeclarationCompiler(64 * 1024 * 1024);
  return [
    managed(operations.validateEvent, async ({ caller, params, query, bytes }) => {
      const type = await registry.eventType(caller.projectId, params.name);
      const version = chooseVersion(type, query.version);
      const declaration = readStored(version.fingerprint, () => version.declaration);
      return { ...(await validateEventText(declaration, bytes)), version: version.version };
    }),
    managed(operations.profileEventType, async ({ caller: { projectId, scopes }, params }) => {
      const type = await registry.eventType(projectId, params.name);
      const events = await warehouse.sampleEvents({ projectId, type: type.name, limit: profiledEvents });
      const stored = await columnsOf(type.versions);
      // The newest version of each member, by its path.
      const columns = new Map(stored.map((column) => [column.path, column]));
      const personal = new Set(stored.filter((column) => column.personal).map(({ path }) => path));
      const mayShow = isPermitted(scopes, personalScope);
      const members = profileMembers(events, [...columns.keys()]).map((profile) => {
        const isPersonal = personal.has(profile.member);
        const values = isPersonal && !mayShow ? [] : profile.values;
        const { type: written = '', description = null } = columns.get(profile.member) ?? {};
        return { ...profile, values, type: written, description, personal: isPersonal };
      });
      return { sampledEvents: events.length, members };
    }),
    managed(operations.sampleEvents, async ({ caller: { projectId, scopes }, params, query }) => {
      const type = await registry.eventType(projectId, params.name);
      const found = await warehouse.sampleEvents({ projectId, type: type.name, limit: query.limit ?? 10 });
      if (isPermitted(scopes, personalScope)) return { results: found.map(showSample), next: null };
      const columns = await columnsOf(type.versions);
      const show = (sample: SampledEvent) => hide(columns, sample);
      return { results: found.map(show), next: null };
    }),
    managed(operations.writeTypeCode, async ({ caller, params, query: { language, version: asked } }) => {
      const type = await registry.eventType(caller.projectId, params.name);
      const version = chooseVersion(type, asked);
      const coded = { name: type.name, version: version.version, shape: compiled(version).shape };
      return { language, ...writeTypeCode(language, coded) };
    }),
  ];
}

function folders({ registry }: ConsoleParts): ManagedRoute[] {
  return [
    managed(operations.exportDeclarations, ({ caller: { projectId }, query }) =>
      readPage(query, {
        place: eventTypePlace,
        read: (after, limit) =>
          registry.eventTypePage({ projectId, limit, ...(after && { after: { projectId, ...after } }) }),
        show: ({ name, description, versions }) => ({
          name,
          description,
          declaration: { ...versions.at(-1)?.declaration },
        }),
      }),
    ),
    managed(operations.importDeclarations, async ({ caller: { projectId }, body }) => {
      const { declarations, dryRun = false, compatibleOnly = false } = body;
      const results = await Array.fromAsync(declarations, async ({ name, description, declaration }) => {
        const about = typeof description === 'string' ? { description } : {};
        const request = { projectId, name, declaration, dryRun, compatibleOnly, ...about };
        const result = await declare(registry, request);
        if ('refused' in result) return { declared: null, refused: refusalOf(name, result.refused) };
        return { declared: result.declared, refused: null };
      });
      return { results };
    }),
  ];
}

/** The requested version, or the default for events without one: the newest available, else the newest deprecated. */
function chooseVersion(type: EventTypeRecord, asked: number | undefined): EventTypeVersionRecord {
  if (asked !== undefined) return requireVersionOf(type, asked);
  const newest = (status: string) => type.versions.findLast((version) => version.status === status);
  const found = newest('available') ?? newest('deprecated');
  if (found) return found;
  throw objectNotFound('eventTypeVersion', type.name);
}

function showSample(sample: SampledEvent) {
  return {
    ...withTimes(sample),
    accountId: sample.accountId === '' ? null : sample.accountId,
    sessionId: sample.sessionId === '' ? null : sample.sessionId,
    event: { ...sample.event },
  };
}

/** The personal members for a caller without the scope: those that any version of the type declares as personal. */
function hide(columns: readonly StoredColumn[], sample: SampledEvent) {
  return {
    ...showSample(sample),
    accountId: null,
    sessionId: null,
    event: maskPersonal(sample.event, columns),
  };
}
