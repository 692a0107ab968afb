import { createNamedId, systemError } from '@tickrate/contract';
import { outcomeOf, type Queryable } from '@tickrate/postgres';
import type { Accounts } from '../accounts.ts';
import { queueSecurityMail } from '../mails/security-mails.ts';
import {
  dropCredentials,
  findAccounts,
  findAddress,
  insertAccount,
  releaseAddress,
  setVerifiedEmail,
} from '../people/accounts.ts';
import { unlinkDevices } from '../people/identities.ts';
import { type Actor, writeAudit } from '../records/audit.ts';
import { endSessions, lockAccounts } from '../sign-in/sessions.ts';
import { type InRealm, inRealm } from '../store/in-realm.ts';
import { forgetDevices } from './devices.ts';
import {
  findMailToken,
  hashMailCode,
  type MailToken,
  spendMailToken,
  type TokenLookup,
} from './mail-tokens.ts';
import { forgiveAddress, setPassword } from './passwords.ts';

/** A valid code of a mail, in the realm that knows it. Each code is valid once, in its own realm. */
export interface FoundMailCode {
  readonly realm: string;
  readonly token: MailToken;
  readonly lookup: TokenLookup;
}

/** In the first of the realms that knows the code; null if none does. */
export async function findMailCode(
  accounts: Accounts,
  realms: readonly string[],
  { text, kinds }: { readonly text: string; readonly kinds: TokenLookup['kinds'] },
): Promise<FoundMailCode | null> {
  const lookup = { hash: hashMailCode(accounts, text.trim()), kinds, nowMs: accounts.now() };
  for (const realm of realms) {
    const token = await findMailToken(inRealm(accounts.db, realm), lookup);
    if (token) return { realm, token, lookup };
  }
  return null;
}

/** 4002 for a code that is unknown, expired or used. */
export function codeUnknown(): Error {
  return systemError('tokenInvalid', { objectContext: 'mail' });
}

/**
 * Ends all sessions and every device token of the account, and clears the lockout of its address. Throws `codeUnknown`
 * if another call has used the code meanwhile.
 */
export async function resetPassword(
  accounts: Accounts,
  found: FoundMailCode,
  { hash, actor }: { readonly hash: string; readonly actor: Actor },
): Promise<void> {
  await accounts.db.transaction(async (tx) => {
    const people = inRealm(tx, found.realm);
    const { token, accountId } = await spendCodeOfAccount(people, found);
    const holder = await findAddress(people, token.email_folded);
    if (holder?.id !== accountId) throw codeUnknown();
    const nowMs = accounts.now();
    // The code proves the address. Credentials that were set up before the address was proven are dropped.
    if (!holder.verified) await dropCredentials(people, accountId);
    await forgetDevices(people, accountId);
    await unlinkDevices(people, { accountId, keepOf: null, nowMs });
    await endSessions(people, { accountId, sessionId: null, reason: 'passwordReset', nowMs });
    await setVerifiedEmail(people, { accountId, email: token.email, folded: token.email_folded, nowMs });
    await setPassword(people, { accountId, hash, nowMs });
    await writeAudit(accounts, people, { actor, accountId, act: 'passwordReset' });
    await queueSecurityMail(accounts, people, { accountId, kind: 'password-changed' });
  });
  await forgiveAddress(accounts, found.realm, found.token.email_folded);
}

/**
 * Creates the account. The mail alone is not enough: a stranger may have started it with their own password. `derived` is
 * from the password that the registration was started with. Throws `codeUnknown`, `credentialsInvalid`, `emailInUse`.
 */
export async function finishRegistration(
  accounts: Accounts,
  { realm, token, lookup }: FoundMailCode,
  { derived, actor }: { readonly derived: string; readonly actor: Actor },
): Promise<void> {
  const { email, email_folded: folded, password_hash: hash } = token;
  const { ok } = await accounts.verifyPassword(hash, derived);
  if (!ok || hash === null) throw systemError('credentialsInvalid');
  await verifyInTransaction(accounts, async (tx) => {
    const people = inRealm(tx, realm);
    if (!(await spendMailToken(people, lookup))) throw codeUnknown();
    const accountId = createNamedId('u', accounts.randomBytes);
    const nowMs = accounts.now();
    await releaseAddress(people, folded, nowMs);
    const { displayName, locale } = token.details;
    await insertAccount(people, {
      id: accountId,
      avatarUrl: null,
      marketing: null,
      terms: {},
      nowMs,
      email: { address: email, folded, verified: true },
      displayName: typeof displayName === 'string' ? displayName : null,
      locale: typeof locale === 'string' ? locale : null,
    });
    await setPassword(people, { accountId, hash, nowMs });
    await writeAudit(accounts, people, { actor, accountId, act: 'accountCreated' });
  });
  await forgiveAddress(accounts, realm, folded);
}

