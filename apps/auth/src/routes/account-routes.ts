import { type Accounts, readAddress } from '@tickrate/accounts';
import { type PasswordChange, parameterMissing, systemError } from '@tickrate/contract';
import {
  requireRecentSignIn,
  type SessionCall,
  type SessionCaller,
  selfOf,
  sessionRoute,
} from '../callers/call.ts';
import type { MailFlows } from '../mail/mail-flows.ts';
import type { PasswordHasher } from '../passwords/password-hasher.ts';
import type { CheckStrength } from '../passwords/strength-check.ts';
import { readPassword } from '../sign-in/request/credentials.ts';
import * as operations from './account-operations.ts';

export interface AccountRouteDeps {
  readonly accounts: Pick<Accounts, 'profiles' | 'passwords'>;
  readonly now: () => number;
  readonly hasher: PasswordHasher;
  readonly mails: MailFlows;
  /** Throws 4010. */
  readonly checkStrength: CheckStrength;
}

/** The calls with which the owner of an account reads and changes it. */
export function createAccountRoutes(deps: AccountRouteDeps) {
  return {
    read: sessionRoute(operations.readAccount, (call) => readAccount(deps, call)),
    change: sessionRoute(operations.editAccount, (call) => changeAccount(deps, call)),
    changePassword: sessionRoute(operations.changePassword, (call) => changePassword(deps, call)),
    changeEmail: sessionRoute(operations.changeEmail, (call) => changeEmail(deps, call)),
    identities: sessionRoute(operations.listIdentities, (call) => readIdentities(deps, call)),
    unlink: sessionRoute(operations.unlinkIdentity, (call) => unlink(deps, call)),
  };
}

async function findOwn({ accounts }: AccountRouteDeps, { session }: SessionCaller) {
  const account = await accounts.profiles.find(session);
  if (account === null) throw systemError('sessionExpired', { invalidSessionId: session.id });
  return account;
}

async function readAccount(deps: AccountRouteDeps, call: SessionCaller) {
  const account = await findOwn(deps, call);
  return {
    id: account.id,
    emailAddress: account.email,
    emailVerified: account.email_verified !== null,
    hasPassword: account.has_password,
    hasTwoFactor: account.has_second_factor,
    profile: { displayName: account.display_name, avatarUrl: account.avatar_url, locale: account.locale },
    marketingPreferenceOptIn: account.marketing,
    created: seconds(account.created.getTime()),
  };
}

async function changeAccount(deps: AccountRouteDeps, call: SessionCall<typeof operations.editAccount>) {
  const { body: change } = call;
  await deps.accounts.profiles.change(call.session, {
    displayName: change.displayName ?? null,
    locale: change.locale ?? null,
    marketing: change.marketingPreferenceOptIn ?? null,
  });
  return readAccount(deps, call);
}

/** Requires a recent sign-in. Ends every other session and remembered device. */
async function changePassword(
  deps: AccountRouteDeps,
  call: SessionCall<typeof operations.changePassword>,
): Promise<true> {
  const { accounts, hasher, now } = deps;
  const { session, body: change } = call;
  const derived = readPassword(change);
  if (derived === null) throw parameterMissing('password');
  const account = await findOwn(deps, call);
  requireRecentSignIn(session, now());
  await checkCurrent(deps, call, { change, email: account.email });
  deps.checkStrength({ plain: change.password ?? null, derived }, account.email);
  const outcome = await accounts.passwords.change(selfOf(call), await hasher.hash(derived));
  if (outcome === 'sessionOver') throw systemError('sessionExpired', { invalidSessionId: session.id });
  return true;
}

/** Throws 4001 if the caller sent a wrong current password. */
async function checkCurrent(
  { accounts }: AccountRouteDeps,
  { session }: SessionCaller,
  { change, email }: { readonly change: PasswordChange; readonly email: string | null },
): Promise<void> {
  const current = readPassword({
    password: change.currentPassword,
    passwordHash: change.currentPasswordHash,
  });
  if (current === null || email === null) return;
  if (!(await accounts.passwords.isCurrent(session, email, current))) throw systemError('credentialsInvalid');
}

/**
 * Sends a code to the new address. The account gets the address when the code is confirmed. A session without the second
 * factor first needs a code of the address that the account has: a password could be stolen.
 */
async function changeEmail(
  { now, mails }: AccountRouteDeps,
  { session, body: { emailAddress } }: SessionCall<typeof operations.changeEmail>,
): Promise<true> {
  requireRecentSignIn(session, now());
  const { realm, account_id: accountId, amr } = session;
  const isByFactor = amr.some((method) => method === 'otp' || method === 'recovery');
  if (isByFactor) mails.requestVerification(realm, readAddress(emailAddress), accountId);
  else mails.requestAddressChange(realm, readAddress(emailAddress), accountId);
  return true;
}

async function readIdentities({ accounts }: AccountRouteDeps, { session }: SessionCaller) {
  const rows = await accounts.profiles.identities(session);
  return {
    identities: rows.map((row) => ({
      id: row.id,
      provider: row.provider,
      displayName: row.display_name,
      linked: seconds(row.linked.getTime()),
    })),
  };
}

async function unlink(
  { accounts, now }: AccountRouteDeps,
  call: SessionCall<typeof operations.unlinkIdentity>,
): Promise<true> {
  const { id: identityId } = call.params;
  requireRecentSignIn(call.session, now());
  const outcome = await accounts.profiles.unlink(selfOf(call), identityId);
  if (outcome === 'unknown')
    throw systemError('objectNotFound', { objectType: 'identity', invalidIdentifier: identityId });
  if (outcome === 'last') throw systemError('lastCredential');
  return true;
}

function seconds(timeMs: number): number {
  return Math.floor(timeMs / 1000);
}
