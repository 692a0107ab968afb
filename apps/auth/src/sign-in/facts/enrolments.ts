import {
  beginEnrolment,
  chargeCode,
  chargeEnrolments,
  dropEnrolments,
  dropMailTokens,
  endSessions,
  enrolTotp,
  findAccounts,
  findEnrolments,
  findMailToken,
  findRecentEnrolment,
  forgetDevices,
  forgiveCodes,
  hasMailToken,
  inRealm,
  leaveNotice,
  type PendingEnrolment,
  passEnrolment,
  type Queryable,
} from '@tickrate/accounts';
import type { Enrolling } from '../../exchange/decision.ts';
import type { EnrolmentFact } from '../../exchange/facts.ts';
import { renewRecoveryCodes } from '../../second-factor/renew-recovery-codes.ts';
import { newTotpSecret } from '../../second-factor/totp.ts';
import { whatToSetUp } from '../../second-factor/what-to-set-up.ts';
import { exchangeLimits } from '../open-exchange.ts';
import type { Ground, SignIn } from '../sign-in.ts';
import { SignInRaced } from '../sign-in-raced.ts';
import { type CodeReader, codesPerExchange, spentExchangeSeconds } from './check-code.ts';
import { hashEnrolmentCode } from './enrolment-code.ts';

/** A second factor whose first code was right, before the account has it. */
export interface ProvenEnrolment {
  /** Sealed. */
  readonly secret: Buffer;
  readonly step: number;
  /** The account whose pending setups end with it. */
  readonly owner: Buffer;
}

export interface EnrolmentAsked extends Enrolling {
  readonly tryCode: boolean;
}

export type Enrolments = ReturnType<typeof createEnrolments>;

/** How long an answer is repeated for the same proofs. */
const repeatedMs = 60_000;

interface Owned extends Enrolling {
  readonly owner: Buffer;
}

interface Checked {
  readonly fact: EnrolmentFact;
  readonly proven: ProvenEnrolment | null;
}

/**
 * Second factors that are set up during a sign-in. The owner of an existing account first proves the address with the
 * code of a mail, because a password could be stolen. A secret belongs to the exchange that showed it. A caller who
 * names no exchange is recognised by a code of the secret. The account gets it in the transaction that creates the
 * session.
 */
export function createEnrolments(ground: Ground, reader: CodeReader) {
  const { db, box, now, randomBytes } = ground;

  async function labelOf({ realm, credentials }: SignIn, accountId: string | null): Promise<string> {
    const [account] = accountId === null ? [] : await findAccounts(inRealm(db, realm), [accountId]);
    return account?.email ?? credentials.email?.address ?? account?.display_name ?? accountId ?? '';
  }

  /** The setup whose code this is. The attempt is counted for all of them before the check. */
  async function tryCode(pending: readonly PendingEnrolment[], code: string): Promise<Tried> {
    const charged = await chargeEnrolments(db, pending, codesPerExchange);
    if (charged.length === 0) return { kind: 'locked', seconds: spentExchangeSeconds };
    for (const each of pending.filter(({ mark }) => charged.some((one) => one.mark.equals(mark)))) {
      const step = reader.totpStep(box.open(each.secret), code, now());
      if (step !== null) return { kind: 'right', pending: each, step };
    }
    const failures = Math.min(...charged.map((one) => one.failures));
    return { kind: 'invalid', attemptsLeft: codesPerExchange - failures };
  }

  /** Null unless the request has the mailed code again: the password alone shows no secret. */
  async function knownSetup(signIn: SignIn, { accountId, owner }: Owned): Promise<Buffer | null> {
    const typed = reader.normaliseCode(signIn.request.twoFactor?.twoFactorCode ?? '');
    if (accountId === null || signIn.exchange.isNamed) return null;
    if (!(await isMailedCode(ground, { signIn, accountId, typed }))) return null;
    return findRecentEnrolment(db, { owner, sinceMs: now() - repeatedMs, mostFailures: codesPerExchange });
  }

  async function checkPending(signIn: SignIn, { pending, owner, typed }: Typed): Promise<Checked> {
    const code = markOfCode(ground, signIn, typed);
    const known = pending.find(
      (each) => each.step !== null && (signIn.exchange.isNamed || each.code?.equals(code)),
    );
    if (known) return provenBy(known, known.step ?? 0, owner);
    if (typed === '') return unproven({ kind: 'waiting' });
    const tried = await tryCode(pending, typed);
    if (tried.kind !== 'right') return unproven(tried);
    await passEnrolment(db, { ...tried.pending, step: tried.step, code });
    return provenBy(tried.pending, tried.step, owner);
  }

  return {
    /**
     * The setup: the same whenever the exchange requests it, and for a caller who names no exchange and repeats the
     * password and the mailed code soon. It is different in every other exchange.
     */
    async begin(signIn: SignIn, { accountId }: Enrolling) {
      const owner = ownerOf(ground, signIn, accountId);
      const known = await knownSetup(signIn, { accountId, owner });
      const begun = { exchangeId: signIn.exchange.id, nowMs: now() };
      const sealed = known ?? box.seal(newTotpSecret(randomBytes));
      const mark = markOf(ground, signIn, accountId);
      const secret = await beginEnrolment(db, { ...begun, mark, owner, secret: sealed });
      return whatToSetUp(box.open(secret), await labelOf(signIn, accountId));
    },

    async check(signIn: SignIn, { accountId, tryCode: mayTry }: EnrolmentAsked): Promise<Checked> {
      const typed = mayTry ? reader.normaliseCode(signIn.request.twoFactor?.twoFactorCode ?? '') : '';
      if (accountId !== null && (await isMailedCode(ground, { signIn, accountId, typed }))) {
        if (signIn.exchange.isNamed) await forgiveCodes(db, signIn.exchange.id);
        return unproven({ kind: 'waiting' });
      }
      const owner = ownerOf(ground, signIn, accountId);
      const pending = await findPending(ground, signIn, { accountId, owner });
      if (pending.length > 0 && (signIn.exchange.isNamed || typed !== ''))
        return checkPending(signIn, { pending, owner, typed });
      // A new account has no owner yet, so there is nobody to ask.
      if (accountId === null) return unproven({ kind: 'waiting' });
      return unproven(await unprovenAddress(ground, { signIn, accountId, typed }));
    },

    complete: (tx: Queryable, completion: Enrolled) => complete(ground, tx, completion),
  };
}

