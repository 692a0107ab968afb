import { insertAccount } from './accounts.ts';
import type { Database } from './database.ts';
import { setPassword } from './passwords.ts';

export interface InstallationOwner {
  readonly id: string;
  readonly address: string;
  readonly folded: string;
  readonly passwordHash: string;
  readonly nowMs: number;
}

/**
 * The administrator whom the operator has named: made once, and from then on it is theirs to change. True when it was
 * made now.
 */
export async function ensureInstallationOwner(db: Database, owner: InstallationOwner): Promise<boolean> {
  const { id, address, folded, nowMs } = owner;
  return db.transaction(async (tx) => {
    await tx.query('SELECT pg_advisory_xact_lock(4772905318242)');
    const found = await tx.query('SELECT FROM auth.accounts WHERE realm = $1 AND email_folded = $2', [
      'installation',
      folded,
    ]);
    if (found.length > 0) return false;
    await insertAccount(tx, {
      ...{ id, nowMs, realm: 'installation', terms: {} },
      email: { address, folded, verified: true },
      ...{ displayName: null, avatarUrl: null, locale: null, marketing: null },
    });
    await setPassword(tx, { accountId: id, hash: owner.passwordHash, nowMs });
    await tx.query('UPDATE auth.accounts SET owns_installation = true WHERE id = $1', [id]);
    await tx.query('INSERT INTO auth.first_administrator (account_id) VALUES ($1) ON CONFLICT DO NOTHING', [
      id,
    ]);
    return true;
  });
}
