import type { AccountsDeps } from '../accounts-deps.ts';
import { forgetDevices } from '../credentials/devices.ts';
import { queueSecurityMail } from '../mails/security-mails.ts';
import { findAccounts } from '../people/accounts.ts';
import { type SessionActor, writeOwnAudit } from '../records/audit.ts';
import { endSessions, type SessionRow } from '../sign-in/sessions/sessions.ts';
import { type InRealm, inRealm } from '../store/in-realm.ts';
import { inTransaction } from '../store/in-transaction.ts';
import {
  beginTotp,
  chargeSecondFactor,
  confirmTotp,
  dropSecondFactor,
  findTotp,
  forgiveSecondFactor,
  replaceRecoveryCodes,
  spendStep,
} from './second-factors.ts';
import { newRecoveryCodes, newTotpSecret, normaliseCode, totpStep } from './totp.ts';

/** The secret of an authenticator, and the name that distinguishes it from the user's other ones. */
export interface AuthenticatorSetup {
  readonly secret: string;
  readonly label: string;
}

type WrongCode =
  | { readonly kind: 'locked'; readonly seconds: number }
  | { readonly kind: 'invalid'; readonly attemptsLeft: number }
  | { readonly kind: 'used' };

export type SecondFactorConfirmation =
  | { readonly kind: 'confirmed'; readonly recoveryCodes: string[] }
  | { readonly kind: 'notBegun' | 'alreadyEnrolled' }
  | WrongCode;

/** The second factor of a signed-in account: its authenticator and its recovery codes. */
export function createSecondFactorCalls(deps: AccountsDeps) {
  const { db, box, randomBytes } = deps;
  return {
    /** Replaces an unconfirmed setup. Null if the account has a second factor. */
    async begin({ realm, account_id: accountId }: SessionRow): Promise<AuthenticatorSetup | null> {
      const people = inRealm(db, realm);
      const [account] = await findAccounts(people, [accountId]);
      const secret = newTotpSecret(randomBytes);
      if (!(await beginTotp(people, accountId, box.seal(secret)))) return null;
      return { secret, label: account?.email ?? account?.display_name ?? accountId };
    },

    /** Spends the first code. Only this caller sees the recovery codes. Ends other sessions and remembered devices. */
    async confirm(by: SessionActor, code: string): Promise<SecondFactorConfirmation> {
      const { account_id: accountId, realm } = by.session;
      const people = inRealm(db, realm);
      const totp = await findTotp(people, accountId);
      if (!totp) return { kind: 'notBegun' };
      if (totp.confirmed) return { kind: 'alreadyEnrolled' };
      const wrong = await tryFirstCode(deps, people, { accountId, secret: box.open(totp.secret), code });
      return wrong ?? confirmTried(deps, by);
    },

    /** `unproven`: the session was not opened with the second factor, which is older than the session. */
    async remove(by: SessionActor): Promise<'removed' | 'unproven'> {
      const { account_id: accountId, realm, amr, started } = by.session;
      const totp = await findTotp(inRealm(db, realm), accountId);
      const isProven = amr.some((method) => method === 'otp' || method === 'recovery');
      if (totp?.confirmed && !isProven && totp.confirmed.getTime() < started.getTime()) return 'unproven';
      await db.transaction(async (tx) => {
        const people = inRealm(tx, realm);
        await dropSecondFactor(people, accountId);
        await writeOwnAudit(deps, people, { by, act: 'secondFactorRemoved' });
        if (totp?.confirmed)
          await queueSecurityMail(deps, people, { accountId, kind: 'second-factor-removed' });
      });
      return 'removed';
    },
  };
}

/** Counts the attempt before the check. Null for the right code, which is spent. */
async function tryFirstCode(
  { now }: AccountsDeps,
  people: InRealm,
  { accountId, secret, code }: { readonly accountId: string; readonly secret: string; readonly code: string },
): Promise<WrongCode | null> {
  const tried = await chargeSecondFactor(people, accountId, now());
  if ('lockedMs' in tried) return { kind: 'locked', seconds: Math.ceil(tried.lockedMs / 1000) };
  const step = totpStep(secret, normaliseCode(code), now());
  if (step === null) return { kind: 'invalid', attemptsLeft: tried.triesLeft };
  if (!(await spendStep(people, accountId, step))) return { kind: 'used' };
  await forgiveSecondFactor(people, accountId);
  return null;
}

function confirmTried(deps: AccountsDeps, by: SessionActor): Promise<SecondFactorConfirmation> {
  return inTransaction<SecondFactorConfirmation>(deps.db, async (tx, rollBack) => {
    const { account_id: accountId, id: except, realm } = by.session;
    const people = inRealm(tx, realm);
    if (!(await confirmTotp(people, accountId, deps.now()))) throw rollBack({ kind: 'alreadyEnrolled' });
    await writeOwnAudit(deps, people, { by, act: 'secondFactorEnrolled' });
    return { kind: 'confirmed', recoveryCodes: await startSecondFactor(deps, people, { accountId, except }) };
  });
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
