import { type KeyKind, systemError } from '@tickrate/contract';

/** The visible data of a key. Never contains its text, which is not stored. */
export interface KeyRecord {
  readonly id: string;
  readonly projectId: string;
  readonly prefix: string;
  readonly ending: string;
  readonly kind: Exclude<KeyKind, 'session'>;
  readonly comment: string;
  readonly scopes: readonly string[];
  readonly origins: readonly string[] | null;
  readonly createdBy: string;
  /** The key that created it, whose bounds limit it. Null if a person created it. */
  readonly parentId: string | null;
  readonly createdMs: number;
  /** Accurate to the minute, and some seconds late. */
  readonly lastUsedMs: number | null;
  readonly expiresMs: number | null;
  readonly revokedMs: number | null;
}

export const uuidShape = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function keyNotFound(keyId: string): Error {
  return systemError('objectNotFound', { objectType: 'key', invalidIdentifier: keyId });
}

const notEditable = {
  revoked: 'revoked',
  expired: 'expired',
  foreign: 'a key gives more scopes only to keys that it created',
} as const;

export function keyNotEditable(reason: keyof typeof notEditable): Error {
  return systemError('objectNotEditable', { objectNotEditableReason: notEditable[reason] });
}

export interface KeyRow {
  readonly id: string;
  readonly line: string;
  readonly project_id: string;
  readonly prefix: string;
  readonly ending: string;
  readonly kind: KeyRecord['kind'];
  readonly comment: string;
  readonly scopes: string[];
  readonly origins: string[] | null;
  readonly created_by: string;
  readonly parent_id: string | null;
  readonly created: Date;
  readonly last_used: Date | null;
  readonly expires: Date | null;
  readonly revoked: Date | null;
}

export const keyColumns =
  'id, line, project_id, prefix, ending, kind, comment, scopes, origins, created_by, parent_id, created, last_used, expires, revoked';

/** Throws if the statement returned no key, which never happens. */
export function keyOf(row: KeyRow | undefined): KeyRecord {
  if (row === undefined) throw new Error('PostgreSQL returned no key');
  return {
    id: row.id,
    projectId: row.project_id,
    prefix: row.prefix,
    ending: row.ending,
    kind: row.kind,
    comment: row.comment,
    scopes: row.scopes,
    origins: row.origins,
    createdBy: row.created_by,
    parentId: row.parent_id,
    createdMs: row.created.getTime(),
    lastUsedMs: row.last_used?.getTime() ?? null,
    expiresMs: row.expires?.getTime() ?? null,
    revokedMs: row.revoked?.getTime() ?? null,
  };
}
