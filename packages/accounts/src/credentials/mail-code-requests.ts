import type { Accounts } from '../accounts.ts';
import { isInvited } from '../administrators/roles.ts';
import { findAccounts, findAddress } from '../people/accounts.ts';
import { type Address, foldAddress } from '../people/address.ts';
import { newWrittenCode } from '../second-factor/totp.ts';
import { inRealm } from '../store/in-realm.ts';
import { hashEnrolmentCode, hashMailCode, insertMailToken, type MailTokenKind } from './mail-tokens.ts';
import { type Allowance, takeFrom } from './throttles.ts';

// Mails are counted by kind and caller, at most one a minute and five an hour, so that no caller uses up the limit of
// another. Callers without proof can request at most twenty mails an hour to an address in all.
const perMinute: Allowance = { burst: 1, perSecond: 1 / 60 };
const perHour: Allowance = { burst: 5, perSecond: 5 / 3_600 };
const inAll: Allowance = { burst: 20, perSecond: 20 / 3_600 };
const lifeMs: Readonly<Record<MailTokenKind, number>> = {
  enrol: 30 * 60_000,
  'change-email': 30 * 60_000,
  reset: 30 * 60_000,
  verify: 24 * 3_600_000,
  register: 24 * 3_600_000,
};

/** A code that was stored, for a mail. */
export interface IssuedCode {
  /** Null for the registration of an account. */
  readonly accountId: string | null;
  readonly to: string;
  readonly locale: string | null;
  readonly code: string;
}

export interface AccountAddress {
  readonly realm: string;
  readonly email: Address;
  readonly accountId: string;
}

interface UnprovenCaller {
  readonly realm: string;
  readonly email: Address;
  readonly clientAddress: string;
}

/** Null if the account is gone or has no address. */
export async function findOwnAddress(
  { db }: Accounts,
  realm: string,
  accountId: string,
): Promise<AccountAddress | null> {
  const [account] = await findAccounts(inRealm(db, realm), [accountId]);
  return account?.emailAddress ? { realm, accountId, email: addressOf(account.emailAddress) } : null;
}

/** `unknown`: no account of the realm has the address. */
export async function requestReset(
  accounts: Accounts,
  { realm, email, clientAddress }: UnprovenCaller,
): Promise<IssuedCode | 'limited' | 'unknown'> {
  const people = inRealm(accounts.db, realm);
  const holder = await findAddress(people, email.folded);
  const [account] = holder === null ? [] : await findAccounts(people, [holder.id]);
  if (!account?.emailAddress) return 'unknown';
  // In the account's spelling: the caller chooses neither the spelling nor, of two addresses, the receiver.
  const own = { address: account.emailAddress, folded: email.folded };
  const request = {
    kind: 'reset',
    realm,
    email: own,
    accountId: account.id,
    locale: account.locale,
  } as const;
  return issueWithin(accounts, request, { asker: clientAddress, isOwner: false });
}

/** Of proven addresses, the code replaces only the one that the account has now. */
export async function requestVerification(
  accounts: Accounts,
  { realm, email, accountId }: AccountAddress,
): Promise<IssuedCode | 'limited'> {
  const [account] = await findAccounts(inRealm(accounts.db, realm), [accountId]);
  const isOwner = account?.emailAddress != null && foldAddress(account.emailAddress) === email.folded;
  const details = { replaces: account?.emailVerified ? account.emailAddress : null };
  const request = { kind: 'verify', realm, email, accountId, locale: account?.locale ?? null } as const;
  return issueWithin(accounts, { ...request, details }, { asker: accountId, isOwner });
}

/**
 * Asks the proven address of the account whether it gets this other one. `unneeded` if it has none, or the same: then
 * only the new address is verified.
 */
export async function requestAddressChange(
  accounts: Accounts,
  { realm, email, accountId }: AccountAddress,
): Promise<IssuedCode | 'limited' | 'unneeded'> {
  const [account] = await findAccounts(inRealm(accounts.db, realm), [accountId]);
  if (!account?.emailAddress || !account.emailVerified) return 'unneeded';
  const own = addressOf(account.emailAddress);
  if (own.folded === email.folded) return 'unneeded';
  const details = { emailAddress: email.address };
  const request = { kind: 'change-email', realm, email: own, accountId, locale: account.locale } as const;
  return issueWithin(accounts, { ...request, details }, { asker: accountId, isOwner: true });
}

