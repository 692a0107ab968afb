import type { Pass, ProvenEnrolment } from '@tickrate/accounts';
import { systemError } from '@tickrate/contract';
import { decide } from '../exchange/decide.ts';
import type { Decision, Effect, Plan, Prompt, Refusal } from '../exchange/decision.ts';
import type { CodeFact, Facts, Proofs } from '../exchange/facts.ts';
import type { CheckStrength } from '../passwords/strength-check.ts';
import { auditRefusal } from './audit.ts';
import type { Answered } from './authenticate.ts';
import { answerPrompt } from './completing/answer.ts';
import type { CompleteSignIn } from './completing/complete-sign-in.ts';
import { factsOf } from './facts/asked-facts.ts';
import type { CheckedCode, SignInOf } from './facts/check-code.ts';
import type { PasswordFact } from './facts/check-password.ts';
import type { Enrolments } from './facts/enrolments.ts';
import type { Evidence, FoundProofs } from './facts/find-proofs.ts';
import type { VerifiedToken } from './facts/verify-tokens.ts';
import { AnsweredMeanwhile, type AuthContext, type SignIn } from './sign-in.ts';

/** The adapters that fetch the facts of the exchange, and execute its decisions. */
export interface ExchangeParts {
  readonly checkPassword: (signIn: SignIn) => Promise<PasswordFact>;
  readonly verifyTokens: (signIn: SignIn) => Promise<VerifiedToken[]>;
  /** Whether the sign-in can make the installation's first administrator. */
  readonly mayBeFirst: (signIn: SignIn) => Promise<boolean>;
  readonly findProofs: (signIn: SignIn, evidence: Evidence) => Promise<FoundProofs>;
  readonly checkCode: (signIn: SignIn, known: SignInOf) => Promise<CheckedCode>;
  readonly enrolments: Enrolments;
  readonly completeSignIn: CompleteSignIn;
  readonly doEffects: (signIn: SignIn, effects: readonly Effect[]) => Promise<void>;
  readonly checkStrength: CheckStrength;
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
export function createRunExchange(context: AuthContext, parts: ExchangeParts) {
  const { accounts } = context;
  const fetchFor = createFetchFor(context, parts);
  const commit = createCommit(parts);

  async function conclude(signIn: SignIn, proven: Proven) {
    let facts: Facts = factsOf(signIn, proven.codes, context.now());
    for (;;) {
      const decision = decide(facts);
      if (decision.kind !== 'fetch') return { decision, facts };
      facts = { ...facts, ...(await fetchFor(signIn, decision, proven)) };
    }
  }

  async function ask(signIn: SignIn, evidence: Evidence, prompt: Prompt): Promise<Answered> {
    const { effects, enrolling } = prompt;
    await parts.doEffects(signIn, effects);
    const { exchange, principal } = signIn;
    await accounts.exchanges.keep(exchange, principal);
    const setUp = enrolling && (await parts.enrolments.begin(signIn, enrolling));
    const exchangeExpiresMs = accounts.exchanges.endMs(exchange);
    const { tokens } = evidence;
    const answer = answerPrompt({ exchangeId: exchange.id, exchangeExpiresMs, tokens }, prompt, setUp);
    return { answer, isRepeatable: false };
  }

  return async (signIn: SignIn): Promise<Answered> => {
    await checkNewPassword(parts, signIn);
    const evidence = await gather(parts, signIn);
    const proven: Proven = { evidence, codes: {}, enrolment: null, passes: new Map(), proofs: null };
    for (let decisions = 0; decisions < mostDecisions; decisions++) {
      const { decision, facts } = await conclude(signIn, proven);
      if (decision.kind === 'refuse') throw await refusalOf(context, signIn, { refusal: decision, facts });
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
async function refusalOf(context: AuthContext, signIn: SignIn, { refusal, facts }: Refused): Promise<Error> {
  const { fingerprint } = signIn;
  if (refusal.reason === 'twoFactorCodeUsed' && fingerprint !== null) {
    const answer = await context.accounts.signIns.findAnswer(fingerprint.hash);
    if (answer !== null) return new AnsweredMeanwhile();
  }
  await auditRefusal(context, { signIn, refusal, facts });
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

function createFetchFor({ accounts }: AuthContext, parts: ExchangeParts) {
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
      codes[wanted.accountId] = await checkCode(parts, {
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
    return { projects: await accounts.signIns.findProjects(wanted.accountId) };
  };
}

async function checkCode(
  parts: ExchangeParts,
  {
    signIn,
    proven,
    accountId,
  }: { readonly signIn: SignIn; readonly proven: Proven; readonly accountId: string },
): Promise<CodeFact> {
  const evident = proven.proofs ?? { passwordAccount: null, tokens: [] };
  const { fact, pass } = await parts.checkCode(signIn, { accountId, evident });
  if (pass) proven.passes = new Map([...proven.passes, [accountId, pass]]);
  return fact;
}

interface Chosen {
  readonly plan: Plan;
  readonly facts: Facts;
}

/** Executes the whole decision. Returns null if another request was faster and the decision must be made again. */
function createCommit({ completeSignIn }: ExchangeParts) {
  return async (signIn: SignIn, proven: Proven, chosen: Chosen): Promise<Answered | null> => {
    const { evidence, passes, enrolment } = proven;
    const outcome = await completeSignIn({ ...chosen, signIn, evidence, passes, enrolment });
    if (outcome.kind === 'completed') return outcome;
    if (outcome.kind === 'answeredMeanwhile') throw new AnsweredMeanwhile();
    if (outcome.kind === 'passwordChanged')
      proven.evidence = { tokens: evidence.tokens, password: { kind: 'wrong' } };
    return null;
  };
}
