import type { AccountsDeps } from '../accounts-deps.ts';
import { isInvited } from '../administrators/roles.ts';
import { findAccounts, findAddress } from '../people/accounts.ts';
import { type Address, foldAddress } from '../people/address.ts';
import { newWrittenCode } from '../second-factor/totp.ts';
import { inRealm } from '../store/in-realm.ts';
import { hashEnrolmentCode, hashMailCode, insertMailToken, type MailTokenKind } from './mail-tokens.ts';
import { type Allowance, takeFrom } from './throttles.ts';

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

export interface UnprovenCaller {
  readonly realm: string;
  readonly email: Address;
  readonly clientAddress: string;
}

interface NewRegistration {
  readonly realm: string;
  readonly email: Address;
  readonly passwordHash: string;
  readonly displayName: string | null;
  readonly locale: string | null;
}

const perMinute: Allowance = { burst: 1, perSecond: 1 / 60 };
const perHour: Allowance = { burst: 5, perSecond: 5 / 3_600 };
/** For all callers who request the same address. */
const inAll: Allowance = { burst: 20, perSecond: 20 / 3_600 };
const lifeMs: Readonly<Record<MailTokenKind, number>> = {
  enrol: 30 * 60_000,
  'change-email': 30 * 60_000,
  reset: 30 * 60_000,
  verify: 24 * 3_600_000,
  register: 24 * 3_600_000,
};

/**
 * The calls that issue codes for mails. Mails are counted by kind and caller, at most one a minute and five an hour, so
 * that no caller uses up the limit of another. Callers without proof can request at most twenty mails an hour to an
 * address in all.
 */
