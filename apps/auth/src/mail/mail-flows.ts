import {
  type Address,
  type AddressHolder,
  type Allowance,
  findAccounts,
  findAddress,
  inRealm,
  insertMailToken,
  isInvited,
  type MailTokenKind,
  takeFrom,
} from '@tickrate/accounts';
import type { Effect } from '../exchange/decision.ts';
import type { PasswordHasher } from '../passwords/password-hasher.ts';
import { newWrittenCode } from '../second-factor/totp.ts';
import { hashEnrolmentCode } from '../sign-in/facts/enrolment-code.ts';
import { type Ground, installationRealm, type SignIn } from '../sign-in/sign-in.ts';
import type { WriteMail } from './mail-texts.ts';
import type { Mail } from './mailer.ts';

export interface MailFlowDeps {
  readonly send: (mail: Mail) => Promise<void>;
  readonly write: WriteMail;
  readonly hasher: Pick<PasswordHasher, 'hash'>;
  readonly adminSignup: 'first' | 'open' | 'closed';
  readonly onFault: (error: unknown) => void;
}

const perMinute: Allowance = { burst: 1, perSecond: 1 / 60 };
const perHour: Allowance = { burst: 5, perSecond: 5 / 3_600 };
/** For all callers who request the same address. */
const inAll: Allowance = { burst: 20, perSecond: 20 / 3_600 };
const lifeMs: Readonly<Record<MailTokenKind, number>> = {
  enrol: 30 * 60_000,
  reset: 30 * 60_000,
  verify: 24 * 3_600_000,
  register: 24 * 3_600_000,
};

export type MailFlows = ReturnType<typeof createMailFlows>;

/**
 * The mails of sign-in. No answer shows whether an address is known: the work begins after the answer. Mails are
 * counted by kind and caller, at most one a minute and five an hour, so that no caller uses up the limit of another.
 * Callers without proof can send at most twenty mails an hour to an address in all.
 */
