import {
  allowAddressChange,
  codeUnknown,
  confirmAddress,
  type FoundMailCode,
  findMailCode,
  finishRegistration,
  readAddress,
  resetPassword,
} from '@tickrate/accounts';
import { parameterMissing } from '@tickrate/contract';
import { refusePassword } from '../administrators/admit-administrator.ts';
import { type AnyCall, actorOf, anyKeyRoute } from '../callers/caller.ts';
import type { AuthParts } from '../parts.ts';
import { checkStrength } from '../passwords/password-weakness.ts';
import { readPassword } from '../sign-in/credentials.ts';
import { installationRealm } from '../sign-in/sign-in.ts';
import { mailTokenOperations as operations } from './mail-token-operations.ts';

/** Players and administrators can send a public key. The answer does not show which of them has the address. */
export const requestReset = anyKeyRoute(operations.requestPasswordReset, async (parts, call) => {
  const { emailAddress, requestedRole } = call.body;
  const email = readAddress(emailAddress);
  const isAdministrator = requestedRole === 'builtin:admin';
  if (isAdministrator) refusePassword(parts);
  const realms = realmsWithPassword(parts, call).filter(
    (realm) => !isAdministrator || realm === installationRealm,
  );
  parts.mails.requestReset(realms, email, call.context.clientAddress);
  return true as const;
});

export const reset = anyKeyRoute(operations.resetPassword, async (parts, call) => {
  const { accounts, judgePassword, hasher } = parts;
  const { body } = call;
  const derived = readPassword(body);
  if (derived === null) throw parameterMissing('password');
  const realms = realmsWithPassword(parts, call);
  const found = await findMailCode(accounts, realms, { text: body.token, kinds: ['reset'] });
  if (found === null) throw codeUnknown();
  checkStrength(judgePassword, { plain: body.password ?? null, derived }, found.token.email);
  const hash = await hasher.hash(derived);
  await resetPassword(accounts, found, { hash, actor: actorOf(call) });
  return true as const;
});

/**
 * Completes a registration, with the password it was started with, or confirms the address of the caller's account. The
 * code of the old address sends one to the new address.
 */
export const verify = anyKeyRoute(operations.verifyEmail, async (parts, call) => {
  const kinds = ['verify', 'register', 'change-email'] as const;
  const found = await findMailCode(parts.accounts, realmsOf(call), { text: call.body.token, kinds });
  if (found === null) throw codeUnknown();
  await useCode(parts, call, found);
  return true as const;
});

async function useCode(
  { accounts, mails }: AuthParts,
  call: AnyCall<typeof operations.verifyEmail>,
  found: FoundMailCode,
): Promise<void> {
  const { kind, account_id: accountId } = found.token;
  const actor = actorOf(call);
  const liveAccountId = call.caller.live?.account_id ?? null;
  // A session of the account is proof enough.
  const derived = accountId !== null && accountId === liveAccountId ? null : readPassword(call.body);
  if (kind === 'verify') return confirmAddress(accounts, found, { derived, liveAccountId, actor });
  if (kind === 'register') {
    if (derived === null) throw parameterMissing('password');
    return finishRegistration(accounts, found, { derived, actor });
  }
  const allowed = await allowAddressChange(accounts, found, { derived, liveAccountId });
  const email = readAddress(allowed.emailAddress);
  mails.requestVerification({ realm: found.realm, email, accountId: allowed.accountId });
}

function realmsOf({ caller }: Pick<AnyCall, 'caller'>): string[] {
  return caller.live ? [caller.live.realm] : [caller.principal.projectId, installationRealm];
}

function realmsWithPassword({ studio }: AuthParts, call: Pick<AnyCall, 'caller'>): string[] {
  return realmsOf(call).filter((realm) => realm !== installationRealm || studio?.isOnly !== true);
}
