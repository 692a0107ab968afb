import {
  beginTotp,
  chargeSecondFactor,
  confirmTotp,
  dropSecondFactor,
  endSessions,
  findAccounts,
  findTotp,
  forgetDevices,
  forgiveSecondFactor,
  type InRealm,
  inRealm,
  spendStep,
} from '@tickrate/accounts';
import { systemError } from '@tickrate/contract';
import { requireRecentSignIn, type SessionCall, type SessionCaller, sessionRoute } from '../callers/call.ts';
import { renewRecoveryCodes } from '../second-factor/renew-recovery-codes.ts';
import { newTotpSecret, normaliseCode, totpStep } from '../second-factor/totp.ts';
import { whatToSetUp } from '../second-factor/what-to-set-up.ts';
import type { Ground } from '../sign-in/sign-in.ts';
import type { WriteAudit } from './audited.ts';
import { tellAccount } from './tell-account.ts';
import * as operations from './two-factor-operations.ts';

export interface TwoFactorDeps {
  readonly ground: Ground;
  readonly audit: WriteAudit;
}

/** The calls that set up an authenticator, confirm it with its first code, and remove it. */
export function createTwoFactorRoutes(deps: TwoFactorDeps) {
  return {
    begin: sessionRoute(operations.beginTwoFactor, (call) => begin(deps, call)),
    confirm: sessionRoute(operations.confirmTwoFactor, (call) => confirm(deps, call)),
    remove: sessionRoute(operations.removeTwoFactor, (call) => remove(deps, call)),
  };
}

async function begin({ ground }: TwoFactorDeps, { session }: SessionCaller) {
  requireRecentSignIn(session, ground.now());
  const people = inRealm(ground.db, session.realm);
  const [account] = await findAccounts(people, [session.account_id]);
  const secret = newTotpSecret(ground.randomBytes);
  if (!(await beginTotp(people, session.account_id, ground.box.seal(secret)))) throw alreadyEnrolled();
  return whatToSetUp(secret, account?.email ?? account?.display_name ?? session.account_id);
}

/** Spends the code. The answer contains the recovery codes, which are shown only once. */
async function confirm(
  { ground, audit }: TwoFactorDeps,
  call: SessionCall<typeof operations.confirmTwoFactor>,
) {
  const { account_id: accountId, id, realm } = call.session;
  const { twoFactorCode } = call.body;
  const people = inRealm(ground.db, realm);
  const totp = await findTotp(people, accountId);
  if (!totp) throw systemError('objectNotFound', { objectType: 'twoFactor', invalidIdentifier: accountId });
  if (totp.confirmed) throw alreadyEnrolled();
  await checkStep(ground, people, { accountId, secret: ground.box.open(totp.secret), text: twoFactorCode });
  const recoveryCodes = await ground.db.transaction(async (tx) => {
    const people = inRealm(tx, realm);
    if (!(await confirmTotp(people, accountId, ground.now()))) throw alreadyEnrolled();
    await forgetDevices(people, accountId);
    await endSessions(people, {
      accountId,
      sessionId: null,
      except: id,
      reason: 'secondFactorEnrolled',
      nowMs: ground.now(),
    });
    await audit(people, call, { act: 'secondFactorEnrolled' });
    await tellAccount(ground, people, { accountId, kind: 'second-factor-enrolled' });
    return renewRecoveryCodes(ground, people, accountId);
  });
  return { recoveryCodes };
}

async function checkStep(
  ground: Ground,
  people: InRealm,
  { accountId, secret, text }: { readonly accountId: string; readonly secret: string; readonly text: string },
): Promise<void> {
  const tried = await chargeSecondFactor(people, accountId, ground.now());
  if ('lockedMs' in tried)
    throw systemError('tooManyTwoFactorAttempts', { retryAfterSeconds: Math.ceil(tried.lockedMs / 1000) });
  const step = totpStep(secret, normaliseCode(text), ground.now());
  if (step === null) throw systemError('twoFactorCodeInvalid', { amount: tried.triesLeft });
  if (!(await spendStep(people, accountId, step))) throw systemError('twoFactorCodeUsed');
  await forgiveSecondFactor(people, accountId);
}

/** Requires a session that was opened with the second factor. Also forgets the trusted devices. */
async function remove({ ground, audit }: TwoFactorDeps, call: SessionCaller): Promise<true> {
  const { session } = call;
  requireRecentSignIn(session, ground.now());
  const people = inRealm(ground.db, session.realm);
  const totp = await findTotp(people, session.account_id);
  const isProven = session.amr.some((method) => method === 'otp' || method === 'recovery');
  if (totp?.confirmed && !isProven && totp.confirmed.getTime() < session.started.getTime()) {
    throw systemError('notPermitted', {}, { fields: 'sign in with the second factor first' });
  }
  await ground.db.transaction(async (tx) => {
    const people = inRealm(tx, session.realm);
    await dropSecondFactor(people, session.account_id);
    await audit(people, call, { act: 'secondFactorRemoved' });
    const told = { accountId: session.account_id, kind: 'second-factor-removed' as const };
    if (totp?.confirmed) await tellAccount(ground, people, told);
  });
  return true;
}

function alreadyEnrolled(): Error {
  return systemError('objectAlreadyExists', { objectType: 'twoFactor', invalidIdentifier: 'twoFactor' });
}
