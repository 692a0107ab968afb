import type { AccountAddress, Accounts, Address, IssuedCode } from '@tickrate/accounts';
import type { AuthValues } from '../config.ts';
import type { Effect } from '../exchange/decision.ts';
import type { PasswordHasher } from '../passwords/password-hasher.ts';
import { installationRealm, type SignIn } from '../sign-in/sign-in.ts';
import type { DueMailDeps } from './due-mails.ts';

export interface MailFlowDeps extends DueMailDeps {
  readonly accounts: Pick<Accounts, 'mailCodeRequests'>;
  readonly hasher: Pick<PasswordHasher, 'hash'>;
  readonly adminSignup: AuthValues['adminSignup'];
}

export type MailFlows = ReturnType<typeof createMailFlows>;

/** The mails of sign-in. No answer shows whether an address is known: the work begins after the answer. */
export function createMailFlows(deps: MailFlowDeps) {
  const underWay = new Set<Promise<void>>();
  const { mailCodeRequests } = deps.accounts;

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
        for (const realm of realms) {
          const issued = await mailCodeRequests.requestReset({ realm, email, clientAddress });
          if (issued === 'unknown') continue;
          return mailCode(deps, { realm, kind: 'reset', issued });
        }
      });
    },
    requestVerification(realm: string, email: Address, accountId: string): void {
      later(() => mailVerification(deps, { realm, email, accountId }));
    },
    /** To the address that the account has, or, where nothing has to be asked, to the new one. */
    requestAddressChange(realm: string, email: Address, accountId: string): void {
      later(async () => {
        const own = { realm, email, accountId };
        const issued = await mailCodeRequests.requestAddressChange(own);
        if (issued === 'unneeded') return mailVerification(deps, own);
        await mailCode(deps, { realm, kind: 'change-email', issued });
      });
    },
    /** The code for the setup of a second factor, at most one a minute: a mailed code stays valid. */
    requestEnrolment(realm: string, accountId: string): void {
      later(() => mailEnrolment(deps, realm, accountId));
    },
    /** The mails that the exchange requests. */
    async doEffects(signIn: SignIn, effects: readonly Effect[]): Promise<void> {
      for (const effect of effects) later(() => doEffect(deps, signIn, effect));
    },
    /** Resolves when no mail is in progress. */
    async drain(): Promise<void> {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}

async function doEffect(deps: MailFlowDeps, signIn: SignIn, effect: Effect): Promise<void> {
  const { realm, clientAddress } = signIn;
  const { mailCodeRequests } = deps.accounts;
  if (effect.kind === 'beginRegistration') return mailRegistration(deps, signIn);
  if (effect.kind === 'sendEnrolmentCode') return mailEnrolment(deps, realm, effect.accountId);
  const own = await mailCodeRequests.addressOf(realm, effect.accountId);
  if (own === null) return;
  if (effect.kind !== 'sendReset') return mailVerification(deps, own);
  const issued = await mailCodeRequests.requestReset({ realm, email: own.email, clientAddress });
  return mailCode(deps, { realm, kind: 'reset', issued });
}

async function mailEnrolment(deps: MailFlowDeps, realm: string, accountId: string): Promise<void> {
  const { mailCodeRequests } = deps.accounts;
  const own = await mailCodeRequests.addressOf(realm, accountId);
  if (own === null) return;
  const issued = await mailCodeRequests.requestEnrolment(own);
  await mailCode(deps, { realm, kind: 'enrol', issued });
}

async function mailVerification(deps: MailFlowDeps, own: AccountAddress): Promise<void> {
  const issued = await deps.accounts.mailCodeRequests.requestVerification(own);
  await mailCode(deps, { realm: own.realm, kind: 'verify', issued });
}

/**
 * A new address gets the code that creates the account; a known address gets a mail that it is known. Nobody else
 * learns this.
 */
async function mailRegistration(deps: MailFlowDeps, signIn: SignIn): Promise<void> {
  const { realm, credentials, clientAddress } = signIn;
  const { email, derived } = credentials;
  const { mailCodeRequests } = deps.accounts;
  if (email === null || derived === null) return;
  const forInvited = realm === installationRealm && deps.adminSignup !== 'open';
  const checked = await mailCodeRequests.checkRegistration({ realm, email, clientAddress }, { forInvited });
  const { displayName = null, locale = null } = signIn.request.registration ?? {};
  if (typeof checked === 'object') {
    const known = { realm, accountId: checked.knownAs, to: email.address };
    return deps.send({ ...known, ...deps.write('account-exists', locale, {}) });
  }
  if (checked !== 'free') return;
  const passwordHash = await deps.hasher.hash(derived);
  const begun = { realm, email, passwordHash, displayName, locale };
  const issued = await mailCodeRequests.beginRegistration(begun);
  await mailCode(deps, { realm, kind: 'register', issued });
}

interface CodeMail {
  readonly realm: string;
  readonly kind: 'reset' | 'verify' | 'enrol' | 'change-email' | 'register';
  /** No mail is sent unless a code was issued. */
  readonly issued: IssuedCode | 'limited' | 'unknown';
}

async function mailCode({ send, write }: MailFlowDeps, { realm, kind, issued }: CodeMail): Promise<void> {
  if (typeof issued === 'string') return;
  const { accountId, to, locale, code } = issued;
  await send({ realm, accountId, to, ...write(kind, locale, { code }) });
}