export function createMailCodeRequests(deps: AccountsDeps) {
  const { db, now, randomBytes } = deps;
  return {
    /** Null if the account is gone or has no address. */
    async addressOf(realm: string, accountId: string): Promise<AccountAddress | null> {
      const [account] = await findAccounts(inRealm(db, realm), [accountId]);
      if (!account?.email) return null;
      const folded = foldAddress(account.email);
      return { realm, accountId, email: { address: account.email, folded } };
    },

    /** `unknown`: no account of the realm has the address. */
    async requestReset(caller: UnprovenCaller): Promise<IssuedCode | 'limited' | 'unknown'> {
      const { realm, email, clientAddress } = caller;
      const people = inRealm(db, realm);
      const holder = await findAddress(people, email.folded);
      if (holder === null) return 'unknown';
      const asked = { kind: 'reset' as const, realm, email, asker: clientAddress, isOwner: false };
      if (!(await mayMail(deps, asked))) return 'limited';
      const [account] = await findAccounts(people, [holder.id]);
      if (!account?.email) return 'unknown';
      // In the account's spelling: the caller chooses neither the spelling nor, of two addresses, the receiver.
      const own = { address: account.email, folded: email.folded };
      const code = await issue(deps, { kind: 'reset', realm, email: own, accountId: holder.id });
      return { accountId: holder.id, to: own.address, locale: account.locale, code };
    },

    /** Of proven addresses, the code replaces only the one that the account has now. */
    async requestVerification({ realm, email, accountId }: AccountAddress): Promise<IssuedCode | 'limited'> {
      const [account] = await findAccounts(inRealm(db, realm), [accountId]);
      const isOwner = account?.email != null && foldAddress(account.email) === email.folded;
      if (!(await mayMail(deps, { kind: 'verify', realm, email, asker: accountId, isOwner })))
        return 'limited';
      const details = { replaces: account?.email_verified ? account.email : null };
      const code = await issue(deps, { kind: 'verify', realm, email, accountId, details });
      return { accountId, to: email.address, locale: account?.locale ?? null, code };
    },

    /**
     * Asks the proven address of the account whether it gets this other one. `unneeded` if it has none, or the same:
     * then only the new address is verified.
     */
    async requestAddressChange({
      realm,
      email,
      accountId,
    }: AccountAddress): Promise<IssuedCode | 'limited' | 'unneeded'> {
      const [account] = await findAccounts(inRealm(db, realm), [accountId]);
      if (!account?.email || account.email_verified === null) return 'unneeded';
      const own = { address: account.email, folded: foldAddress(account.email) };
      if (own.folded === email.folded) return 'unneeded';
      const asked = { kind: 'change-email' as const, realm, email: own, asker: accountId, isOwner: true };
      if (!(await mayMail(deps, asked))) return 'limited';
      const details = { emailAddress: email.address };
      const code = await issue(deps, { kind: 'change-email', realm, email: own, accountId, details });
      return { accountId, to: own.address, locale: account.locale, code };
    },

    /** Typed into the field for codes of authenticators: short, and in the shape of a recovery code. */
    async requestEnrolment({ realm, email, accountId }: AccountAddress): Promise<IssuedCode | 'limited'> {
      if (!(await mayMail(deps, { kind: 'enrol', realm, email, asker: accountId, isOwner: true })))
        return 'limited';
      const people = inRealm(db, realm);
      const [account] = await findAccounts(people, [accountId]);
      const code = newWrittenCode(randomBytes);
      await insertMailToken(people, {
        kind: 'enrol',
        accountId,
        email: email.address,
        folded: email.folded,
        hash: hashEnrolmentCode(deps, accountId, code),
        passwordHash: null,
        details: {},
        expiresMs: now() + lifeMs.enrol,
      });
      return { accountId, to: email.address, locale: account?.locale ?? null, code };
    },

    /** `knownAs`: the account that has proved the address. `forInvited`: only an invited address can register. */
    async checkRegistration(
      { realm, email, clientAddress }: UnprovenCaller,
      { forInvited }: { readonly forInvited: boolean },
    ): Promise<'free' | 'limited' | 'notInvited' | { readonly knownAs: string }> {
      if (forInvited && !(await isInvited(db, email.folded, now()))) return 'notInvited';
      const holder = await findAddress(inRealm(db, realm), email.folded);
      const asked = { kind: 'register' as const, realm, email, asker: clientAddress, isOwner: false };
      if (!(await mayMail(deps, asked))) return 'limited';
      return holder?.verified ? { knownAs: holder.id } : 'free';
    },

    async beginRegistration(registration: NewRegistration): Promise<IssuedCode> {
      const { realm, email, passwordHash, displayName, locale } = registration;
      const details = { displayName, locale };
      const code = await issue(deps, {
        kind: 'register',
        realm,
        email,
        accountId: null,
        passwordHash,
        details,
      });
      return { accountId: null, to: email.address, locale, code };
    },
  };
}

interface CodeRequest {
  readonly kind: MailTokenKind;
  readonly realm: string;
  readonly email: Address;
  readonly accountId: string | null;
  readonly passwordHash?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

async function issue(deps: AccountsDeps, request: CodeRequest): Promise<string> {
  const text = Buffer.from(deps.randomBytes(24)).toString('base64url');
  const { kind, realm, email, accountId, passwordHash = null, details = {} } = request;
  await insertMailToken(inRealm(deps.db, realm), {
    hash: hashMailCode(deps, text),
    kind,
    accountId,
    passwordHash,
    details,
    expiresMs: deps.now() + lifeMs[kind],
    email: email.address,
    folded: email.folded,
  });
  return text;
}

interface MailAsked {
  readonly kind: MailTokenKind;
  readonly realm: string;
  readonly email: Address;
  /** The account, or the client address of an unproven caller. */
  readonly asker: string;
  /** The caller has proven the account, and the address belongs to it. */
  readonly isOwner: boolean;
}

async function mayMail(
  { db, keyring, now }: AccountsDeps,
  { kind, realm, email: { folded }, asker, isOwner }: MailAsked,
): Promise<boolean> {
  const own = [perMinute, perHour].map((allowance) => ({
    bucket: keyring.mac('mails', kind, realm, folded, asker, String(allowance.burst)),
    allowance,
  }));
  const all = { bucket: keyring.mac('mails', kind, folded), allowance: inAll };
  return (await takeFrom(db, isOwner ? own : [...own, all], { nowMs: now(), count: 1 })) === null;
}