/** How the caller shows that the account is its own. The code alone is not enough: it could be that of a stranger. */
interface OwnerProof {
  /** Derived from the password of the account. */
  readonly derived: string | null;
  /** The account of the caller's session; null without one. */
  readonly liveAccountId: string | null;
}

async function requireOwner(
  { db, verifyPassword }: Accounts,
  { realm, token }: FoundMailCode,
  { derived, liveAccountId }: OwnerProof,
): Promise<void> {
  if (liveAccountId === token.account_id) return;
  const holder = await findAddress(inRealm(db, realm), token.email_folded);
  const isOwn = holder !== null && holder.id === token.account_id;
  const { ok } = await verifyPassword(isOwn ? holder.password_hash : null, derived ?? '');
  if (!ok) throw systemError('credentialsInvalid');
}

/** The account that requested the code gets the address as a proven one. Throws like `finishRegistration`. */
export async function confirmAddress(
  accounts: Accounts,
  found: FoundMailCode,
  { actor, ...proof }: OwnerProof & { readonly actor: Actor },
): Promise<void> {
  await requireOwner(accounts, found, proof);
  await verifyInTransaction(accounts, async (tx) => {
    const people = inRealm(tx, found.realm);
    const { token, accountId } = await spendCodeOfAccount(people, found);
    const { email, email_folded: folded } = token;
    const nowMs = accounts.now();
    const holder = await findAddress(people, folded);
    const isNew = holder?.id !== accountId;
    if (isNew && holder?.verified) throw systemError('emailInUse');
    if (isNew) await releaseAddress(people, folded, nowMs);
    const [before] = isNew ? await findAccounts(people, [accountId]) : [];
    // A proven address is replaced only by a code that was issued for this.
    if (before?.emailVerified && token.details['replaces'] !== before.emailAddress) throw codeUnknown();
    await setVerifiedEmail(people, { accountId, email, folded, nowMs });
    await writeAudit(accounts, people, { actor, accountId, act: 'emailVerified' });
    // To the previous address: its owner may not have agreed.
    const to = before?.emailAddress ?? null;
    if (to !== null) await queueSecurityMail(accounts, people, { accountId, kind: 'email-changed', to });
  });
}

/**
 * The owner of the address agrees that the account gets another one: the code of the mail to that one comes next.
 * Throws `codeUnknown` and `credentialsInvalid`.
 */
export async function allowAddressChange(
  accounts: Accounts,
  found: FoundMailCode,
  proof: OwnerProof,
): Promise<{ readonly accountId: string; readonly emailAddress: string }> {
  await requireOwner(accounts, found, proof);
  return accounts.db.transaction(async (tx) => {
    const people = inRealm(tx, found.realm);
    const token = await spendMailToken(people, found.lookup);
    const { emailAddress } = token?.details ?? {};
    const holder = token && (await findAddress(people, token.email_folded));
    if (!holder || holder.id !== token.account_id || typeof emailAddress !== 'string') throw codeUnknown();
    return { accountId: holder.id, emailAddress };
  });
}

/**
 * Throws `codeUnknown` if another call was faster, or the code belongs to no account. The lock comes first, as in an
 * erasure, which deletes the codes: neither has to end the other.
 */
async function spendCodeOfAccount(
  people: InRealm,
  { token: found, lookup }: FoundMailCode,
): Promise<{ readonly token: MailToken; readonly accountId: string }> {
  if (found.account_id !== null) await lockAccounts(people, [found.account_id]);
  const token = await spendMailToken(people, lookup);
  const accountId = token?.account_id ?? null;
  if (token === null || accountId === null) throw codeUnknown();
  return { token, accountId };
}

/** Throws `emailInUse` if another call was faster, or an account that waits for its erasure still has the address. */
function verifyInTransaction({ db }: Accounts, work: (tx: Queryable) => Promise<void>): Promise<void> {
  return db.transaction(work).catch((error: unknown) => {
    throw outcomeOf(error) === 'uniqueViolation' ? systemError('emailInUse') : error;
  });
}
