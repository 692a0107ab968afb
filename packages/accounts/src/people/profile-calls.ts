import type { AccountsDeps } from '../accounts-deps.ts';
import { queueSecurityMail } from '../mails/security-mails.ts';
import { type SessionActor, writeOwnAudit } from '../records/audit.ts';
import { endSessions, type SessionRow } from '../sign-in/sessions/sessions.ts';
import { inRealm } from '../store/in-realm.ts';
import { type AccountRow, changeProfile, findAccounts, type ProfileEdit } from './accounts.ts';
import { type IdentityRow, listIdentities, type UnlinkOutcome, unlinkIdentity } from './identities.ts';

/** The account of a session: its profile and its linked identities. */
export function createProfileCalls(deps: AccountsDeps) {
  const { db, now } = deps;
  return {
    /** Null if the account is gone or archived. */
    async find({ realm, account_id }: SessionRow): Promise<AccountRow | null> {
      const [account] = await findAccounts(inRealm(db, realm), [account_id]);
      return account ?? null;
    },

    /** Null members stay unchanged. */
    change: ({ realm, account_id }: SessionRow, edit: Omit<ProfileEdit, 'accountId' | 'nowMs'>) =>
      changeProfile(inRealm(db, realm), { ...edit, accountId: account_id, nowMs: now() }),

    identities: ({ realm, account_id }: SessionRow): Promise<IdentityRow[]> =>
      listIdentities(inRealm(db, realm), account_id),

    /** Also ends the other sessions that the identity opened. The owner gets a mail. */
    unlink(by: SessionActor, identityId: string): Promise<UnlinkOutcome> {
      const { account_id: accountId, id, realm } = by.session;
      return db.transaction(async (tx) => {
        const people = inRealm(tx, realm);
        const nowMs = now();
        const outcome = await unlinkIdentity(people, { accountId, identityId, nowMs });
        if (outcome !== 'unlinked') return outcome;
        const others = { accountId, sessionId: null, except: id, openedBy: [identityId] };
        await endSessions(people, { ...others, reason: 'identityUnlinked', nowMs });
        await writeOwnAudit(deps, people, { by, act: 'identityUnlinked', details: { identity: identityId } });
        await queueSecurityMail(deps, people, { accountId, kind: 'identity-unlinked' });
        return outcome;
      });
    },
  };
}
