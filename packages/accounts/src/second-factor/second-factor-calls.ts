import type { AccountsDeps } from '../accounts-deps.ts';
import { forgetDevices } from '../credentials/devices.ts';
import { queueSecurityMail } from '../mails/security-mails.ts';
import { type SessionActor, writeOwnAudit } from '../records/audit.ts';
import { endSessions, isAlive, lockAccounts } from '../sign-in/sessions/sessions.ts';
import { type InRealm, inRealm } from '../store/in-realm.ts';
import { dropSecondFactor, findTotp, replaceRecoveryCodes } from './second-factors.ts';
import { newRecoveryCodes, normaliseCode } from './totp.ts';

/** The secret of an authenticator, and the name that distinguishes it from the user's other ones. */
export interface AuthenticatorSetup {
  readonly secret: string;
  readonly label: string;
}

/** The second factor of a signed-in account: its authenticator and its recovery codes. */
export function createSecondFactorCalls(deps: AccountsDeps) {
  const { db, now } = deps;
  return {
    /**
     * `unproven`: the session was not opened with the second factor, which is older than the session. `sessionOver`:
     * another call has ended the session meanwhile, and nothing was changed.
     */
    async remove(by: SessionActor): Promise<'removed' | 'unproven' | 'sessionOver'> {
      const { account_id: accountId, realm, amr, started } = by.session;
      const totp = await findTotp(inRealm(db, realm), accountId);
      const isProven = amr.some((method) => method === 'otp' || method === 'recovery');
      if (totp && !isProven && totp.confirmed.getTime() < started.getTime()) return 'unproven';
      return db.transaction(async (tx) => {
        const people = inRealm(tx, realm);
        await lockAccounts(people, [accountId]);
        if (!(await isAlive(people, by.session, now()))) return 'sessionOver';
        await dropSecondFactor(people, accountId);
        await writeOwnAudit(deps, people, { by, act: 'secondFactorRemoved' });
        if (totp) await queueSecurityMail(deps, people, { accountId, kind: 'second-factor-removed' });
        return 'removed';
      });
    },
  };
}

/**
 * The account has its second factor now: ends the sessions and remembered devices that were opened without it, and
 * returns the first recovery codes. The owner gets a mail.
 */
export async function startSecondFactor(
  deps: AccountsDeps,
  people: InRealm,
  { accountId, except }: { readonly accountId: string; readonly except: string | null },
): Promise<string[]> {
  await forgetDevices(people, accountId);
  const others = { accountId, sessionId: null, except, nowMs: deps.now() };
  await endSessions(people, { ...others, reason: 'secondFactorEnrolled' });
  await queueSecurityMail(deps, people, { accountId, kind: 'second-factor-enrolled' });
  const codes = newRecoveryCodes(deps.randomBytes);
  const hashes = codes.map((code) => hashRecoveryCode(deps, accountId, code));
  await replaceRecoveryCodes(people, accountId, hashes);
  return codes;
}

/** For any spelling of the code. */
export function hashRecoveryCode({ keyring }: AccountsDeps, accountId: string, code: string): Buffer {
  return keyring.mac('recovery', accountId, normaliseCode(code));
}
