import { objectNotFound, parameterInvalid, systemError, uuidShape } from '@tickrate/contract';
import { returnedRow } from '../store/record-version.ts';
import type { RegistryDeps } from '../store/registry-deps.ts';
import { requireReach } from './key-bounds.ts';
import { changeKeysAlone, descendsFrom, holdMaker, madeWith, revokeLineage } from './key-lineage.ts';
import { type KeyRecord, keyColumns, keyNotEditable, readKey } from './key-record.ts';
import { type CreatedKey, createKey } from './keys.ts';

export interface RotatedKey extends CreatedKey {
  /** The replaced key. It expires at the end of the overlap. */
  readonly previous: KeyRecord;
  /** Without an overlap: the old key, and what was made with it. */
  readonly ended: readonly string[];
}

export interface KeyRotation {
  readonly keyId: string;
  /** How long both keys work: 0 to 7 days. */
  readonly overlapMs: number;
  readonly createdBy: string;
  /** The calling key, whose bounds limit both keys. Null or absent: the caller is a person. */
  readonly makerId?: string | null;
}

export interface KeyRevocation {
  readonly keyId: string;
  /** The calling key, whose bounds limit the key. Null or absent: the caller is a person. */
  readonly makerId?: string | null;
}

export interface RevokedKey {
  readonly key: KeyRecord;
  /** The key, and the keys that it created. */
  readonly ended: readonly string[];
}

const longestOverlapMs = 7 * 24 * 3_600_000;

/** Also revokes the keys that it created. Revoking again changes nothing. */
export async function revokeKey(
  deps: RegistryDeps,
  { keyId, makerId = null }: KeyRevocation,
): Promise<RevokedKey> {
  await changeKeysAlone(deps.db);
  const maker = makerId === null ? null : await holdMaker(deps, makerId);
  const key = await readKey(deps.db, keyId);
  if (maker !== null) requireReach(key, maker);
  const ended = await revokeLineage(deps, [key.id]);
  return { key: await readKey(deps.db, keyId), ended };
}

/** A new key with the rights of the old one. The old key expires after the overlap. */
export async function rotateKey(
  deps: RegistryDeps,
  { keyId, overlapMs, createdBy, makerId = null }: KeyRotation,
): Promise<RotatedKey> {
  if (!(overlapMs >= 0 && overlapMs <= longestOverlapMs))
    throw parameterInvalid('overlap', 'not 0 to 7 days');
  await changeKeysAlone(deps.db);
  const isOwn = makerId === keyId;
  const maker = makerId === null || isOwn ? null : await holdMaker(deps, makerId);
  const { line: oldLine, ...old } = await lockUsableKey(deps, keyId);
  if (maker !== null) requireReach(old, maker);
  if (overlapMs === 0 && makerId !== null && (await descendsFrom(deps.db, makerId, keyId)))
    throw systemError('objectNotEditable', {
      objectNotEditableReason:
        'the key of this call was created with it and would end with it; leave an overlap',
    });
  const nowMs = deps.now();
  const created = await createKey(
    deps,
    {
      ...old,
      createdBy,
      parentId: makerId,
      expiresMs: endOfSuccessor(old, { nowMs, lastMs: (isOwn ? old : maker)?.expiresMs ?? null }),
    },
    { line: oldLine, prefix: old.prefix },
  );
  const endMs = Math.min(nowMs + overlapMs, old.expiresMs ?? Number.POSITIVE_INFINITY);
  const previous = await deps.db.query<KeyRecord>(
    `UPDATE registry.keys SET expires = $2 WHERE id = $1 RETURNING ${keyColumns}`,
    [keyId, new Date(endMs)],
  );
  let ended: string[] = [];
  // A key that is replaced without an overlap may have been stolen: what was created with it ends, too.
  if (overlapMs === 0) {
    const children = (await madeWith(deps.db, [keyId])).filter((child) => child !== created.key.id);
    ended = [...new Set([keyId, ...(await revokeLineage(deps, children))])];
    await deps.db.query(
      `DELETE FROM registry.shares s USING registry.keys maker
        WHERE maker.id = s.key_id AND maker.line = $1 AND maker.created <= $2`,
      [oldLine, new Date(old.createdMs)],
    );
  }
  return { ...created, previous: returnedRow(previous), ended };
}

/** The lifetime of the old key, limited by the calling key. */
function endOfSuccessor(
  { createdMs, expiresMs }: KeyRecord,
  { nowMs, lastMs }: { readonly nowMs: number; readonly lastMs: number | null },
): number | null {
  if (expiresMs === null) return null;
  return Math.min(nowMs + expiresMs - createdMs, lastMs ?? Number.POSITIVE_INFINITY);
}

async function lockUsableKey(
  deps: RegistryDeps,
  keyId: string,
): Promise<KeyRecord & { readonly line: string }> {
  if (!uuidShape.test(keyId)) throw objectNotFound('key', keyId);
  const [key] = await deps.db.query<KeyRecord & { readonly line: string }>(
    `SELECT ${keyColumns}, line FROM registry.keys WHERE id = $1 FOR UPDATE`,
    [keyId],
  );
  if (!key) throw objectNotFound('key', keyId);
  if (key.revokedMs !== null) throw keyNotEditable('revoked');
  if (key.expiresMs !== null && key.expiresMs <= deps.now()) throw keyNotEditable('expired');
  return key;
}
