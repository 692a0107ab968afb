import type { RandomBytes } from '@tickrate/contract';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { RegistryDatabase } from '../store/database-schema.ts';
import { NoSealer, type Sealer } from '../store/provider-secrets.ts';
import { createKey } from './keys.ts';

interface Deps {
  readonly database: Transaction<RegistryDatabase>;
  readonly now: () => number;
  readonly randomBytes: RandomBytes;
  readonly sealer: Sealer | null;
}

const place = 'console key';

/**
 * The public key with which the console asks auth to sign an administrator in. It belongs to the oldest project, and is
 * created again when it was revoked or when it was sealed with a lost key. Null while there is no project.
 */
export async function findConsoleKey(deps: Deps): Promise<string | null> {
  const { database, sealer } = deps;
  if (sealer === null) throw new NoSealer();
  await sql`SELECT pg_advisory_xact_lock(4772905318243)`.execute(database);
  const kept = await database
    .selectFrom('registry.console_key')
    .innerJoin('registry.keys', 'registry.keys.id', 'registry.console_key.key_id')
    .select('registry.console_key.sealed')
    .where('registry.keys.revoked', 'is', null)
    .where('registry.keys.expires', 'is', null)
    .executeTakeFirst();
  const opened = kept === undefined ? null : open(sealer, kept.sealed);
  return opened ?? (await makeConsoleKey(deps, sealer));
}

function open(sealer: Sealer, sealed: Uint8Array): string | null {
  try {
    return sealer.open(sealed, place);
  } catch {
    return null;
  }
}

async function makeConsoleKey(deps: Deps, sealer: Sealer): Promise<string | null> {
  const { database } = deps;
  const project = await oldestProject(database);
  if (project === undefined) return null;
  const { text, key } = await createKey(deps, {
    projectId: project.id,
    kind: 'public',
    comment: 'Sign-in at the console',
    createdBy: 'console',
  });
  const sealed = Buffer.from(sealer.seal(text, place));
  await database
    .insertInto('registry.console_key')
    .values({ only_row: true, key_id: key.id, sealed })
    .onConflict((conflict) => conflict.column('only_row').doUpdateSet({ sealed, key_id: key.id }))
    .execute();
  return text;
}

function oldestProject(database: Kysely<RegistryDatabase>) {
  return database
    .selectFrom('registry.projects')
    .select('id')
    .orderBy('created')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}