export function createMailFlows(ground: Ground, deps: MailFlowDeps) {
  const underWay = new Set<Promise<void>>();

  function later(work: () => Promise<void>): void {
    const running: Promise<void> = work()
      .catch(deps.onFault)
      .finally(() => underWay.delete(running));
    underWay.add(running);
  }

  return {
    /** For the first realm that knows the address: one request sends one mail. */
    requestReset(realms: readonly string[], email: Address, clientAddress: string): void {
      later(async () => {
        for (const realm of realms)
          if (await mailReset(ground, deps, { realm, email, clientAddress })) return;
      });
    },
    requestVerification(realm: string, email: Address, accountId: string): void {
      later(() => mailVerification(ground, deps, { realm, email, accountId }));
    },
    /** The mails that the exchange requests. */
    async doEffects(signIn: SignIn, effects: readonly Effect[]): Promise<void> {
      for (const effect of effects) later(() => doEffect(ground, deps, { signIn, effect }));
    },
    /** Resolves when no mail is in progress. */
    async drain(): Promise<void> {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}

async function doEffect(
  ground: Ground,
  deps: MailFlowDeps,
  { signIn, effect }: { readonly signIn: SignIn; readonly effect: Effect },
): Promise<void> {
  const { realm } = signIn;
  if (effect.kind === 'beginRegistration') return mailRegistration(ground, deps, signIn);
  const [account] = await findAccounts(inRealm(ground.db, realm), [effect.accountId]);
  if (!account?.email) return;
  const email = { address: account.email, folded: account.email.toLowerCase().normalize('NFC') };
  if (effect.kind === 'sendEnrolmentCode')
    await mailEnrolmentCode(ground, deps, { realm, email, accountId: account.id });
  else if (effect.kind === 'sendReset')
    await mailReset(ground, deps, { realm, email, clientAddress: signIn.clientAddress });
  else await mailVerification(ground, deps, { realm, email, accountId: account.id });
}

interface Recipient {
  readonly realm: string;
  readonly email: Address;
}

/** False when no account has the address. */
async function mailReset(
  ground: Ground,
  deps: MailFlowDeps,
  { realm, email, clientAddress }: Recipient & { readonly clientAddress: string },
): Promise<boolean> {
  const people = inRealm(ground.db, realm);
  const holder = await findAddress(people, email.folded);
  if (holder === null) return false;
  const asked = { kind: 'reset' as const, realm, email, asker: clientAddress, isOwner: false };
  if (!(await mayMail(ground, asked))) return true;
  const [account] = await findAccounts(people, [holder.id]);
  if (!account?.email) return false;
  // In the account's spelling: the caller chooses neither the spelling nor, of two addresses, the receiver.
  const own = { address: account.email, folded: email.folded };
  const code = await makeToken(ground, { kind: 'reset', realm, email: own, accountId: holder.id });
  await deps.send({ realm, to: own.address, ...deps.write('reset', account.locale, { code }) });
  return true;
}

async function mailVerification(
  ground: Ground,
  deps: MailFlowDeps,
  { realm, email, accountId }: Recipient & { readonly accountId: string },
): Promise<void> {
  const [account] = await findAccounts(inRealm(ground.db, realm), [accountId]);
  const isOwner = account?.email?.toLowerCase().normalize('NFC') === email.folded;
  if (!(await mayMail(ground, { kind: 'verify', realm, email, asker: accountId, isOwner }))) return;
  const code = await makeToken(ground, { kind: 'verify', realm, email, accountId });
  await deps.send({ realm, to: email.address, ...deps.write('verify', account?.locale ?? null, { code }) });
}

/** Typed into the field for codes of authenticators: short, and in the shape of a recovery code. */
async function mailEnrolmentCode(
  ground: Ground,
  deps: MailFlowDeps,
  { realm, email, accountId }: Recipient & { readonly accountId: string },
): Promise<void> {
  if (!(await mayMail(ground, { kind: 'enrol', realm, email, asker: accountId, isOwner: true }))) return;
  const people = inRealm(ground.db, realm);
  const [account] = await findAccounts(people, [accountId]);
  const code = newWrittenCode(ground.randomBytes);
  await insertMailToken(people, {
    kind: 'enrol',
    accountId,
    email: email.address,
    folded: email.folded,
    hash: hashEnrolmentCode(ground, accountId, code),
    passwordHash: null,
    details: {},
    expiresMs: ground.now() + lifeMs.enrol,
  });
  await deps.send({ realm, to: email.address, ...deps.write('enrol', account?.locale ?? null, { code }) });
}

/**
 * A new address gets the code that creates the account; a known address gets a mail that it is known. Nobody else
 * learns this.
 */
async function mailRegistration(ground: Ground, deps: MailFlowDeps, signIn: SignIn): Promise<void> {
  const { realm, credentials } = signIn;
  const { email, derived } = credentials;
  if (email === null || derived === null) return;
  const isOpen = realm !== installationRealm || deps.adminSignup === 'open';
  if (!isOpen && !(await isInvited(ground.db, email.folded, ground.now()))) return;
  const holder = await findAddress(inRealm(ground.db, realm), email.folded);
  const asker = signIn.clientAddress;
  if (!(await mayMail(ground, { kind: 'register', realm, email, asker, isOwner: false }))) return;
  const { displayName = null, locale = null } = signIn.request.registration ?? {};
  if (isProven(holder)) {
    return deps.send({ realm, to: email.address, ...deps.write('account-exists', locale, {}) });
  }
  const passwordHash = await deps.hasher.hash(derived);
  const details = { displayName, locale };
  const code = await makeToken(ground, {
    kind: 'register',
    realm,
    email,
    accountId: null,
    passwordHash,
    details,
  });
  await deps.send({ realm, to: email.address, ...deps.write('register', locale, { code }) });
}

function isProven(holder: AddressHolder | null): boolean {
  return holder?.verified ?? false;
}

interface TokenRequest extends Recipient {
  readonly kind: MailTokenKind;
  readonly accountId: string | null;
  readonly passwordHash?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

async function makeToken(ground: Ground, request: TokenRequest): Promise<string> {
  const text = Buffer.from(ground.randomBytes(24)).toString('base64url');
  const { kind, realm, email, accountId, passwordHash = null, details = {} } = request;
  const expiresMs = ground.now() + lifeMs[kind];
  const hash = hashMailToken(ground, text);
  await insertMailToken(inRealm(ground.db, realm), {
    hash,
    kind,
    accountId,
    passwordHash,
    details,
    expiresMs,
    email: email.address,
    folded: email.folded,
  });
  return text;
}

export function hashMailToken({ keyring }: Ground, text: string): Buffer {
  return keyring.mac('mail token', text);
}

interface MailAsked extends Recipient {
  readonly kind: MailTokenKind;
  /** The account, or the client address of an unproven caller. */
  readonly asker: string;
  /** The caller has proven the account, and the address belongs to it. */
  readonly isOwner: boolean;
}

async function mayMail(
  { db, keyring, now }: Ground,
  { kind, realm, email: { folded }, asker, isOwner }: MailAsked,
): Promise<boolean> {
  const own = [perMinute, perHour].map((allowance) => ({
    bucket: keyring.mac('mails', kind, realm, folded, asker, String(allowance.burst)),
    allowance,
  }));
  const all = { bucket: keyring.mac('mails', kind, folded), allowance: inAll };
  return (await takeFrom(db, isOwner ? own : [...own, all], { nowMs: now(), count: 1 })) === null;
}
