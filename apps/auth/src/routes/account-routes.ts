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
import { type PasswordChange, parameterMissing, systemError } from '@tickrate/contract';
import { requireRecentSignIn, type SessionCall, type SessionCaller, sessionRoute } from '../callers/call.ts';
import type { MailFlows } from '../mail/mail-flows.ts';
import type { PasswordHasher } from '../passwords/password-hasher.ts';
import type { CheckStrength } from '../passwords/strength-check.ts';
import { seconds } from '../sign-in/completing/issue-session.ts';
import { readPassword } from '../sign-in/request/credentials.ts';
import type { Ground } from '../sign-in/sign-in.ts';
import * as operations from './account-operations.ts';
import type { WriteAudit } from './audited.ts';
import { tellAccount } from './tell-account.ts';

export interface AccountRouteDeps {
  readonly ground: Ground;
  readonly audit: WriteAudit;
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

async function findOwn({ ground }: AccountRouteDeps, { session }: SessionCaller) {
  const [account] = await findAccounts(inRealm(ground.db, session.realm), [session.account_id]);
  if (!account) throw systemError('sessionExpired', { invalidSessionId: session.id });
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
  await changeProfile(inRealm(deps.ground.db, call.session.realm), {
    accountId: call.session.account_id,
    displayName: change.displayName ?? null,
    locale: change.locale ?? null,
    marketing: change.marketingPreferenceOptIn ?? null,
    nowMs: deps.ground.now(),
  });
  return readAccount(deps, call);
}

/** Requires a recent sign-in. Ends every other session and remembered device. */
async function changePassword(
  deps: AccountRouteDeps,
  call: SessionCall<typeof operations.changePassword>,
): Promise<true> {
  const { ground, hasher, audit } = deps;
  const { session, body: change } = call;
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
    // Until the first password, the devices are the only sign-in methods of a player: they stay linked.
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

/** If two callers end each other's sessions at the same time, the second one changes nothing. */
async function requireAlive(people: InRealm, { id, account_id }: SessionRow, nowMs: number): Promise<void> {
  await lockAccounts(people, [account_id]);
  const sessions = await listSessions(people, account_id, nowMs);
  if (!sessions.some((each) => each.id === id)) throw systemError('sessionExpired', { invalidSessionId: id });
}

/** Throws 4001 if the caller sent a wrong current password. */
async function checkCurrent(
  { ground, hasher }: AccountRouteDeps,
  { session }: SessionCaller,
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

/** Sends a code to the new address. The account gets the address when the code is confirmed. */
async function changeEmail(
  { ground, mails }: AccountRouteDeps,
  { session, body: { emailAddress } }: SessionCall<typeof operations.changeEmail>,
): Promise<true> {
  requireRecentSignIn(session, ground.now());
  mails.requestVerification(session.realm, readAddress(emailAddress), session.account_id);
  return true;
}

async function readIdentities({ ground }: AccountRouteDeps, { session }: SessionCaller) {
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

async function unlink(
  { ground, audit }: AccountRouteDeps,
  call: SessionCall<typeof operations.unlinkIdentity>,
): Promise<true> {
  const { session, params } = call;
  const { id: identityId } = params;
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
