import { NoSealer, type Sealer } from '../store/provider-secrets.ts';
import type { RegistryDeps } from '../store/registry-deps.ts';
import { createKey } from './keys.ts';

const place = 'console key';

/**
 * The public key with which the console asks auth to sign an administrator in. It belongs to the oldest project, and is
 * created again when it was revoked or when it was sealed with a lost key. Null while there is no project.
 */
export async function findConsoleKey(deps: RegistryDeps): Promise<string | null> {
  const { db, sealer } = deps;
  if (sealer === null) throw new NoSealer();
  await db.query('SELECT pg_advisory_xact_lock(4772905318243)');
  const [kept] = await db.query<{ sealed: Buffer }>(
    `SELECT c.sealed FROM registry.console_key c JOIN registry.keys k ON k.id = c.key_id
      WHERE k.revoked IS NULL AND k.expires IS NULL`,
  );
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

async function makeConsoleKey(deps: RegistryDeps, sealer: Sealer): Promise<string | null> {
  const { db } = deps;
  const [project] = await db.query<{ id: string }>(
    'SELECT id FROM registry.projects WHERE deleted IS NULL ORDER BY created, id LIMIT 1',
  );
  if (project === undefined) return null;
  const { text, key } = await createKey(deps, {
    projectId: project.id,
    kind: 'public',
    comment: 'Sign-in at the console',
    createdBy: 'console',
  });
  const sealed = Buffer.from(sealer.seal(text, place));
  await db.query(
    `INSERT INTO registry.console_key (key_id, sealed) VALUES ($1, $2)
     ON CONFLICT (only_row) DO UPDATE SET key_id = excluded.key_id, sealed = excluded.sealed`,
    [key.id, sealed],
  );
  return text;
}
