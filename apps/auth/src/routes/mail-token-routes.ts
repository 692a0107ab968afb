import {
  type AccountRow,
  dropCredentials,
  endSessions,
  findAccounts,
  findAddress,
  findMailToken,
  forgetDevices,
  type InRealm,
  inRealm,
  insertAccount,
  insertAudit,
  type MailToken,
  readAddress,
  releaseAddress,
  setPassword,
  setVerifiedEmail,
  spendMailToken,
  type TokenLookup,
  unlinkDevices,
} from '@tickrate/accounts';
import { createNamedId, type MailTokenGiven, parameterMissing, systemError } from '@tickrate/contract';
import { outcomeOf } from '@tickrate/postgres';
import { type AnyCall, type AnyCaller, anyKeyRoute } from '../callers/call.ts';
import { hashMailToken, type MailFlows } from '../mail/mail-flows.ts';
import type { PasswordHasher } from '../passwords/password-hasher.ts';
import type { CheckStrength } from '../passwords/strength-check.ts';
import { forgiveAddress } from '../sign-in/facts/check-password.ts';
import { readPassword } from '../sign-in/request/credentials.ts';
import { type Ground, installationRealm } from '../sign-in/sign-in.ts';
import * as operations from './mail-token-operations.ts';
import { tellAccount } from './tell-account.ts';

export interface MailTokenDeps {
  readonly ground: Ground;
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
  const { ground, hasher } = deps;
  const { body: given } = call;
  const derived = readPassword(given);
  if (derived === null) throw parameterMissing('password');
  const found = await find(ground, call, { given, kinds: ['reset'] });
  deps.checkStrength({ plain: given.password ?? null, derived }, found.token.email);
  const hash = await hasher.hash(derived);
  await ground.db.transaction(async (tx) => {
    const people = inRealm(tx, found.realm);
    const token = await spendMailToken(people, found.lookup);
    if (!token?.account_id) throw tokenUnknown();
    await takeOver(ground, people, { token, accountId: token.account_id });
    await setPassword(people, { accountId: token.account_id, hash, nowMs: ground.now() });
    await writeAudit(ground, people, { call, accountId: token.account_id, act: 'passwordReset' });
    await tellAccount(ground, people, { accountId: token.account_id, kind: 'password-changed' });
  });
  await forgiveAddress(ground, found.realm, found.token.email_folded);
  return true;
}

async function accountOf(people: InRealm, accountId: string): Promise<AccountRow | undefined> {
  const [account] = await findAccounts(people, [accountId]);
  return account;
}

/** The code proves the address. Credentials that were set up before the address was proven are dropped. */
async function takeOver(
  ground: Ground,
  people: InRealm,
  { token, accountId }: { readonly token: MailToken; readonly accountId: string },
): Promise<void> {
  const nowMs = ground.now();
  const holder = await findAddress(people, token.email_folded);
  if (holder?.id !== accountId) throw tokenUnknown();
  if (!holder.verified) await dropCredentials(people, accountId);
  await forgetDevices(people, accountId);
  await unlinkDevices(people, { accountId, keepOf: null, nowMs });
  await endSessions(people, { accountId, sessionId: null, reason: 'passwordReset', nowMs });
  await setVerifiedEmail(people, { accountId, email: token.email, folded: token.email_folded, nowMs });
}

/** Completes a registration, with the password it was started with, or confirms the address of the caller's account. */
async function verifyEmail(deps: MailTokenDeps, call: AnyCall<typeof operations.verifyEmail>): Promise<true> {
  const { ground } = deps;
  const { body: given } = call;
  const found = await find(ground, call, { given, kinds: ['verify', 'register'] });
  await useToken(deps, call, { given, ...found }).catch((error: unknown) => {
    // Another call was faster, or an account that waits for its erasure still has the address.
    throw outcomeOf(error) === 'uniqueViolation' ? systemError('emailInUse') : error;
  });
  return true;
}

async function useToken(
  deps: MailTokenDeps,
  call: AnyCaller,
  found: FoundToken & { readonly given: MailTokenGiven },
): Promise<void> {
  if (found.token.kind === 'register') return finishRegistration(deps, call, found);
  if (call.caller.live?.account_id !== found.token.account_id) await provePassword(deps, found);
  return confirmAddress(deps, call, found);
}

/** Without a session of the account, requires its password: the mail alone could confirm the account of a stranger. */
async function provePassword(
  { ground, hasher }: MailTokenDeps,
  { given, token, realm }: FoundToken & { readonly given: MailTokenGiven },
): Promise<void> {
  const holder = await findAddress(inRealm(ground.db, realm), token.email_folded);
  const isOwn = holder !== null && holder.id === token.account_id;
  const { ok } = await hasher.verify(isOwn ? holder.password_hash : null, readPassword(given) ?? '');
  if (!ok) throw systemError('credentialsInvalid');
}

