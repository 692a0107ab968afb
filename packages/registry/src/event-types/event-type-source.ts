import type { Queryable } from '@tickrate/postgres';
import {
  createEventType,
  type EventType,
  type EventTypeVersionRow,
  type StoredDeclarationCompiler,
} from './event-type.ts';

const findVersions = `
SELECT v.project_id, v.name, v.version, v.status, encode(v.fingerprint, 'hex') AS fingerprint,
       CASE WHEN v.status <> 'retired' THEN v.declaration::text END AS declaration
FROM unnest($1::text[], $2::text[]) AS asked (project_id, name)
JOIN registry.event_type_versions v ON v.project_id = asked.project_id AND v.name = asked.name
ORDER BY v.project_id, v.name, v.version`;

/** The text for (project, name) in caches and in the change log. Neither part can contain a slash. */
export function eventTypeKey(projectId: string, name: string): string {
  return `${projectId}/${name}`;
}

export function splitEventTypeKey(key: string): readonly [projectId: string, name: string] {
  const slash = key.indexOf('/');
  return [key.slice(0, slash), key.slice(slash + 1)];
}

/** Finds event types by their keys, many in one query. */
export function createEventTypeSource(db: Queryable, compile: StoredDeclarationCompiler) {
  return async (keys: readonly string[]): Promise<ReadonlyMap<string, EventType>> => {
    const asked = keys.map(splitEventTypeKey);
    const rows = await db.query<EventTypeVersionRow>(findVersions, [
      asked.map(([projectId]) => projectId),
      asked.map(([, name]) => name),
    ]);
    const groups = Map.groupBy(rows, (row) => eventTypeKey(row.project_id, row.name));
    const found = new Map<string, EventType>();
    for (const [key, [first, ...rest]] of groups) {
      if (first) found.set(key, createEventType([first, ...rest], compile));
    }
    return found;
  };
}
