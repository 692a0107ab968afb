import {
  type AccountAddress,
  type Accounts,
  type Address,
  beginRegistration,
  checkRegistration,
  findOwnAddress,
  type IssuedCode,
  requestAddressChange,
  requestEnrolment,
  requestReset,
  requestVerification,
} from '@tickrate/accounts';
import type { AuthValues } from '../config.ts';
import type { Effect } from '../exchange/decision.ts';
import type { PasswordHasher } from '../passwords/password-hasher.ts';
import { installationRealm, type SignIn } from '../sign-in/sign-in.ts';
import type { DueMailDeps } from './due-mails.ts';

interface MailFlowDeps extends DueMailDeps {
  readonly hasher: PasswordHasher;
  readonly adminSignup: AuthValues['adminSignup'];
}

interface CodeMail {
  readonly realm: string;
  readonly kind: 'reset' | 'verify' | 'enrol' | 'change-email' | 'register';
  /** No mail is sent unless a code was issued. */
  readonly issued: IssuedCode | 'limited' | 'unknown';
}

/** The mails of sign-in. No answer shows whether an address is known: the work begins after the answer. */
export class MailFlows {
  readonly #deps: MailFlowDeps;
  readonly #accounts: Accounts;
  readonly #underWay = new Set<Promise<void>>();

  constructor(deps: MailFlowDeps) {
    this.#deps = deps;
    this.#accounts = deps.accounts;
  }

  /** For the first realm that knows the address: one request sends one mail. */
  requestReset(realms: readonly string[], email: Address, clientAddress: string): void {
    this.#later(async () => {
      for (const realm of realms) {
        const issued = await requestReset(this.#accounts, { realm, email, clientAddress });
        if (issued !== 'unknown') return this.#mailCode({ realm, kind: 'reset', issued });
      }
    });
  }

  requestVerification(own: AccountAddress): void {
    this.#later(() => this.#mailVerification(own));
  }

  /** To the address that the account has, or, where nothing has to be asked, to the new one. */
  requestAddressChange(own: AccountAddress): void {
    this.#later(async () => {
      const issued = await requestAddressChange(this.#accounts, own);
      if (issued === 'unneeded') return this.#mailVerification(own);
      await this.#mailCode({ realm: own.realm, kind: 'change-email', issued });
    });
  }

  requestEnrolment(realm: string, accountId: string): void {
    this.#later(() => this.#mailEnrolment(realm, accountId));
  }

  /** The mails that the exchange requests. */
  sendEffects(signIn: SignIn, effects: readonly Effect[]): void {
    for (const effect of effects) this.#later(() => this.#sendEffect(signIn, effect));
  }

  /** Resolves when no mail is in progress. */
  async drain(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  #later(work: () => Promise<void>): void {
    const running: Promise<void> = work()
      .catch(this.#deps.onFault)
      .finally(() => this.#underWay.delete(running));
    this.#underWay.add(running);
  }

  async #sendEffect(signIn: SignIn, effect: Effect): Promise<void> {
    const { realm, clientAddress } = signIn;
    if (effect.kind === 'beginRegistration') return this.#mailRegistration(signIn);
    if (effect.kind === 'sendEnrolmentCode') return this.#mailEnrolment(realm, effect.accountId);
    const own = await findOwnAddress(this.#accounts, realm, effect.accountId);
    if (own === null) return;
    if (effect.kind !== 'sendReset') return this.#mailVerification(own);
    const issued = await requestReset(this.#accounts, { realm, email: own.email, clientAddress });
    return this.#mailCode({ realm, kind: 'reset', issued });
  }

  async #mailEnrolment(realm: string, accountId: string): Promise<void> {
    const own = await findOwnAddress(this.#accounts, realm, accountId);
    if (own === null) return;
    const issued = await requestEnrolment(this.#accounts, own);
    await this.#mailCode({ realm, kind: 'enrol', issued });
  }

  async #mailVerification(own: AccountAddress): Promise<void> {
    const issued = await requestVerification(this.#accounts, own);
    await this.#mailCode({ realm: own.realm, kind: 'verify', issued });
  }

  /**
   * A new address gets the code that creates the account; a known address gets a mail that it is known. Nobody else
   * learns this.
   */
  async #mailRegistration({ realm, credentials, clientAddress, request }: SignIn): Promise<void> {
    const { email, derived } = credentials;
    if (email === null || derived === null) return;
    const { send, write, hasher, adminSignup } = this.#deps;
    const forInvited = realm === installationRealm && adminSignup !== 'open';
    const checked = await checkRegistration(this.#accounts, { realm, email, clientAddress }, { forInvited });
    const { displayName = null, locale = null } = request.registration ?? {};
    if (typeof checked === 'object') {
      const known = { realm, accountId: checked.knownAs, to: email.address };
      return send({ ...known, ...write('account-exists', locale, {}) });
    }
    if (checked !== 'free') return;
    const passwordHash = await hasher.hash(derived);
    const begun = { realm, email, passwordHash, displayName, locale };
    const issued = await beginRegistration(this.#accounts, begun);
    await this.#mailCode({ realm, kind: 'register', issued });
  }

  async #mailCode({ realm, kind, issued }: CodeMail): Promise<void> {
    if (typeof issued === 'string') return;
    const { send, write } = this.#deps;
    const { accountId, to, locale, code } = issued;
    await send({ realm, accountId, to, ...write(kind, locale, { code }) });
  }
}
