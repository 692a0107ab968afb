import { objectNotFound, systemError } from '@tickrate/contract';
import type { Accounts } from '../accounts.ts';
import { queueSecurityMail } from '../mails/security-mails.ts';
import { type SessionActor, writeOwnAudit } from '../records/audit.ts';
import { endSessions, lockAccounts, type SessionRow, sessionOver } from '../sign-in/sessions.ts';
import { type InRealm, inRealm } from '../store/in-realm.ts';
import { findAccounts, type OwnAccount } from './accounts.ts';
import { giveBack } from './identities.ts';

/** The account of the session. Throws 2004 if it is gone or archived. */
export async function findOwnAccount({ db }: Accounts, session: SessionRow): Promise<OwnAccount> {
  const [account] = await findAccounts(inRealm(db, session.realm), [session.account_id]);
  if (!account) throw sessionOver(session);
  return account;
}

/** Null members stay unchanged. */
export async function changeProfile(
  { db, now }: Accounts,
  { realm, account_id: accountId }: SessionRow,
  {
    displayName,
    locale,
    marketing,
  }: Pick<OwnAccount, 'locale' | 'marketing'> & { displayName: string | null },
): Promise<void> {
  await inRealm(db, realm).rows(
    `UPDATE auth.accounts SET display_name = COALESCE($3, display_name), locale = COALESCE($4, locale),
       marketing = COALESCE($5, marketing),
       marketing_changed = CASE WHEN $5::boolean IS NOT NULL THEN $6 ELSE marketing_changed END
     WHERE realm = $1 AND id = $2`,
    [accountId, displayName, locale, marketing, new Date(now())],
  );
}

interface LinkedIdentity {
  readonly id: string;
  readonly provider: string;
  readonly displayName: string | null;
  /** UNIX seconds. */
  readonly linked: number;
}

export function listIdentities(people: InRealm, accountId: string): Promise<LinkedIdentity[]> {
  return people.rows<LinkedIdentity>(
    `SELECT id, provider, display_name AS "displayName", floor(extract(epoch FROM linked))::float8 AS linked
     FROM auth.identities WHERE realm = $1 AND account_id = $2 ORDER BY identities.linked, id`,
    [accountId],
  );
}

/**
 * Also ends the other sessions that the identity opened. The owner gets a mail. One at a time for an account, so that two
 * concurrent calls cannot remove both of the last two sign-in methods. Throws 3001, and `lastCredential` for the last
 * method.
 */
export function unlinkIdentity(accounts: Accounts, by: SessionActor, identityId: string): Promise<void> {
  const { account_id: accountId, id, realm } = by.session;
  return accounts.db.transaction(async (tx) => {
    const people = inRealm(tx, realm);
    const nowMs = accounts.now();
    await lockAccounts(people, [accountId]);
    const [ways] = await people.rows<{ here: boolean; others: number }>(
      `SELECT EXISTS (SELECT FROM auth.identities WHERE realm = $1 AND account_id = $2 AND id::text = $3) AS here,
         (SELECT count(*)::int FROM auth.identities WHERE realm = $1 AND account_id = $2 AND id::text <> $3)
         + (SELECT count(*)::int FROM auth.passwords p JOIN auth.accounts a ON a.id = p.account_id
            WHERE a.realm = $1 AND a.id = $2 AND a.email IS NOT NULL) AS others`,
      [accountId, identityId],
    );
    if (!ways?.here) throw objectNotFound('identity', identityId);
    if (ways.others === 0) throw systemError('lastCredential');
    await giveBack(people, { accountId, identityId, nowMs });
    const others = { accountId, sessionId: null, except: id, openedBy: [identityId] };
    await endSessions(people, { ...others, reason: 'identityUnlinked', nowMs });
    await writeOwnAudit(accounts, people, { by, act: 'identityUnlinked', details: { identity: identityId } });
    await queueSecurityMail(accounts, people, { accountId, kind: 'identity-unlinked' });
  });
}
