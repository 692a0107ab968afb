import {
  acceptInvitations,
  findAdministeredProjects,
  findAnswer,
  type Pass,
  type Queryable,
} from '@tickrate/accounts';
import { systemError } from '@tickrate/contract';
import { outcomeOf } from '@tickrate/postgres';
import { decide } from '../exchange/decide.ts';
import type { Decision, Effect, Plan, Prompt, Refusal } from '../exchange/decision.ts';
import type { CodeFact, Facts, Proofs } from '../exchange/facts.ts';
import type { PasswordHasher } from '../passwords/password-hasher.ts';
import type { CheckStrength } from '../passwords/strength-check.ts';
import type { Answered } from './authenticate.ts';
import { answerPrompt, answerSession } from './completing/answer.ts';
import { auditRefusal, auditSignIn } from './completing/audit-sign-in.ts';
import type { Completed, Completion } from './completing/complete-sign-in.ts';
import { endExchange, keepForRepeats } from './completing/finish-exchange.ts';
import type { createNotices } from './completing/notices.ts';
import { amrOf, comesOfKey, factsOf } from './facts/asked-facts.ts';
import type { CheckedCode } from './facts/check-code.ts';
import type { PasswordFact } from './facts/check-password.ts';
import type { Enrolments, ProvenEnrolment } from './facts/enrolments.ts';
import type { Evidence, FoundProofs } from './facts/find-proofs.ts';
import { proofsOf, type SignInOf } from './facts/passed-codes.ts';
import type { VerifiedToken } from './facts/verify-tokens.ts';
import { exchangeEndMs, keepExchange } from './open-exchange.ts';
import { type Ground, repeatableMs, type SignIn } from './sign-in.ts';
import { AnsweredMeanwhile, PasswordOver, SignInRaced } from './sign-in-raced.ts';

/** The adapters that fetch the facts of the exchange, and execute its decisions. */
export interface ExchangeParts {
  readonly checkPassword: (signIn: SignIn) => Promise<PasswordFact>;
  readonly verifyTokens: (signIn: SignIn) => Promise<VerifiedToken[]>;
  /** Whether the sign-in can make the installation's first administrator. */
  readonly mayBeFirst: (signIn: SignIn) => Promise<boolean>;
  readonly findProofs: (signIn: SignIn, evidence: Evidence) => Promise<FoundProofs>;
  readonly checkCode: (signIn: SignIn, known: SignInOf) => Promise<CheckedCode>;
  readonly enrolments: Enrolments;
  readonly completeSignIn: (tx: Queryable, completion: Completion) => Promise<Completed>;
  readonly doEffects: (signIn: SignIn, effects: readonly Effect[]) => Promise<void>;
  readonly hasher: Pick<PasswordHasher, 'hash'>;
  readonly checkStrength: CheckStrength;
  readonly notices: ReturnType<typeof createNotices>;
}

/** The proofs of this request; an accepted code stays accepted for it. */
interface Proven {
  evidence: Evidence;
  readonly codes: Record<string, CodeFact>;
  enrolment: ProvenEnrolment | null;
  /** By account: the accepted code, which creates one session. */
  passes: ReadonlyMap<string, Pass>;
  proofs: Proofs | null;
}

const mostDecisions = 8;

/**
 * Fetches facts until the exchange decides, and executes the decision. If another request was faster (a duplicate, a race),
 * it reads the facts of the database again. It does not check platforms, password and code again, unless the password was
 * changed meanwhile.
 */
export function createRunExchange(ground: Ground, parts: ExchangeParts) {
  const fetchFor = createFetchFor(ground, parts);
  const commit = createCommit(ground, parts);

  async function conclude(signIn: SignIn, proven: Proven) {
    let facts: Facts = factsOf(signIn, proven.codes, ground.now());
    for (;;) {
      const decision = decide(facts);
      if (decision.kind !== 'fetch') return { decision, facts };
      facts = { ...facts, ...(await fetchFor(signIn, decision, proven)) };
    }
  }

  async function ask(signIn: SignIn, evidence: Evidence, prompt: Prompt): Promise<Answered> {
    const { effects, enrolling } = prompt;
    await parts.doEffects(signIn, effects);
    await keepExchange(ground, signIn);
    const setUp = enrolling && (await parts.enrolments.begin(signIn, enrolling));
    const answer = answerPrompt(answerPartsOf(ground, signIn, evidence), prompt, setUp);
    return { answer, isRepeatable: false };
  }

  return async (signIn: SignIn): Promise<Answered> => {
    await checkNewPassword(parts, signIn);
    const evidence = await gather(parts, signIn);
    const proven: Proven = { evidence, codes: {}, enrolment: null, passes: new Map(), proofs: null };
    for (let turn = 0; turn < mostDecisions; turn++) {
      const { decision, facts } = await conclude(signIn, proven);
      if (decision.kind === 'refuse') throw await refusalOf(ground, signIn, { refusal: decision, facts });
      if (decision.kind === 'prompt') return ask(signIn, proven.evidence, decision);
      const answered = await commit(signIn, proven, { plan: decision.plan, facts });
      if (answered) return answered;
    }
    throw systemError('temporarilyUnavailable', { retryAfterSeconds: 1 });
  };
}

interface Refused {
  readonly refusal: Refusal;
  readonly facts: Facts;
}

