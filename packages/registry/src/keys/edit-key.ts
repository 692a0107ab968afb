import type { Kysely, Transaction } from 'kysely';
import { sql } from 'kysely';
import type { RegistryDatabase } from '../store/database-schema.ts';
import { recordVersion, requireVersion } from '../store/record-version.ts';
import { requireReach, requireWithin } from './key-bounds.ts';
import { holdKeys, holdMaker, narrowLineage } from './key-lineage.ts';
import { type KeyRecord, keyNotEditable, keyNotFound, keyOf, uuidShape } from './key-record.ts';
import { checkKeyTexts } from './keys.ts';

export interface KeyPlace {
  readonly projectId: string;
  readonly keyId: string;
}

export interface KeyPage {
  readonly projectId: string;
  /** Keys that come after this one, newest first. */
  readonly after?: { readonly createdMs: number; readonly keyId: string } | null;
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
}

export function keyVersion({ comment, scopes, origins, expiresMs, revokedMs }: KeyRecord): string {
  return recordVersion({ comment, scopes, origins, expiresMs, revokedMs });
}

/** Newest first. */
export async function pageOfKeys(
  database: Kysely<RegistryDatabase>,
  { projectId, after = null, limit }: KeyPage,
): Promise<KeyRecord[]> {
  const rows = await database
    .selectFrom('registry.keys')
    .selectAll()
    .where('project_id', '=', projectId)
    .$if(after !== null, (query) =>
      query.where(sql<boolean>`(created, id) < (${new Date(after?.createdMs ?? 0)}, ${after?.keyId}::uuid)`),
    )
    .orderBy('created', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(keyOf);
}

/** A key of another project is not found. */
export async function findKey(
  database: Kysely<RegistryDatabase> | Transaction<RegistryDatabase>,
  { projectId, keyId }: KeyPlace,
): Promise<KeyRecord> {
  if (!uuidShape.test(keyId)) throw keyNotFound(keyId);
  const row = await database
    .selectFrom('registry.keys')
    .selectAll()
    .where('id', '=', keyId)
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  if (!row) throw keyNotFound(keyId);
  return keyOf(row);
}

/** A key cannot exceed the key that created it or the key that edits it. */
export async function editKey(
  deps: { readonly database: Transaction<RegistryDatabase>; readonly now: () => number },
  edit: KeyEdit,
): Promise<KeyRecord> {
  const { database } = deps;
  const { projectId, keyId, makerId = null } = edit;
  const { parentId } = await findKey(database, { projectId, keyId });
  const held = await holdKeys(database, [parentId, makerId === keyId ? null : makerId]);
  await database.selectFrom('registry.keys').select('id').where('id', '=', keyId).forUpdate().execute();
  const current = await findKey(database, { projectId, keyId });
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
  return write(database, next);
}

async function write(database: Transaction<RegistryDatabase>, next: KeyRecord): Promise<KeyRecord> {
  const row = await database
    .updateTable('registry.keys')
    .set({
      comment: next.comment,
      scopes: [...next.scopes],
      origins: next.origins === null ? null : [...next.origins],
    })
    .where('id', '=', next.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await narrowLineage(database, next);
  return keyOf(row);
}
