import { createKeyedLock } from '@tickrate/platform';
import type { AccountsDeps } from '../accounts-deps.ts';
import { queueSecurityMail } from '../mails/security-mails.ts';
import { findAddress } from '../people/accounts.ts';
import { readAddress } from '../people/address.ts';
import { unlinkDevices } from '../people/identities.ts';
import { type SessionActor, writeOwnAudit } from '../records/audit.ts';
import { endSessions, isAlive, lockAccounts, type SessionRow } from '../sign-in/sessions/sessions.ts';
import { inRealm } from '../store/in-realm.ts';
import { inTransaction } from '../store/in-transaction.ts';
import { forgetDevices } from './devices.ts';
import { bucketOfTry, chargePassword, type PasswordTry } from './password-tries.ts';
import { findSafeguards, rehashPassword, setPassword } from './passwords.ts';
import { forgiveTries } from './throttles.ts';

/** `sessionOver`: another call has ended the session meanwhile, and nothing was changed. */
export type PasswordChangeOutcome = 'changed' | 'sessionOver';

export type CheckedPassword =
  | { readonly kind: 'locked'; readonly seconds: number }
  | { readonly kind: 'wrong' }
  /** `changed`: since when the account has this password. */
  | { readonly kind: 'right'; readonly accountId: string; readonly changed: Date | null };

interface TriedPassword extends PasswordTry {
  readonly derived: string;
}

export function createPasswordCalls(deps: AccountsDeps) {
  const { db, now } = deps;
  // Several correct passwords at once must not count as failures: each is charged only after the one before is cleared.
  const locks = createKeyedLock();
  return {
    /**
     * Checks an address and its password. Each attempt is counted first, whether an account has the address or not. An
     * unknown address takes as long as a wrong password.
     */
    async check(tried: TriedPassword): Promise<CheckedPassword> {
      const bucket = await bucketOfTry(deps, tried);
      return locks.run(bucket.toString('base64'), () => checkCounted(deps, tried, bucket));
    },

    /** Whether it is the password of the account that has the address. Counts no attempt. */
    async isCurrent({ realm }: SessionRow, emailAddress: string, derived: string): Promise<boolean> {
      const holder = await findAddress(inRealm(db, realm), readAddress(emailAddress).folded);
      return (await deps.verifyPassword(holder?.password_hash ?? null, derived)).ok;
    },

    /** Ends every other session and remembered device of the account. The owner gets a mail. */
    change: (by: SessionActor, hash: string): Promise<PasswordChangeOutcome> =>
      inTransaction<PasswordChangeOutcome>(db, async (tx, rollBack) => {
        const { account_id: accountId, id, realm } = by.session;
        const nowMs = now();
        const people = inRealm(tx, realm);
        // If two callers end each other's sessions at the same time, the second one changes nothing.
        await lockAccounts(people, [accountId]);
        if (!(await isAlive(people, by.session, nowMs))) throw rollBack('sessionOver');
        const before = await findSafeguards(people, accountId);
        await setPassword(people, { accountId, hash, nowMs });
        await forgetDevices(people, accountId);
        // Until the first password, the devices are the only sign-in methods of a player: they stay linked.
        if (before?.password_changed) await unlinkDevices(people, { accountId, keepOf: id, nowMs });
        const others = { accountId, sessionId: null, except: id };
        await endSessions(people, { ...others, reason: 'passwordChanged', nowMs });
        await writeOwnAudit(deps, people, { by, act: 'passwordChanged' });
        await queueSecurityMail(deps, people, { accountId, kind: 'password-changed' });
        return 'changed';
      }),
  };
}

async function checkCounted(
  deps: AccountsDeps,
  { realm, folded, derived }: TriedPassword,
  bucket: Buffer,
): Promise<CheckedPassword> {
  const seconds = await chargePassword(deps, bucket);
  if (seconds !== null) return { kind: 'locked', seconds };
  const people = inRealm(deps.db, realm);
  const holder = await findAddress(people, folded);
  const stored = holder?.password_hash ?? null;
  const { ok, rehash } = await deps.verifyPassword(stored, derived);
  if (!ok || holder === null || stored === null) return { kind: 'wrong' };
  await forgiveTries(deps.db, bucket);
  if (rehash !== null) await rehashPassword(people, holder.id, [stored, rehash]);
  return { kind: 'right', accountId: holder.id, changed: holder.password_changed };
}
