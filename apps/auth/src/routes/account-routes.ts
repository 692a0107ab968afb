import {
  changeProfile,
  endSessions,
  findAccounts,
  findAddress,
  forgetDevices,
  type InRealm,
  inRealm,
  listIdentities,
  listSessions,
  lockAccounts,
  readAddress,
  type SessionRow,
  setPassword,
  unlinkDevices,
  unlinkIdentity,
} from '@tickrate/accounts';
import {
  type AddressGiven,
  type PasswordChange,
  type ProfileChange,
  parameterMissing,
  systemError,
} from '@tickrate/contract';
import type { PasswordHasher } from '../passwords/password-hasher.ts';
import type { CheckStrength } from '../passwords/strength-check.ts';
import type { CheckAddress } from '../sign-in/address-rates.ts';
import { readPassword } from '../sign-in/credentials.ts';
import { seconds } from '../sign-in/issue-session.ts';
import type { MailFlows } from '../sign-in/mail-flows.ts';
import type { Ground } from '../sign-in/sign-in.ts';
import type { WriteAudit } from './audited.ts';
import { requireRecentSignIn, type SessionCall } from './call.ts';
import type { ReadMembers } from './read-members.ts';
import { tellAccount } from './tell-account.ts';

export interface AccountRouteDeps {
  readonly ground: Ground;
  readonly audit: WriteAudit;
  readonly hasher: PasswordHasher;
  readonly mails: MailFlows;
  readonly readProfile: ReadMembers<ProfileChange>;
  readonly readPasswordChange: ReadMembers<PasswordChange>;
  readonly readAddressGiven: ReadMembers<AddressGiven>;
  /** Throws 4010. */
  readonly checkStrength: CheckStrength;
  /** Throws 6002. What hashes, and what mails to an address that the caller chose, counts as a sign-in does. */
  readonly checkAddress: CheckAddress;
}

/** The account as its owner sees and changes it. */
export function createAccountRoutes(deps: AccountRouteDeps) {
  return {
    read: (call: SessionCall) => readAccount(deps, call),
    change: (call: SessionCall) => changeAccount(deps, call),
    changePassword: (call: SessionCall) => changePassword(deps, call),
    changeEmail: (call: SessionCall) => changeEmail(deps, call),
    identities: (call: SessionCall) => readIdentities(deps, call),
    unlink: (call: SessionCall, identityId: string) => unlink(deps, call, identityId),
  };
}

async function findOwn({ ground }: AccountRouteDeps, { session }: SessionCall) {
  const [account] = await findAccounts(inRealm(ground.db, session.realm), [session.account_id]);
  if (!account) throw systemError('sessionExpired', { invalidSessionId: session.id });
  return account;
}

async function readAccount(deps: AccountRouteDeps, call: SessionCall) {
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

async function changeAccount(deps: AccountRouteDeps, call: SessionCall) {
  const change = await deps.readProfile(call.request);
  await changeProfile(inRealm(deps.ground.db, call.session.realm), {
    accountId: call.session.account_id,
    displayName: change.displayName ?? null,
    locale: change.locale ?? null,
    marketing: change.marketingPreferenceOptIn ?? null,
    nowMs: deps.ground.now(),
  });
  return readAccount(deps, call);
}

/** With the current password, or a short while after a sign-in. Every other session and remembered device ends. */
async function changePassword(deps: AccountRouteDeps, call: SessionCall) {
  const { ground, hasher, audit } = deps;
  const { session } = call;
  await deps.checkAddress(call.context);
  const change = await deps.readPasswordChange(call.request);
  const derived = readPassword(change);
  if (derived === null) throw parameterMissing('password');
  const account = await findOwn(deps, call);
  requireRecentSignIn(session, ground.now());
  await checkCurrent(deps, call, { change, email: account.email });
  deps.checkStrength({ plain: change.password ?? null, derived }, account.email);
  const hash = await hasher.hash(derived);
  const nowMs = ground.now();
  await ground.db.transaction(async (tx) => {
    const people = inRealm(tx, session.realm);
    await requireAlive(people, session, nowMs);
    await setPassword(people, { accountId: account.id, hash, nowMs });
    await forgetDevices(people, account.id);
    // The first password of a player answers nothing: the devices are the ways in until then.
    if (account.has_password)
      await unlinkDevices(people, { accountId: account.id, keepOf: session.id, nowMs });
    await endSessions(people, {
      accountId: account.id,
      sessionId: null,
      except: session.id,
      reason: 'passwordChanged',
      nowMs,
    });
    await audit(people, call, { act: 'passwordChanged' });
    await tellAccount(ground, people, { accountId: account.id, kind: 'password-changed' });
  });
  return true;
}

/** Of two that end each other's sessions at once, the one who comes second changes nothing. */
async function requireAlive(people: InRealm, { id, account_id }: SessionRow, nowMs: number): Promise<void> {
  await lockAccounts(people, [account_id]);
  const sessions = await listSessions(people, account_id, nowMs);
  if (!sessions.some((each) => each.id === id)) throw systemError('sessionExpired', { invalidSessionId: id });
}

/** A current password that was sent has to be the right one. */
async function checkCurrent(
  { ground, hasher }: AccountRouteDeps,
  { session }: SessionCall,
  { change, email }: { readonly change: PasswordChange; readonly email: string | null },
): Promise<void> {
  const current = readPassword({
    password: change.currentPassword,
    passwordHash: change.currentPasswordHash,
  });
  if (current === null || email === null) return;
  const holder = await findAddress(inRealm(ground.db, session.realm), readAddress(email).folded);
  const { ok } = await hasher.verify(holder?.password_hash ?? null, current);
  if (!ok) throw systemError('credentialsInvalid');
}

/** The address becomes the account's when its code comes back; until then nothing changes, and nothing is told. */
async function changeEmail(
  { ground, mails, readAddressGiven, checkAddress }: AccountRouteDeps,
  { session, request, context }: SessionCall,
) {
  await checkAddress(context);
  const { emailAddress } = await readAddressGiven(request);
  requireRecentSignIn(session, ground.now());
  mails.requestVerification(session.realm, readAddress(emailAddress), session.account_id);
  return true;
}

async function readIdentities({ ground }: AccountRouteDeps, { session }: SessionCall) {
  const rows = await listIdentities(inRealm(ground.db, session.realm), session.account_id);
  return {
    identities: rows.map((row) => ({
      id: row.id,
      provider: row.provider,
      displayName: row.display_name,
      linked: seconds(row.linked.getTime()),
    })),
  };
}

async function unlink(deps: AccountRouteDeps, call: SessionCall, identityId: string) {
  const { ground, audit } = deps;
  const { session } = call;
  requireRecentSignIn(session, ground.now());
  const outcome = await ground.db.transaction(async (tx) => {
    const people = inRealm(tx, session.realm);
    const unlinking = { accountId: session.account_id, identityId, nowMs: ground.now() };
    const done = await unlinkIdentity(people, unlinking);
    if (done === 'unlinked') {
      const ending = {
        accountId: session.account_id,
        sessionId: null,
        except: session.id,
        openedBy: [identityId],
      };
      await endSessions(people, { ...ending, reason: 'identityUnlinked', nowMs: ground.now() });
      await audit(people, call, { act: 'identityUnlinked', details: { identity: identityId } });
      await tellAccount(ground, people, { accountId: session.account_id, kind: 'identity-unlinked' });
    }
    return done;
  });
  if (outcome === 'unknown')
    throw systemError('objectNotFound', { objectType: 'identity', invalidIdentifier: identityId });
  if (outcome === 'last') throw systemError('lastCredential');
  return true;
}