/** The code for the setup of a second factor, at most one a minute: a mailed code stays valid. */
export async function requestEnrolment(
  accounts: Accounts,
  { realm, email, accountId }: AccountAddress,
): Promise<IssuedCode | 'limited'> {
  const [account] = await findAccounts(inRealm(accounts.db, realm), [accountId]);
  const request = { kind: 'enrol', realm, email, accountId, locale: account?.locale ?? null } as const;
  return issueWithin(accounts, request, { asker: accountId, isOwner: true });
}

/** `knownAs`: the account that has proved the address. `forInvited`: only an invited address can register. */
export async function checkRegistration(
  accounts: Accounts,
  { realm, email, clientAddress }: UnprovenCaller,
  { forInvited }: { readonly forInvited: boolean },
): Promise<'free' | 'limited' | 'notInvited' | { readonly knownAs: string }> {
  const { db, now } = accounts;
  if (forInvited && !(await isInvited(db, email.folded, now()))) return 'notInvited';
  const holder = await findAddress(inRealm(db, realm), email.folded);
  const request = { kind: 'register', realm, email } as const;
  if (!(await mayMail(accounts, request, { asker: clientAddress, isOwner: false }))) return 'limited';
  return holder?.verified ? { knownAs: holder.id } : 'free';
}

interface NewRegistration {
  readonly realm: string;
  readonly email: Address;
  readonly passwordHash: string;
  readonly displayName: string | null;
  readonly locale: string | null;
}

export function beginRegistration(
  accounts: Accounts,
  { displayName, ...registration }: NewRegistration,
): Promise<IssuedCode> {
  const details = { displayName, locale: registration.locale };
  return issue(accounts, { ...registration, kind: 'register', accountId: null, details });
}

function addressOf(address: string): Address {
  return { address, folded: foldAddress(address) };
}

interface CodeRequest {
  readonly kind: MailTokenKind;
  readonly realm: string;
  readonly email: Address;
  readonly accountId: string | null;
  readonly locale: string | null;
  readonly passwordHash?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

async function issue(accounts: Accounts, request: CodeRequest): Promise<IssuedCode> {
  const { kind, realm, email, accountId, locale, passwordHash = null, details = {} } = request;
  // Typed into the field for codes of authenticators: short, and in the shape of a recovery code.
  const isTyped = kind === 'enrol' && accountId !== null;
  const { randomBytes } = accounts;
  const code = isTyped ? newWrittenCode(randomBytes) : Buffer.from(randomBytes(24)).toString('base64url');
  await insertMailToken(inRealm(accounts.db, realm), {
    hash: isTyped ? hashEnrolmentCode(accounts, accountId, code) : hashMailCode(accounts, code),
    kind,
    accountId,
    passwordHash,
    details,
    expiresMs: accounts.now() + lifeMs[kind],
    email: email.address,
    folded: email.folded,
  });
  return { accountId, to: email.address, locale, code };
}

interface Asker {
  /** The account, or the client address of an unproven caller. */
  readonly asker: string;
  /** The caller has proven the account, and the address belongs to it. */
  readonly isOwner: boolean;
}

async function issueWithin(
  accounts: Accounts,
  request: CodeRequest,
  by: Asker,
): Promise<IssuedCode | 'limited'> {
  return (await mayMail(accounts, request, by)) ? issue(accounts, request) : 'limited';
}

async function mayMail(
  { db, keyring, now }: Accounts,
  { kind, realm, email: { folded } }: Pick<CodeRequest, 'kind' | 'realm' | 'email'>,
  { asker, isOwner }: Asker,
): Promise<boolean> {
  const own = [perMinute, perHour].map((allowance) => ({
    bucket: keyring.mac('mails', kind, realm, folded, asker, String(allowance.burst)),
    allowance,
  }));
  const all = { bucket: keyring.mac('mails', kind, folded), allowance: inAll };
  return (await takeFrom(db, isOwner ? own : [...own, all], now())) === null;
}