interface Typed {
  readonly pending: readonly PendingEnrolment[];
  readonly owner: Buffer;
  readonly typed: string;
}

type Tried =
  | { readonly kind: 'right'; readonly pending: PendingEnrolment; readonly step: number }
  | { readonly kind: 'invalid'; readonly attemptsLeft: number }
  | { readonly kind: 'locked'; readonly seconds: number };

function markOf({ keyring }: Ground, { exchange }: SignIn, accountId: string | null): Buffer {
  return keyring.mac('enrolment', exchange.id, accountId ?? '');
}

/** A caller who proves the account with the same password or the same session, and the same key. */
function ownerOf({ keyring }: Ground, signIn: SignIn, accountId: string | null): Buffer {
  const { principal, realm, credentials } = signIn;
  const { email, derived } = credentials;
  const password = derived === null ? [] : [email?.folded ?? '', derived];
  return keyring.mac('enrolment owner', principal.keyId, realm, accountId ?? '', ...password);
}

function markOfCode({ keyring }: Ground, signIn: SignIn, typed: string): Buffer {
  return keyring.mac('enrolment code', signIn.principal.keyId, typed);
}

function findPending(
  ground: Ground,
  signIn: SignIn,
  { accountId, owner }: Enrolling & { readonly owner: Buffer },
): Promise<PendingEnrolment[]> {
  const { exchange } = signIn;
  return findEnrolments(ground.db, {
    exchangeId: exchange.isNamed ? exchange.id : null,
    mark: markOf(ground, signIn, accountId),
    owner,
    sinceMs: ground.now() - exchangeLimits.absoluteMs,
  });
}

interface Mailed {
  readonly signIn: SignIn;
  readonly accountId: string;
  readonly typed: string;
}

async function isMailedCode(ground: Ground, { signIn, accountId, typed }: Mailed): Promise<boolean> {
  if (typed === '') return false;
  const token = await findMailToken(inRealm(ground.db, signIn.realm), {
    hash: hashEnrolmentCode(ground, accountId, typed),
    kinds: ['enrol'],
    nowMs: ground.now(),
  });
  return token?.account_id === accountId;
}

/**
 * A code is wrong only if a mail with another code was sent; an earlier code is ignored. Attempts are counted only in
 * the exchange that the caller names, so that a thief cannot lock out the owner.
 */
async function unprovenAddress(
  { db, now }: Ground,
  { signIn: { realm, exchange }, accountId, typed }: Mailed,
): Promise<EnrolmentFact> {
  const pending = { accountId, kind: 'enrol', nowMs: now() } as const;
  if (typed === '' || !(await hasMailToken(inRealm(db, realm), pending))) return { kind: 'addressUnproven' };
  if (!exchange.isNamed) return { kind: 'invalid', attemptsLeft: null };
  const tries = await chargeCode(db, exchange.id, codesPerExchange);
  if (tries === null) return { kind: 'locked', seconds: spentExchangeSeconds };
  return { kind: 'invalid', attemptsLeft: codesPerExchange - tries };
}

interface Enrolled {
  readonly signIn: SignIn;
  readonly accountId: string;
  readonly proven: ProvenEnrolment;
}

/** Spends the code. Ends other sessions and remembered devices, which were opened without the second factor. */
async function complete(
  ground: Ground,
  tx: Queryable,
  { signIn, accountId, proven }: Enrolled,
): Promise<string[]> {
  const people = inRealm(tx, signIn.realm);
  const nowMs = ground.now();
  const { secret, step, owner } = proven;
  if (!(await enrolTotp(people, { accountId, secret, step, nowMs }))) throw new SignInRaced();
  await dropEnrolments(tx, owner);
  await dropMailTokens(people, accountId, 'enrol');
  await forgetDevices(people, accountId);
  const except = signIn.live?.id ?? null;
  await endSessions(people, {
    accountId,
    sessionId: null,
    except,
    reason: 'secondFactorEnrolled',
    nowMs,
  });
  await leaveNotice(people, { id: ground.newId(), accountId, kind: 'second-factor-enrolled', nowMs });
  return renewRecoveryCodes(ground, people, accountId);
}

function unproven(fact: EnrolmentFact): Checked {
  return { fact, proven: null };
}

function provenBy({ secret }: PendingEnrolment, step: number, owner: Buffer): Checked {
  return { fact: { kind: 'passed' }, proven: { secret, step, owner } };
}
