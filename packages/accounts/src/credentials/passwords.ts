import type { Accounts } from '../accounts.ts';
import { queueSecurityMail } from '../mails/security-mails.ts';
import { findAddress } from '../people/accounts.ts';
import { readAddress } from '../people/address.ts';
import { unlinkDevices } from '../people/identities.ts';
import { type SessionActor, writeOwnAudit } from '../records/audit.ts';
import { endSessions, holdSession, type SessionRow } from '../sign-in/sessions.ts';
import { type InRealm, inRealm, ofAccount } from '../store/in-realm.ts';
import { forgetDevices, hashDevice } from './devices.ts';
import { chargeTry, forgiveTries } from './throttles.ts';

export type CheckedPassword =
  | { readonly kind: 'locked'; readonly seconds: number }
  | { readonly kind: 'wrong' }
  /** `changed`: since when the account has this password. */
  | { readonly kind: 'right'; readonly accountId: string; readonly changed: Date | null };

interface PasswordTry {
  readonly realm: string;
  readonly folded: string;
  /** The secret of the caller's device; null without one. */
  readonly device: string | null;
  readonly derived: string;
}

/**
 * Checks an address and its password. Each attempt is counted first, whether an account has the address or not. An
 * unknown address takes as long as a wrong password.
 */
export async function checkPassword(accounts: Accounts, tried: PasswordTry): Promise<CheckedPassword> {
  const { db, now } = accounts;
  const bucket = await bucketOf(accounts, tried);
  return accounts.passwordLock.run(bucket.toString('base64'), async () => {
    const closedMs = await chargeTry(db, bucket, now());
    if (closedMs !== null) return { kind: 'locked', seconds: Math.ceil(closedMs / 1000) };
    const people = inRealm(db, tried.realm);
    const holder = await findAddress(people, tried.folded);
    const stored = holder?.password_hash ?? null;
    const { ok, rehash } = await accounts.verifyPassword(stored, tried.derived);
    if (!ok || holder === null || stored === null) return { kind: 'wrong' };
    await forgiveTries(db, bucket);
    // The same password with newer parameters, unless it was changed meanwhile.
    if (rehash !== null) {
      const sql = `UPDATE auth.passwords SET hash = $4 WHERE ${ofAccount} AND hash = $3`;
      await people.rows(sql, [holder.id, stored, rehash]);
    }
    return { kind: 'right', accountId: holder.id, changed: holder.password_changed };
  });
}

/**
 * The bucket that counts the attempts: for the submitted address, whether an account has it or not. A device that signed
 * in to the account of the address before has a bucket of its own, so that strangers cannot lock out the owner.
 */
async function bucketOf(accounts: Accounts, { realm, folded, device }: PasswordTry): Promise<Buffer> {
  const known =
    device === null
      ? []
      : await inRealm(accounts.db, realm).rows(
          `SELECT FROM auth.known_devices d JOIN auth.accounts a ON a.id = d.account_id
           WHERE a.realm = $1 AND a.email_folded = $2 AND d.hash = $3`,
          [folded, hashDevice(accounts, device)],
        );
  const own = device !== null && known.length > 0 ? [device] : [];
  return accounts.keyring.mac('tries', realm, folded, ...own);
}

/** Clears the lockout of an address whose owner has just proved it by mail. Known devices have their own buckets. */
export function forgiveAddress({ db, keyring }: Accounts, realm: string, folded: string): Promise<void> {
  return forgiveTries(db, keyring.mac('tries', realm, folded));
}

/** Whether it is the password of the account that has the address. Counts no attempt. */
export async function isCurrentPassword(
  { db, verifyPassword }: Accounts,
  { realm }: SessionRow,
  given: { readonly emailAddress: string; readonly derived: string },
): Promise<boolean> {
  const holder = await findAddress(inRealm(db, realm), readAddress(given.emailAddress).folded);
  return (await verifyPassword(holder?.password_hash ?? null, given.derived)).ok;
}

/**
 * Ends every other session and remembered device of the account. The owner gets a mail. Throws 2004 like
 * `holdSession`.
 */
export function changePassword(accounts: Accounts, by: SessionActor, hash: string): Promise<void> {
  return accounts.db.transaction(async (tx) => {
    const { account_id: accountId, id, realm } = by.session;
    const nowMs = accounts.now();
    const people = inRealm(tx, realm);
    await holdSession(people, by.session, nowMs);
    const before = await findSafeguards(people, accountId);
    await setPassword(people, { accountId, hash, nowMs });
    await forgetDevices(people, accountId);
    // Until the first password, the devices are the only sign-in methods of a player: they stay linked.
    if (before?.password_changed) await unlinkDevices(people, { accountId, keepOf: id, nowMs });
    await endSessions(people, {
      accountId,
      sessionId: null,
      except: id,
      reason: 'passwordChanged',
      nowMs,
    });
    await writeOwnAudit(accounts, people, { by, act: 'passwordChanged' });
    await queueSecurityMail(accounts, people, { accountId, kind: 'password-changed' });
  });
}

/** Also deletes the mailed codes that would reset the password or replace the address: a thief may have requested them. */
export async function setPassword(
  people: InRealm,
  { accountId, hash, nowMs }: { readonly accountId: string; readonly hash: string; readonly nowMs: number },
): Promise<void> {
  await people.rows(
    `INSERT INTO auth.passwords (account_id, hash, changed)
     SELECT a.id, $3, $4 FROM auth.accounts a WHERE a.realm = $1 AND a.id = $2
     ON CONFLICT (account_id) DO UPDATE SET hash = excluded.hash, changed = excluded.changed`,
    [accountId, hash, new Date(nowMs)],
  );
  await people.rows(
    `DELETE FROM auth.mail_tokens m USING auth.accounts a
     WHERE m.realm = $1 AND m.account_id = $2 AND a.id = m.account_id
       AND (m.kind IN ('reset', 'change-email') OR (m.kind = 'verify' AND m.email_folded <> a.email_folded))`,
    [accountId],
  );
}

/** The sign-in methods that the account requires now. */
export async function findSafeguards(people: InRealm, accountId: string) {
  const [row] = await people.rows<{ password_changed: Date | null; has_second_factor: boolean }>(
    `SELECT p.changed AS password_changed, t.confirmed IS NOT NULL AS has_second_factor
     FROM auth.accounts a LEFT JOIN auth.passwords p ON p.account_id = a.id LEFT JOIN auth.totps t ON t.account_id = a.id
     WHERE a.realm = $1 AND a.id = $2`,
    [accountId],
  );
  return row ?? null;
}