/** The same request could have spent the used code a moment ago at another process: that is not a refusal. */
async function refusalOf(ground: Ground, signIn: SignIn, { refusal, facts }: Refused): Promise<Error> {
  const { fingerprint } = signIn;
  if (refusal.reason === 'twoFactorCodeUsed' && fingerprint !== null) {
    const answer = await findAnswer(ground.db, fingerprint.hash, ground.now() - repeatableMs);
    if (answer !== null) return new AnsweredMeanwhile();
  }
  await auditRefusal(ground, { signIn, refusal, facts });
  const { reason, data, fields } = refusal;
  return systemError(reason, data, fields === null ? {} : { fields });
}

/**
 * Checks a new password before anything is tried with it. So a weak one is not a failed sign-in, and its refusal does
 * not depend on the owner of the address.
 */
async function checkNewPassword(parts: ExchangeParts, signIn: SignIn): Promise<void> {
  const { derived, password: plain, email } = signIn.credentials;
  if (derived === null || email === null || !(await mayRegister(parts, signIn))) return;
  parts.checkStrength({ plain, derived }, email.address);
}

async function mayRegister({ mayBeFirst }: ExchangeParts, signIn: SignIn): Promise<boolean> {
  const { request, live, realm, settings } = signIn;
  const { passwordSignIn, registration } = settings.policies;
  if (live?.realm === realm || !passwordSignIn) return false;
  const asks = request.intent === 'register' && registration.email === 'ask';
  return asks || (await mayBeFirst(signIn));
}

// First the throttle; then the password and the platforms at the same time.
async function gather({ checkPassword, verifyTokens }: ExchangeParts, signIn: SignIn): Promise<Evidence> {
  const checking = checkPassword(signIn);
  const [password, tokens] = await Promise.all([checking, verifyTokens(signIn)]);
  return { password, tokens };
}

function createFetchFor(ground: Ground, parts: ExchangeParts) {
  const { db, now } = ground;
  return async (
    signIn: SignIn,
    wanted: Extract<Decision, { kind: 'fetch' }>,
    proven: Proven,
  ): Promise<Partial<Facts>> => {
    const { evidence, codes } = proven;
    if (wanted.what === 'proofs') {
      const found = await parts.findProofs(signIn, evidence);
      proven.proofs = found.proofs;
      // If the pass is gone, it has created a session: the transaction finds that out.
      proven.passes = new Map([...proven.passes, ...found.passes]);
      return { proofs: found.proofs };
    }
    if (wanted.what === 'code') {
      codes[wanted.accountId] = await checkCode(ground, parts, {
        signIn,
        proven,
        accountId: wanted.accountId,
      });
      return { codes: { ...codes } };
    }
    if (wanted.what === 'enrolment') {
      const { fact, proven: enrolment } = await parts.enrolments.check(signIn, wanted);
      proven.enrolment = enrolment;
      return { enrolment: fact };
    }
    await acceptInvitations(db, wanted.accountId, now());
    return { projects: await findAdministeredProjects(db, wanted.accountId) };
  };
}

async function checkCode(
  ground: Ground,
  parts: ExchangeParts,
  {
    signIn,
    proven,
    accountId,
  }: { readonly signIn: SignIn; readonly proven: Proven; readonly accountId: string },
): Promise<CodeFact> {
  const evident = proven.proofs ?? { passwordAccount: null, tokens: [] };
  const proofs = proofsOf(ground, signIn, { evident, accountId });
  const { fact, pass } = await parts.checkCode(signIn, { accountId, proofs });
  if (pass) proven.passes = new Map([...proven.passes, [accountId, pass]]);
  return fact;
}

interface Chosen {
  readonly plan: Plan;
  readonly facts: Facts;
}

/** Executes the whole decision. Returns null if another request was faster and the decision must be made again. */
function createCommit(ground: Ground, parts: ExchangeParts) {
  return async (signIn: SignIn, proven: Proven, chosen: Chosen): Promise<Answered | null> => {
    const { plan } = chosen;
    const { derived } = signIn.credentials;
    const passwordHash =
      plan.newFrom === 'email' && derived !== null ? await parts.hasher.hash(derived) : null;
    const { evidence, enrolment } = proven;
    const { tokens, password } = evidence;
    const knewSecondFactor = knowsSecondFactor(chosen);
    const [amr, comesOf] = [amrOf(signIn, chosen, proven.passes), comesOfKey(signIn, chosen)];
    try {
      const answered = await ground.db.transaction(async (tx) => {
        await endExchange(ground, tx, { signIn, plan, passes: proven.passes });
        const given = { signIn, plan, tokens, password, knewSecondFactor };
        const completion = { ...given, amr, comesOf, passwordHash, enrolment };
        const completed = await parts.completeSignIn(tx, completion);
        const notices = await parts.notices(tx, { signIn, ...chosen });
        const answer = answerSession(answerPartsOf(ground, signIn, evidence), completed, notices);
        const isRepeatable = await keepForRepeats(ground, tx, { signIn, ...chosen, answer });
        await auditSignIn(ground, tx, { signIn, plan, completed });
        return { answer, isRepeatable };
      });
      return answered;
    } catch (error) {
      if (error instanceof PasswordOver) proven.evidence = { tokens, password: { kind: 'wrong' } };
      if (error instanceof SignInRaced || outcomeOf(error) === 'uniqueViolation') return null;
      throw error;
    }
  };
}

function knowsSecondFactor({ plan, facts }: Chosen): boolean {
  const account = facts.proofs?.accounts.find(({ id }) => id === plan.accountId);
  return plan.enrols || (account !== undefined && account.secondFactor !== 'none');
}

function answerPartsOf(ground: Ground, signIn: SignIn, { tokens }: Evidence) {
  const exchangeExpiresMs = exchangeEndMs(signIn.exchange, ground.now());
  return { exchangeId: signIn.exchange.id, exchangeExpiresMs, tokens };
}
