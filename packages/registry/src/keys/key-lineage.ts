import { commonScopes, systemError, uuidShape } from '@tickrate/contract';
import type { Queryable } from '@tickrate/postgres';
import type { RegistryDeps } from '../store/registry-deps.ts';
import { narrowed } from './key-bounds.ts';
import { type KeyRecord, keyColumns } from './key-record.ts';

/**
 * Waits until no other rotation, edit or revocation of a key is under way, and keeps others waiting until the transaction
 * ends. Each of them locks several keys, and lineages have circles: without this, holders of two keys could block
 * each other, and the owner who revokes them.
 */
export async function changeKeysAlone(db: Queryable): Promise<void> {
  await db.query('SELECT pg_advisory_xact_lock(4772905318244)');
}

/** Locks the keys that a change of another key depends on until the transaction ends. */
export async function holdKeys(
  db: Queryable,
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string, KeyRecord>> {
  const wanted = ids.filter((id) => id !== null);
  if (wanted.length === 0) return new Map();
  const keys = await db.query<KeyRecord>(
    `SELECT ${keyColumns} FROM registry.keys WHERE id = ANY ($1::uuid[]) ORDER BY created, id FOR SHARE`,
    [wanted],
  );
  return new Map(keys.map((key) => [key.id, key]));
}

/** Locks the calling key. Throws 2002 if it has ended since the call was admitted. */
export async function holdMaker({ db, now }: RegistryDeps, makerId: string): Promise<KeyRecord> {
  const maker = uuidShape.test(makerId) ? (await holdKeys(db, [makerId])).get(makerId) : undefined;
  const isOver = maker?.expiresMs != null && maker.expiresMs <= now();
  if (maker === undefined || maker.revokedMs !== null || isOver) throw systemError('apiKeyInvalid');
  return maker;
}

/** The key as it is now, which cannot change until the transaction ends. Throws 2002 if it has ended. */
export async function holdKey(deps: RegistryDeps, keyId: string): Promise<KeyRecord> {
  await changeKeysAlone(deps.db);
  return holdMaker(deps, keyId);
}

/**
 * Ends these keys and all keys created from them, directly or indirectly, one level at a time. The creation of a key
 * locks its creator, so the new key exists before its own level is read.
 */
export async function revokeLineage({ db, now }: RegistryDeps, keyIds: readonly string[]): Promise<string[]> {
  const revoked = new Date(now());
  return walkLineage(db, keyIds, (level) =>
    db.query('UPDATE registry.keys SET revoked = $2 WHERE id = ANY ($1::uuid[]) AND revoked IS NULL', [
      level,
      revoked,
    ]),
  );
}

/** Whether one key was created from another, directly or indirectly. A key that its own descendant rotated descends from itself. */
export async function descendsFrom(db: Queryable, descendant: string, keyId: string): Promise<boolean> {
  return (await walkLineage(db, await madeWith(db, [keyId]))).includes(descendant);
}

/**
 * These keys and all keys created from them. Each key is visited once, because a lineage can be a circle: a key can
 * create the key that later rotates it.
 */
async function walkLineage(
  db: Queryable,
  keyIds: readonly string[],
  visit?: (level: readonly string[]) => Promise<unknown>,
): Promise<string[]> {
  const met = new Set<string>();
  for (let level = [...keyIds]; level.length > 0; ) {
    for (const keyId of level) met.add(keyId);
    await visit?.(level);
    level = (await madeWith(db, level)).filter((keyId) => !met.has(keyId));
  }
  return [...met];
}

/** A person in a project. */
export interface KeyMaker {
  readonly projectId: string;
  readonly accountId: string;
}

/** The keys that a person created in a project, and the keys created with them, in any project. */
export function keysMadeBy(db: Queryable, { projectId, accountId }: KeyMaker): Promise<KeyRecord[]> {
  return db.query<KeyRecord>(
    `WITH RECURSIVE made AS (
       SELECT id FROM registry.keys WHERE project_id = $1 AND created_by = $2
       UNION SELECT k.id FROM registry.keys k JOIN made ON k.parent_id = made.id)
     SELECT ${keyColumns} FROM registry.keys WHERE id IN (SELECT id FROM made) ORDER BY created, id`,
    [projectId, accountId],
  );
}

/**
 * Takes from these keys the scopes that their maker no longer has. They stay, and still send events, which needs no
 * scope. A larger role later gives no key its scopes back. Returns all of them as they are then.
 */
export async function limitKeysMadeBy(
  db: Queryable,
  { scopes, ...maker }: KeyMaker & { readonly scopes: readonly string[] },
): Promise<KeyRecord[]> {
  await changeKeysAlone(db);
  const limited = (await keysMadeBy(db, maker)).map((key) => ({
    ...key,
    scopes: commonScopes(key.scopes, scopes),
  }));
  for (const key of limited)
    await db.query('UPDATE registry.keys SET scopes = $2 WHERE id = $1 AND scopes <> $2', [
      key.id,
      key.scopes,
    ]);
  return limited;
}

/** Reduces the keys created by a key that was reduced, and returns them. */
export async function narrowLineage(db: Queryable, key: KeyRecord): Promise<KeyRecord[]> {
  const reduced: KeyRecord[] = [];
  for (let level = [key]; level.length > 0; ) {
    const makers = new Map(level.map((maker) => [maker.id, maker]));
    const below = await db.query<KeyRecord>(
      `SELECT ${keyColumns} FROM registry.keys WHERE parent_id = ANY ($1::uuid[]) ORDER BY created, id FOR UPDATE`,
      [[...makers.keys()]],
    );
    level = [];
    for (const child of below) {
      const maker = makers.get(child.parentId ?? '');
      if (maker === undefined) continue;
      const left = narrowed(child, maker);
      level.push({ ...child, ...left });
      reduced.push({ ...child, ...left });
      await db.query('UPDATE registry.keys SET scopes = $2, origins = $3 WHERE id = $1', [
        child.id,
        left.scopes,
        left.origins,
      ]);
    }
  }
  return reduced;
}

/**
 * The keys that were created with these keys, or with a key that they replaced. Revoking a successor also revokes what
 * its rotation line has created until then.
 */
export async function madeWith(db: Queryable, ids: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `SELECT child.id FROM registry.keys AS child JOIN registry.keys AS maker ON maker.id = child.parent_id
      WHERE maker.id = ANY ($1::uuid[])
         OR EXISTS (SELECT FROM registry.keys AS heir
                     WHERE heir.id = ANY ($1::uuid[]) AND heir.line = maker.line
                       AND maker.created <= heir.created AND child.line <> maker.line)`,
    [ids],
  );
  return rows.map(({ id }) => id);
}
