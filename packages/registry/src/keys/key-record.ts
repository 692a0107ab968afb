import { type KeyKind, objectNotFound, systemError, uuidShape } from '@tickrate/contract';
import { milliseconds, type Queryable } from '@tickrate/postgres';

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

const notEditable = {
  revoked: 'revoked',
  expired: 'expired',
  foreign: 'a key gives more scopes only to keys that it created',
} as const;

export function keyNotEditable(reason: keyof typeof notEditable): Error {
  return systemError('objectNotEditable', { objectNotEditableReason: notEditable[reason] });
}

export const keyColumns = `id, project_id AS "projectId", prefix, ending, kind, comment, scopes, origins,
  created_by AS "createdBy", parent_id AS "parentId", ${milliseconds('created')} AS "createdMs",
  ${milliseconds('last_used')} AS "lastUsedMs", ${milliseconds('expires')} AS "expiresMs",
  ${milliseconds('revoked')} AS "revokedMs"`;

export async function readKey(db: Queryable, keyId: string): Promise<KeyRecord> {
  if (!uuidShape.test(keyId)) throw objectNotFound('key', keyId);
  const [key] = await db.query<KeyRecord>(`SELECT ${keyColumns} FROM registry.keys WHERE id = $1`, [keyId]);
  if (!key) throw objectNotFound('key', keyId);
  return key;
}
