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
import {
  createNamedId,
  type MailTokenGiven,
  parameterMissing,
  type ResetRequest,
  systemError,
} from '@tickrate/contract';
import { outcomeOf } from '@tickrate/postgres';
import type { PasswordHasher } from '../passwords/password-hasher.ts';
import type { CheckStrength } from '../passwords/strength-check.ts';
import type { CheckAddress } from '../sign-in/address-rates.ts';
import { forgiveAddress } from '../sign-in/check-password.ts';
import { readPassword } from '../sign-in/credentials.ts';
import { hashMailToken, type MailFlows } from '../sign-in/mail-flows.ts';
import { type Ground, installationRealm } from '../sign-in/sign-in.ts';
import type { AnyCall } from './call.ts';
import type { ReadMembers } from './read-members.ts';
import { tellAccount } from './tell-account.ts';

export interface MailTokenDeps {
  readonly ground: Ground;
  readonly hasher: PasswordHasher;
  readonly mails: MailFlows;
  readonly readResetRequest: ReadMembers<ResetRequest>;
  readonly readMailToken: ReadMembers<MailTokenGiven>;
  readonly readPasswordReset: ReadMembers<MailTokenGiven>;
  readonly checkStrength: CheckStrength;
  /** Throws 6002. */
  readonly checkAddress: CheckAddress;
}

/** What is done with the codes of mails. Every one is good once, in its own realm. */
export function createMailTokenRoutes(deps: MailTokenDeps) {
  return {
    requestReset: (call: AnyCall) => requestReset(deps, call),
    resetPassword: (call: AnyCall) => resetPassword(deps, call),
    verifyEmail: (call: AnyCall) => verifyEmail(deps, call),
  };
}

/** A public key may be a player's or an administrator's way in; which of them somebody is is not told. */
async function requestReset({ mails, readResetRequest, checkAddress }: MailTokenDeps, call: AnyCall) {
  await checkAddress(call.context);
  const { emailAddress, requestedRole } = await readResetRequest(call.request);
  const email = readAddress(emailAddress);
  const isAdministrator = requestedRole === 'builtin:admin';
  mails.requestReset(
    realmsOf(call).filter((realm) => !isAdministrator || realm === installationRealm),
    email,
    call.context.clientAddress,
  );
  return true;
}

async function resetPassword(deps: MailTokenDeps, call: AnyCall) {
  const { ground, hasher } = deps;
  await deps.checkAddress(call.context);
  const given = await deps.readPasswordReset(call.request);
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

/** Who reads the mail has proven the address; what was set up before, while nobody had, is not theirs to trust. */
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

/** Finishes a registration, with the password it was begun with, or confirms the address of the caller's account. */
async function verifyEmail(deps: MailTokenDeps, call: AnyCall) {
  const { ground } = deps;
  await deps.checkAddress(call.context);
  const given = await deps.readMailToken(call.request);
  const found = await find(ground, call, { given, kinds: ['verify', 'register'] });
  await useToken(deps, call, { given, ...found }).catch((error: unknown) => {
    // Somebody was faster, or an account that is put aside keeps the address until it is erased.
    throw outcomeOf(error) === 'uniqueViolation' ? systemError('emailInUse') : error;
  });
  return true;
}

async function useToken(
  deps: MailTokenDeps,
  call: AnyCall,
  found: FoundToken & { readonly given: MailTokenGiven },
): Promise<void> {
  if (found.token.kind === 'register') return finishRegistration(deps, call, found);
  if (call.caller.live?.account_id !== found.token.account_id) await provePassword(deps, found);
  return confirmAddress(deps, call, found);
}

/** Without a session of the account, its password: who only reads the mail may be confirming a stranger's account. */
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

// The mail alone does not do: a stranger may have begun the registration, with a password of their own.
async function finishRegistration(
  { ground, hasher }: MailTokenDeps,
  call: AnyCall,
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

/** The code counts only for the account that asked for it, with a session of that account or by its address. */
async function confirmAddress(
  { ground }: MailTokenDeps,
  call: AnyCall,
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
    // At the address of before: its owner may not have been asked.
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
  call: AnyCall,
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

function realmsOf({ caller }: AnyCall): string[] {
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
    readonly call: AnyCall;
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
