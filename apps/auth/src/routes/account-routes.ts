import {
  changePassword,
  changeProfile,
  findOwnAccount,
  inRealm,
  isCurrentPassword,
  listIdentities,
  readAddress,
  type SessionRow,
  unlinkIdentity,
} from '@tickrate/accounts';
import { parameterMissing, systemError } from '@tickrate/contract';
import { requireRecentSignIn, selfOf, sessionRoute } from '../callers/caller.ts';
import type { AuthParts } from '../parts.ts';
import { checkStrength } from '../passwords/password-weakness.ts';
import { readPassword } from '../sign-in/credentials.ts';
import { accountOperations as operations } from './account-operations.ts';

export const read = sessionRoute(operations.readAccount, (parts, { session }) => readAccount(parts, session));

export const change = sessionRoute(operations.editAccount, async (parts, { session, body }) => {
  await changeProfile(parts.accounts, session, {
    displayName: body.displayName ?? null,
    locale: body.locale ?? null,
    marketing: body.marketingPreferenceOptIn ?? null,
  });
  return readAccount(parts, session);
});

async function readAccount(parts: AuthParts, session: SessionRow) {
  const account = await findOwnAccount(parts.accounts, session);
  const { id, emailAddress, emailVerified, hasPassword, displayName, avatarUrl, locale } = account;
  return {
    id,
    emailAddress,
    emailVerified,
    hasPassword,
    hasTwoFactor: account.hasSecondFactor,
    profile: { displayName, avatarUrl, locale },
    marketingPreferenceOptIn: account.marketing,
    created: Math.floor(account.createdMs / 1000),
  };
}

/** Requires a recent sign-in. Ends every other session and remembered device. */
export const changeOwnPassword = sessionRoute(operations.changePassword, async (parts, call) => {
  const { accounts } = parts;
  const { session, body } = call;
  const derived = readPassword(body);
  if (derived === null) throw parameterMissing('password');
  const { emailAddress } = await findOwnAccount(accounts, session);
  requireRecentSignIn(parts, session);
  const { currentPassword: password, currentPasswordHash: passwordHash } = body;
  const current = readPassword({ password, passwordHash });
  if (current !== null && emailAddress !== null) {
    const given = { emailAddress, derived: current };
    if (!(await isCurrentPassword(accounts, session, given))) throw systemError('credentialsInvalid');
  }
  checkStrength(parts.judgePassword, { plain: body.password ?? null, derived }, emailAddress);
  await changePassword(accounts, selfOf(call), await parts.hasher.hash(derived));
  return true as const;
});

/**
 * Sends a code to the new address. The account gets the address when the code is confirmed. A session without the second
 * factor first needs a code of the address that the account has: a password could be stolen.
 */
export const changeAddress = sessionRoute(operations.changeEmail, async (parts, { session, body }) => {
  requireRecentSignIn(parts, session);
  const { realm, account_id: accountId, amr } = session;
  const own = { realm, accountId, email: readAddress(body.emailAddress) };
  const isByFactor = amr.some((method) => method === 'otp' || method === 'recovery');
  if (isByFactor) parts.mails.requestVerification(own);
  else parts.mails.requestAddressChange(own);
  return true as const;
});

export const identities = sessionRoute(operations.listIdentities, async ({ accounts }, { session }) => {
  return { identities: await listIdentities(inRealm(accounts.db, session.realm), session.account_id) };
});

export const unlink = sessionRoute(operations.unlinkIdentity, async (parts, call) => {
  requireRecentSignIn(parts, call.session);
  await unlinkIdentity(parts.accounts, selfOf(call), call.params.id);
  return true as const;
});