interface FoundToken {
  readonly realm: string;
  readonly token: MailToken;
  readonly lookup: TokenLookup;
}

// The mail alone is not enough: a stranger may have started the registration with their own password.
async function finishRegistration(
  { ground, hasher }: MailTokenDeps,
  call: AnyCaller,
  { given, token, realm, lookup }: FoundToken & { readonly given: MailTokenGiven },
): Promise<void> {
  const derived = readPassword(given);
  if (derived === null) throw parameterMissing('password');
  const { ok } = await hasher.verify(token.password_hash, derived);
  if (!ok || token.password_hash === null) throw systemError('credentialsInvalid');
  const hash = token.password_hash;
  await ground.db.transaction(async (tx) => {
    const people = inRealm(tx, realm);
    if (!(await spendMailToken(people, lookup))) throw tokenUnknown();
    const accountId = await makeAccount(ground, people, token);
    await setPassword(people, { accountId, hash, nowMs: ground.now() });
    await writeAudit(ground, people, { call, accountId, act: 'accountCreated' });
  });
  await forgiveAddress(ground, realm, token.email_folded);
}

async function makeAccount(ground: Ground, people: InRealm, token: MailToken): Promise<string> {
  const id = createNamedId('u', ground.randomBytes);
  await release(ground, people, token.email_folded);
  const { displayName, locale } = token.details;
  await insertAccount(people, {
    id,
    avatarUrl: null,
    marketing: null,
    terms: {},
    nowMs: ground.now(),
    email: { address: token.email, folded: token.email_folded, verified: true },
    displayName: typeof displayName === 'string' ? displayName : null,
    locale: typeof locale === 'string' ? locale : null,
  });
  return id;
}

/** The code is valid only for the account that requested it: with its session, or by its address. */
async function confirmAddress(
  { ground }: MailTokenDeps,
  call: AnyCaller,
  { lookup, realm }: FoundToken,
): Promise<void> {
  await ground.db.transaction(async (tx) => {
    const people = inRealm(tx, realm);
    const token = await spendMailToken(people, lookup);
    const accountId = token?.account_id ?? null;
    if (token === null || accountId === null) throw tokenUnknown();
    const holder = await findAddress(people, token.email_folded);
    if (holder && holder.id !== accountId && holder.verified) throw systemError('emailInUse');
    if (holder?.id !== accountId) await release(ground, people, token.email_folded);
    const before = holder?.id === accountId ? undefined : await accountOf(people, accountId);
    await setVerifiedEmail(people, {
      accountId,
      email: token.email,
      folded: token.email_folded,
      nowMs: ground.now(),
    });
    await writeAudit(ground, people, { call, accountId, act: 'emailVerified' });
    // To the previous address: its owner may not have agreed.
    const told = { accountId, kind: 'email-changed' as const, to: before?.email ?? null };
    if (told.to !== null) await tellAccount(ground, people, told);
  });
}

async function release(ground: Ground, people: InRealm, folded: string): Promise<void> {
  const squatter = await releaseAddress(people, folded);
  if (squatter === null) return;
  await endSessions(people, {
    accountId: squatter,
    sessionId: null,
    reason: 'addressProven',
    nowMs: ground.now(),
  });
}

async function find(
  ground: Ground,
  call: AnyCaller,
  { given, kinds }: { readonly given: MailTokenGiven; readonly kinds: TokenLookup['kinds'] },
): Promise<FoundToken> {
  const hash = hashMailToken(ground, given.token.trim());
  for (const realm of realmsOf(call)) {
    const lookup = { hash, kinds, nowMs: ground.now() };
    const token = await findMailToken(inRealm(ground.db, realm), lookup);
    if (token) return { realm, token, lookup };
  }
  throw tokenUnknown();
}

function realmsOf({ caller }: AnyCaller): string[] {
  return caller.live ? [caller.live.realm] : [caller.principal.projectId, installationRealm];
}

function tokenUnknown(): Error {
  return systemError('tokenInvalid', { objectContext: 'mail' });
}

function writeAudit(
  { newId, now }: Ground,
  people: InRealm,
  {
    call,
    accountId,
    act,
  }: {
    readonly call: AnyCaller;
    readonly accountId: string;
    readonly act: 'passwordReset' | 'accountCreated' | 'emailVerified';
  },
): Promise<void> {
  const { context, caller } = call;
  return insertAudit(people, {
    id: newId(),
    atMs: now(),
    act,
    accountId,
    details: {},
    sessionId: caller.live?.id ?? null,
    projectId: caller.principal.projectId,
    requestId: context.requestId,
    clientAddress: context.clientAddress,
  });
}
