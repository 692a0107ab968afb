import { type CompiledDeclaration, readAcceptedDeclaration } from '@tickrate/events';
import { RecentMap } from '@tickrate/platform';
import type { Queryable } from '@tickrate/postgres';

export type VersionStatus = 'available' | 'deprecated' | 'retired';

/** An event type with all its versions, in the form that a gateway needs. */
export interface EventType {
  readonly projectId: string;
  readonly name: string;
  readonly versions: ReadonlyMap<number, EventTypeVersion>;
  /** The newest available version, else the newest deprecated version. Null if all versions are retired. */
  readonly newest: EventTypeVersion | null;
}

export interface EventTypeVersion {
  readonly version: number;
  readonly status: VersionStatus;
  /** Compiled at first use, once for all versions and projects with the same declaration. Null if retired. */
  compiled(): CompiledDeclaration | null;
  /** The approximate memory that it uses. It grows when the type is compiled and used. */
  bytes(): number;
}

export interface EventTypeVersionRow {
  readonly project_id: string;
  readonly name: string;
  readonly version: number;
  readonly status: VersionStatus;
  readonly fingerprint: string;
  /** The text of the document. Null if retired. */
  readonly declaration: string | null;
}

/** Compiles a document that was accepted before. The fingerprint is the hash of its canonical text. */
export type StoredDeclarationCompiler = (fingerprint: string, read: () => unknown) => CompiledDeclaration;

/** Creates an event type from its rows, in the order of their versions. Requires at least one row. */
function createEventType(
  rows: readonly [EventTypeVersionRow, ...EventTypeVersionRow[]],
  compile: StoredDeclarationCompiler,
): EventType {
  const versions = rows.map((row) => createVersion(row, compile));
  const newestOf = (status: VersionStatus) => versions.findLast((version) => version.status === status);
  return {
    projectId: rows[0].project_id,
    name: rows[0].name,
    versions: new Map(versions.map((version) => [version.version, version])),
    newest: newestOf('available') ?? newestOf('deprecated') ?? null,
  };
}

function createVersion(row: EventTypeVersionRow, compile: StoredDeclarationCompiler): EventTypeVersion {
  const { version, status, fingerprint, declaration } = row;
  let compiled: CompiledDeclaration | null = null;
  return {
    version,
    status,
    compiled() {
      if (declaration === null) return null;
      compiled ??= compile(fingerprint, () => JSON.parse(declaration));
      return compiled;
    },
    bytes: () => 1_000 + (declaration?.length ?? 0) + (compiled?.bytes() ?? 0),
  };
}

const mebibyte = 1024 * 1024;

/**
 * Compiles each document once and shares it between versions, types, projects and reloads. Drops the least recently
 * used ones above the limit.
 */
export function createStoredDeclarationCompiler(mostBytes = 256 * mebibyte): StoredDeclarationCompiler {
  const compiled = new RecentMap<string, CompiledDeclaration>(mostBytes, (declaration) =>
    declaration.bytes(),
  );
  return (fingerprint, read) => {
    const known = compiled.get(fingerprint);
    if (known) return known;
    const result = readAcceptedDeclaration(read());
    if (!result.ok) {
      throw new Error(`A stored declaration is no longer accepted: ${JSON.stringify(result.faults)}`);
    }
    compiled.set(fingerprint, result.declaration);
    return result.declaration;
  };
}

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
