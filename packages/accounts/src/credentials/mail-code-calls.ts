import { createNamedId } from '@tickrate/contract';
import { outcomeOf, type Queryable } from '@tickrate/postgres';
import type { AccountsDeps } from '../accounts-deps.ts';
import { queueSecurityMail } from '../mails/security-mails.ts';
import {
  dropCredentials,
  findAccounts,
  findAddress,
  insertAccount,
  setVerifiedEmail,
} from '../people/accounts.ts';
import { unlinkDevices } from '../people/identities.ts';
import { releaseUnprovenAddress } from '../people/release-address.ts';
import { type Actor, writeAudit } from '../records/audit.ts';
import { endSessions, lockAccounts } from '../sign-in/sessions/sessions.ts';
import { type InRealm, inRealm } from '../store/in-realm.ts';
import { inTransaction, type RollBack } from '../store/in-transaction.ts';
import { forgetDevices } from './devices.ts';
import {
  findMailToken,
  hashMailCode,
  type MailToken,
  spendMailToken,
  type TokenLookup,
} from './mail-tokens.ts';
import { forgiveAddress } from './password-tries.ts';
import { setPassword } from './passwords.ts';

/** A valid code of a mail, in the realm that knows it. */
export interface FoundMailCode {
  readonly realm: string;
  readonly token: MailToken;
  readonly lookup: TokenLookup;
}

/** `unknown`: another call has used the code meanwhile. Nothing was changed, as with every other refusal. */
export type ResetOutcome = 'reset' | 'unknown';
export type VerifyOutcome = 'verified' | 'unknown' | 'wrongPassword' | 'inUse';
/** `allowed`: the code of the mail to the other address comes next. */
export type AddressChange =
  | { readonly kind: 'allowed'; readonly accountId: string; readonly emailAddress: string }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'wrongPassword' };

interface Reset {
  readonly hash: string;
  readonly actor: Actor;
}

interface Registration {
  /** The password that the registration was started with. */
  readonly derived: string;
  readonly actor: Actor;
}

interface Verification {
  readonly derived: string | null;
  /** The account of the caller's session; null without one. */
  readonly liveAccountId: string | null;
  readonly actor: Actor;
}

/** The calls that use the codes of mails. Each code is valid once, in its own realm. */
export function createMailCodeCalls(deps: AccountsDeps) {
  return {
    /** In the first of the realms that knows the code; null if none does. */
    async find(
      realms: readonly string[],
      text: string,
      kinds: TokenLookup['kinds'],
    ): Promise<FoundMailCode | null> {
      const lookup = { hash: hashMailCode(deps, text.trim()), kinds, nowMs: deps.now() };
      for (const realm of realms) {
        const token = await findMailToken(inRealm(deps.db, realm), lookup);
        if (token) return { realm, token, lookup };
      }
      return null;
    },

    /** Ends all sessions and every device token of the account, and clears the lockout of its address. */
    async resetPassword(found: FoundMailCode, reset: Reset): Promise<ResetOutcome> {
      const outcome = await inTransaction<ResetOutcome>(deps.db, (tx, rollBack) =>
        resetByCode(deps, tx, { found, reset, rollBack }),
      );
      if (outcome === 'reset') await forgiveAddress(deps, found.realm, found.token.email_folded);
      return outcome;
    },

    /** Creates the account. The mail alone is not enough: a stranger may have started it with their own password. */
    async finishRegistration(found: FoundMailCode, { derived, actor }: Registration): Promise<VerifyOutcome> {
      const { realm, token, lookup } = found;
      const hash = token.password_hash;
      const { ok } = await deps.verifyPassword(hash, derived);
      if (!ok || hash === null) return 'wrongPassword';
      const outcome = await inUseIfTaken(
        inTransaction<VerifyOutcome>(deps.db, async (tx, rollBack) => {
          const people = inRealm(tx, realm);
          if (!(await spendMailToken(people, lookup))) throw rollBack('unknown');
          const accountId = await createAccount(deps, people, token);
          await setPassword(people, { accountId, hash, nowMs: deps.now() });
          await writeAudit(deps, people, { actor, accountId, act: 'accountCreated' });
          return 'verified';
        }),
      );
      if (outcome === 'verified') await forgiveAddress(deps, realm, token.email_folded);
      return outcome;
    },

    /**
     * The account gets the address as a proven one. A caller without a session of the account sends its password: the
     * mail alone could confirm the account of a stranger.
     */
    async confirmAddress(found: FoundMailCode, verification: Verification): Promise<VerifyOutcome> {
      const { actor } = verification;
      if (!(await isOwner(deps, found, verification))) return 'wrongPassword';
      return inUseIfTaken(
        inTransaction<VerifyOutcome>(deps.db, (tx, rollBack) =>
          confirmByCode(deps, tx, { found, actor, rollBack }),
        ),
      );
    },

    /** The owner of the address agrees that the account gets another one. */
    async allowAddressChange(
      found: FoundMailCode,
      verification: Omit<Verification, 'actor'>,
    ): Promise<AddressChange> {
      if (!(await isOwner(deps, found, verification))) return { kind: 'wrongPassword' };
      return inTransaction<AddressChange>(deps.db, async (tx, rollBack) => {
        const people = inRealm(tx, found.realm);
        const token = await spendMailToken(people, found.lookup);
        const { emailAddress } = token?.details ?? {};
        const holder = token && (await findAddress(people, token.email_folded));
        if (!holder || holder.id !== token.account_id || typeof emailAddress !== 'string')
          throw rollBack({ kind: 'unknown' });
        return { kind: 'allowed', accountId: holder.id, emailAddress };
      });
    },
  };
}

