import { isPermitted, objectNotFound } from '@tickrate/contract';
import type { Queryable } from '@tickrate/postgres';
import { recordVersion, requireVersion, returnedRow } from '../store/record-version.ts';
import type { RegistryDeps } from '../store/registry-deps.ts';
import { requireReach, requireWithin } from './key-bounds.ts';
import { changeKeysAlone, holdKeys, holdMaker, narrowLineage } from './key-lineage.ts';
import { type KeyRecord, keyColumns, keyNotEditable, readKey } from './key-record.ts';
import { checkKeyTexts } from './keys.ts';

export interface KeyPlace {
  readonly projectId: string;
  readonly keyId: string;
}

export interface KeyPage {
  readonly projectId: string;
  /** Keys that come after this one, newest first. */
  readonly after?: { readonly createdMs: number; readonly id: string } | null;
  readonly limit: number;
}

export interface KeyEdit extends KeyPlace {
  /** The version that `keyVersion` returned. */
  readonly version: string;
  readonly comment?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly origins?: readonly string[] | null | undefined;
  /** The calling key, whose bounds limit the key. Null or absent: the caller is a person. */
  readonly makerId?: string | null;
  /** The person or key that edits. */
  readonly editedBy?: string;
}

export interface EditedKey {
  readonly edited: KeyRecord;
  /** The keys created with it, which it bounds. */
  readonly below: readonly KeyRecord[];
}

export function keyVersion({ comment, scopes, origins, expiresMs, revokedMs }: KeyRecord): string {
  return recordVersion({ comment, scopes, origins, expiresMs, revokedMs });
}

/** Newest first. */
export function pageOfKeys(db: Queryable, { projectId, after = null, limit }: KeyPage): Promise<KeyRecord[]> {
  return db.query<KeyRecord>(
    `SELECT ${keyColumns} FROM registry.keys
      WHERE project_id = $1 AND ($3::uuid IS NULL OR (created, id) < ($2, $3))
      ORDER BY created DESC, id DESC LIMIT $4`,
    [projectId, after && new Date(after.createdMs), after?.id ?? null, limit],
  );
}

/** A key of another project is not found. */
export async function findKey(db: Queryable, { projectId, keyId }: KeyPlace): Promise<KeyRecord> {
  const key = await readKey(db, keyId);
  if (key.projectId !== projectId) throw objectNotFound('key', keyId);
  return key;
}

/**
 * A key cannot exceed the key that created it or the key that edits it. A person who gives it more scopes becomes its
 * maker, so that it loses them with the role of that person. A key gives more only to what it created itself.
 */
export async function editKey(deps: RegistryDeps, edit: KeyEdit): Promise<EditedKey> {
  const { db } = deps;
  const { projectId, keyId, makerId = null } = edit;
  await changeKeysAlone(db);
  const { parentId } = await findKey(db, { projectId, keyId });
  const held = await holdKeys(db, [parentId, makerId === keyId ? null : makerId]);
  await db.query('SELECT FROM registry.keys WHERE id = $1 FOR UPDATE', [keyId]);
  const current = await findKey(db, { projectId, keyId });
  const maker = makerId === null || makerId === keyId ? null : await holdMaker(deps, makerId);
  if (maker !== null) requireReach(current, maker);
  requireVersion(keyVersion(current), edit.version);
  if (current.revokedMs !== null) throw keyNotEditable('revoked');
  const next = {
    ...current,
    comment: edit.comment ?? current.comment,
    scopes: edit.scopes ?? current.scopes,
    origins: edit.origins === undefined ? current.origins : edit.origins,
  };
  checkKeyTexts(next);
  const limits = [maker, makerId === keyId ? current : null, held.get(parentId ?? '')];
  for (const limit of limits) if (limit) requireWithin({ ...next, expiresMs: limit.expiresMs }, limit);
  const gains = next.scopes.some((scope) => !isPermitted(current.scopes, scope));
  return write(db, gains ? { ...next, createdBy: giverOf(current, edit) } : next);
}

/** A key that gives scopes to itself has them already. */
function giverOf({ parentId, createdBy }: KeyRecord, { keyId, makerId = null, editedBy }: KeyEdit): string {
  if (makerId === null) return editedBy ?? createdBy;
  if (makerId !== keyId && makerId !== parentId) throw keyNotEditable('foreign');
  return createdBy;
}

async function write(db: Queryable, next: KeyRecord): Promise<EditedKey> {
  const rows = await db.query<KeyRecord>(
    `UPDATE registry.keys SET comment = $2, scopes = $3, origins = $4, created_by = $5 WHERE id = $1 RETURNING ${keyColumns}`,
    [next.id, next.comment, next.scopes, next.origins, next.createdBy],
  );
  return { edited: returnedRow(rows), below: await narrowLineage(db, next) };
}
