import { createNamedId } from '@tickrate/contract';
import type { AccountsDeps } from '../accounts-deps.ts';
import { setPassword } from '../credentials/passwords.ts';
import { insertAccount, isAddressTaken } from '../people/accounts.ts';
import type { Address } from '../people/address.ts';
import { inRealm } from '../store/in-realm.ts';

/**
 * The administrator that the operator has named: created once, and edited only by its owner afterwards. True if it was
 * created now.
 */
export function ensureInstallationOwner({ db, now, randomBytes }: AccountsDeps) {
  return ({ address, folded }: Address, passwordHash: string): Promise<boolean> =>
    db.transaction(async (tx) => {
      const id = createNamedId('u', randomBytes);
      const nowMs = now();
      await tx.query('SELECT pg_advisory_xact_lock(4772905318242)');
      const people = inRealm(tx, 'installation');
      if (await isAddressTaken(people, folded)) return false;
      await insertAccount(people, {
        id,
        nowMs,
        terms: {},
        email: { address, folded, verified: true },
        displayName: null,
        avatarUrl: null,
        locale: null,
        marketing: null,
      });
      await setPassword(people, { accountId: id, hash: passwordHash, nowMs });
      await people.rows('UPDATE auth.accounts SET owns_installation = true WHERE realm = $1 AND id = $2', [
        id,
      ]);
      await tx.query('INSERT INTO auth.first_administrator (account_id) VALUES ($1) ON CONFLICT DO NOTHING', [
        id,
      ]);
      return true;
    });
}