/** The code alone is not enough: it needs a session of the account or its password. */
async function isOwner(
  deps: AccountsDeps,
  found: FoundMailCode,
  { derived, liveAccountId }: Omit<Verification, 'actor'>,
): Promise<boolean> {
  return liveAccountId === found.token.account_id || isPasswordOf(deps, found, derived);
}

interface Resetting {
  readonly found: FoundMailCode;
  readonly reset: Reset;
  readonly rollBack: RollBack<ResetOutcome>;
}

async function resetByCode(
  deps: AccountsDeps,
  tx: Queryable,
  { found, reset, rollBack }: Resetting,
): Promise<ResetOutcome> {
  const people = inRealm(tx, found.realm);
  const { token, accountId } = await spendCodeOfAccount(people, found, rollBack);
  const holder = await findAddress(people, token.email_folded);
  if (holder?.id !== accountId) throw rollBack('unknown');
  const nowMs = deps.now();
  // The code proves the address. Credentials that were set up before the address was proven are dropped.
  if (!holder.verified) await dropCredentials(people, accountId);
  await forgetDevices(people, accountId);
  await unlinkDevices(people, { accountId, keepOf: null, nowMs });
  await endSessions(people, { accountId, sessionId: null, reason: 'passwordReset', nowMs });
  await setVerifiedEmail(people, { accountId, email: token.email, folded: token.email_folded, nowMs });
  await setPassword(people, { accountId, hash: reset.hash, nowMs });
  await writeAudit(deps, people, { actor: reset.actor, accountId, act: 'passwordReset' });
  await queueSecurityMail(deps, people, { accountId, kind: 'password-changed' });
  return 'reset';
}

/**
 * Rolls back as unknown if another call was faster, or the code belongs to no account. The lock comes first, as in an
 * erasure, which deletes the codes: neither has to end the other.
 */
async function spendCodeOfAccount(
  people: InRealm,
  { token: found, lookup }: FoundMailCode,
  rollBack: RollBack<'unknown'>,
): Promise<{ readonly token: MailToken; readonly accountId: string }> {
  if (found.account_id !== null) await lockAccounts(people, [found.account_id]);
  const token = await spendMailToken(people, lookup);
  const accountId = token?.account_id ?? null;
  if (token === null || accountId === null) throw rollBack('unknown');
  return { token, accountId };
}

async function createAccount(deps: AccountsDeps, people: InRealm, token: MailToken): Promise<string> {
  const id = createNamedId('u', deps.randomBytes);
  await releaseUnprovenAddress(people, token.email_folded, deps.now());
  const { displayName, locale } = token.details;
  await insertAccount(people, {
    id,
    avatarUrl: null,
    marketing: null,
    terms: {},
    nowMs: deps.now(),
    email: { address: token.email, folded: token.email_folded, verified: true },
    displayName: typeof displayName === 'string' ? displayName : null,
    locale: typeof locale === 'string' ? locale : null,
  });
  return id;
}

async function isPasswordOf(
  { db, verifyPassword }: AccountsDeps,
  { realm, token }: FoundMailCode,
  derived: string | null,
): Promise<boolean> {
  const holder = await findAddress(inRealm(db, realm), token.email_folded);
  const isOwn = holder !== null && holder.id === token.account_id;
  return (await verifyPassword(isOwn ? holder.password_hash : null, derived ?? '')).ok;
}

interface Confirming {
  readonly found: FoundMailCode;
  readonly actor: Actor;
  readonly rollBack: RollBack<VerifyOutcome>;
}

/** The code is valid only for the account that requested it. */
async function confirmByCode(
  deps: AccountsDeps,
  tx: Queryable,
  { found, actor, rollBack }: Confirming,
): Promise<VerifyOutcome> {
  const people = inRealm(tx, found.realm);
  const { token, accountId } = await spendCodeOfAccount(people, found, rollBack);
  const { email, email_folded: folded } = token;
  const nowMs = deps.now();
  const holder = await findAddress(people, folded);
  const isNew = holder?.id !== accountId;
  if (isNew && holder?.verified) throw rollBack('inUse');
  if (isNew) await releaseUnprovenAddress(people, folded, nowMs);
  const [before] = isNew ? await findAccounts(people, [accountId]) : [];
  // A proven address is replaced only by a code that was issued for this.
  if (before?.email_verified && token.details['replaces'] !== before.email) throw rollBack('unknown');
  await setVerifiedEmail(people, { accountId, email, folded, nowMs });
  await writeAudit(deps, people, { actor, accountId, act: 'emailVerified' });
  // To the previous address: its owner may not have agreed.
  const to = before?.email ?? null;
  if (to !== null) await queueSecurityMail(deps, people, { accountId, kind: 'email-changed', to });
  return 'verified';
}

/** Another call was faster, or an account that waits for its erasure still has the address. */
function inUseIfTaken(outcome: Promise<VerifyOutcome>): Promise<VerifyOutcome> {
  return outcome.catch((error: unknown) => {
    if (outcomeOf(error) === 'uniqueViolation') return 'inUse';
    throw error;
  });
}
