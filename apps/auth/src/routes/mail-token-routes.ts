import { type Accounts, type FoundMailCode, readAddress, type VerifyOutcome } from '@tickrate/accounts';
import { parameterMissing, systemError } from '@tickrate/contract';
import { type AnyCall, type AnyCaller, actorOf, anyKeyRoute } from '../callers/call.ts';
import type { MailFlows } from '../mail/mail-flows.ts';
import type { PasswordHasher } from '../passwords/password-hasher.ts';
import type { CheckStrength } from '../passwords/strength-check.ts';
import { readPassword } from '../sign-in/request/credentials.ts';
import { installationRealm } from '../sign-in/sign-in.ts';
import * as operations from './mail-token-operations.ts';

export interface MailTokenDeps {
  readonly accounts: Pick<Accounts, 'mailCodes'>;
  readonly hasher: PasswordHasher;
  readonly mails: MailFlows;
  readonly checkStrength: CheckStrength;
}

/** The calls that send codes by mail and use them. Each code is valid once, in its own realm. */
export function createMailTokenRoutes(deps: MailTokenDeps) {
  return {
    requestReset: anyKeyRoute(operations.requestPasswordReset, (call) => requestReset(deps, call)),
    resetPassword: anyKeyRoute(operations.resetPassword, (call) => resetPassword(deps, call)),
    verifyEmail: anyKeyRoute(operations.verifyEmail, (call) => verifyEmail(deps, call)),
  };
}

/** Players and administrators can send a public key. The answer does not show which of them has the address. */
async function requestReset(
  { mails }: MailTokenDeps,
  call: AnyCall<typeof operations.requestPasswordReset>,
): Promise<true> {
  const { emailAddress, requestedRole } = call.body;
  const email = readAddress(emailAddress);
  const isAdministrator = requestedRole === 'builtin:admin';
  mails.requestReset(
    realmsOf(call).filter((realm) => !isAdministrator || realm === installationRealm),
    email,
    call.context.clientAddress,
  );
  return true;
}

async function resetPassword(
  deps: MailTokenDeps,
  call: AnyCall<typeof operations.resetPassword>,
): Promise<true> {
  const { mailCodes } = deps.accounts;
  const { body: given } = call;
  const derived = readPassword(given);
  if (derived === null) throw parameterMissing('password');
  const found = await mailCodes.find(realmsOf(call), given.token, ['reset']);
  if (found === null) throw tokenUnknown();
  deps.checkStrength({ plain: given.password ?? null, derived }, found.token.email);
  const hash = await deps.hasher.hash(derived);
  const outcome = await mailCodes.resetPassword(found, { hash, actor: actorOf(call) });
  if (outcome === 'unknown') throw tokenUnknown();
  return true;
}

/**
 * Completes a registration, with the password it was started with, or confirms the address of the caller's account. The
 * code of the old address sends one to the new address.
 */
async function verifyEmail(
  { accounts: { mailCodes }, mails }: MailTokenDeps,
  call: AnyCall<typeof operations.verifyEmail>,
): Promise<true> {
  const { body: given } = call;
  const found = await mailCodes.find(realmsOf(call), given.token, ['verify', 'register', 'change-email']);
  if (found === null) throw tokenUnknown();
  if (found.token.kind === 'change-email') return allowAddressChange({ mailCodes, mails }, call, found);
  const outcome = await useCode(mailCodes, call, found);
  if (outcome === 'wrongPassword') throw systemError('credentialsInvalid');
  if (outcome === 'inUse') throw systemError('emailInUse');
  if (outcome === 'unknown') throw tokenUnknown();
  return true;
}

interface AddressChangeDeps {
  readonly mailCodes: Accounts['mailCodes'];
  readonly mails: MailFlows;
}

async function allowAddressChange(
  { mailCodes, mails }: AddressChangeDeps,
  { caller, body }: AnyCall<typeof operations.verifyEmail>,
  found: FoundMailCode,
): Promise<true> {
  const liveAccountId = caller.live?.account_id ?? null;
  const derived = found.token.account_id === liveAccountId ? null : readPassword(body);
  const outcome = await mailCodes.allowAddressChange(found, { derived, liveAccountId });
  if (outcome.kind === 'wrongPassword') throw systemError('credentialsInvalid');
  if (outcome.kind === 'unknown') throw tokenUnknown();
  mails.requestVerification(found.realm, readAddress(outcome.emailAddress), outcome.accountId);
  return true;
}

function useCode(
  mailCodes: Accounts['mailCodes'],
  call: AnyCall<typeof operations.verifyEmail>,
  found: FoundMailCode,
): Promise<VerifyOutcome> {
  const actor = actorOf(call);
  const liveAccountId = call.caller.live?.account_id ?? null;
  const isOwn = found.token.kind === 'verify' && found.token.account_id === liveAccountId;
  const derived = isOwn ? null : readPassword(call.body);
  if (found.token.kind === 'verify')
    return mailCodes.confirmAddress(found, { derived, liveAccountId, actor });
  if (derived === null) throw parameterMissing('password');
  return mailCodes.finishRegistration(found, { derived, actor });
}

function realmsOf({ caller }: AnyCaller): string[] {
  return caller.live ? [caller.live.realm] : [caller.principal.projectId, installationRealm];
}

function tokenUnknown(): Error {
  return systemError('tokenInvalid', { objectContext: 'mail' });
}
