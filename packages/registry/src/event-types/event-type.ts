import type { CompiledDeclaration } from '@tickrate/events';

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
export function createEventType(
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
