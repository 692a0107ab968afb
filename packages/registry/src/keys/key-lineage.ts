import { systemError } from '@tickrate/contract';
import type { Kysely, Transaction } from 'kysely';
import type { RegistryDatabase } from '../store/database-schema.ts';
import { narrowed } from './key-bounds.ts';
import { type KeyRecord, keyOf, uuidShape } from './key-record.ts';

type KeyDatabase = Kysely<RegistryDatabase> | Transaction<RegistryDatabase>;

/**
 * Locks the keys that a change of another key depends on until the transaction ends. It locks the eldest first: a
 * revocation also goes from a key to the keys that it created, so no deadlock is possible.
 */
export async function holdKeys(
  database: KeyDatabase,
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string, KeyRecord>> {
  const wanted = ids.filter((id) => id !== null);
  if (wanted.length === 0) return new Map();
  const rows = await database
    .selectFrom('registry.keys')
    .selectAll()
    .where('id', 'in', wanted)
    .orderBy('created')
    .orderBy('id')
    .forShare()
    .execute();
  return new Map(rows.map((row) => [row.id, keyOf(row)]));
}

/** The calling key. It may have ended since the call was admitted: then throws 2002. */
export async function holdMaker(
  { database, now }: { readonly database: KeyDatabase; readonly now: () => number },
  makerId: string,
): Promise<KeyRecord> {
  const maker = uuidShape.test(makerId) ? (await holdKeys(database, [makerId])).get(makerId) : undefined;
  const isOver = maker?.expiresMs != null && maker.expiresMs <= now();
  if (maker === undefined || maker.revokedMs !== null || isOver) throw systemError('apiKeyInvalid');
  return maker;
}

/**
 * Ends a key and all keys created from it, directly or indirectly, one level at a time. The creation of a key locks its
 * creator, so the new key exists before its own level is read.
 */
export async function revokeLineage(
  { database, now }: { readonly database: KeyDatabase; readonly now: () => number },
  keyId: string,
): Promise<string[]> {
  const ended: string[] = [];
  for (let level = [keyId]; level.length > 0; level = await madeWith(database, level)) {
    ended.push(...level);
    await database
      .updateTable('registry.keys')
      .set({ revoked: new Date(now()) })
      .where('id', 'in', level)
      .where('revoked', 'is', null)
      .execute();
  }
  return ended;
}

/** Reduces the keys created by a key that was reduced. */
export async function narrowLineage(database: KeyDatabase, key: KeyRecord): Promise<void> {
  for (let level = [key]; level.length > 0; ) {
    const makers = new Map(level.map((maker) => [maker.id, maker]));
    const below = await database
      .selectFrom('registry.keys')
      .selectAll()
      .where('parent_id', 'in', [...makers.keys()])
      .orderBy('created')
      .orderBy('id')
      .forUpdate()
      .execute();
    level = [];
    for (const child of below.map(keyOf)) {
      const maker = makers.get(child.parentId ?? '');
      if (maker === undefined) continue;
      const left = narrowed(child, maker);
      level.push({ ...child, ...left });
      await database
        .updateTable('registry.keys')
        .set({ scopes: [...left.scopes], origins: left.origins && [...left.origins] })
        .where('id', '=', child.id)
        .execute();
    }
  }
}

/** With these keys, or with one that they have replaced: whoever ends a successor ends what its line has made until then. */
export async function madeWith(database: KeyDatabase, ids: readonly string[]): Promise<string[]> {
  const rows = await database
    .selectFrom('registry.keys as child')
    .innerJoin('registry.keys as maker', 'maker.id', 'child.parent_id')
    .select('child.id')
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('maker.id', 'in', [...ids]),
        exists(
          selectFrom('registry.keys as heir')
            .select('heir.id')
            .where('heir.id', 'in', [...ids])
            .whereRef('heir.line', '=', 'maker.line')
            .whereRef('maker.created', '<=', 'heir.created')
            .whereRef('child.line', '<>', 'maker.line'),
        ),
      ]),
    )
    .execute();
  return rows.map(({ id }) => id);
}
