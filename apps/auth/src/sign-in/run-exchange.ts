import {
  acceptInvitations,
  completeExchange,
  findAdministeredProjects,
  isDuplicate,
  type Queryable,
} from '@tickrate/accounts';
import { type AuthenticationResponse, systemError } from '@tickrate/contract';
import { decide } from '../exchange/decide.ts';
import type { Decision, Effect, Plan } from '../exchange/decision.ts';
import type { CodeFact, Facts, Proofs } from '../exchange/facts.ts';
import type { PasswordHasher } from '../passwords/password-hasher.ts';
import type { CheckStrength } from '../passwords/strength-check.ts';
import { answerPrompt, answerSession } from './answer.ts';
import { amrOf, comesOfKey, factsOf } from './asked-facts.ts';
import { auditRefusal, auditSignIn } from './audit-sign-in.ts';
import type { PasswordFact } from './check-password.ts';
import type { Completed, Completion } from './complete-sign-in.ts';
import type { Enrolments, ProvenEnrolment } from './enrolments.ts';
import type { Evidence } from './find-proofs.ts';
import type { createNotices } from './notices.ts';
import { exchangeEndMs } from './open-exchange.ts';
import type { Ground, SignIn } from './sign-in.ts';
import { ExchangeOver, PasswordOver, SignInRaced } from './sign-in-raced.ts';
import type { VerifiedToken } from './verify-tokens.ts';

/** The adapters that fetch what the exchange wants to know, and do what it decides. */
export interface ExchangeParts {
  readonly checkPassword: (signIn: SignIn) => Promise<PasswordFact>;
  readonly verifyTokens: (signIn: SignIn) => Promise<VerifiedToken[]>;
  readonly findProofs: (signIn: SignIn, evidence: Evidence) => Promise<Proofs>;
  readonly checkCode: (signIn: SignIn, accountId: string) => Promise<CodeFact>;
  readonly enrolments: Enrolments;
  readonly completeSignIn: (tx: Queryable, completion: Completion) => Promise<Completed>;
  readonly doEffects: (signIn: SignIn, effects: readonly Effect[]) => Promise<void>;
  readonly hasher: Pick<PasswordHasher, 'hash'>;
  readonly checkStrength: CheckStrength;
  readonly notices: ReturnType<typeof createNotices>;
}

/** What has been proven in this request; a code that was good stays good for it. */
interface Proven {
  evidence: Evidence;
  readonly codes: Record<string, CodeFact>;
  enrolment: ProvenEnrolment | null;
}

const mostDecisions = 8;

/**
 * Fetches facts until the exchange decides, and does what it decided. When someone else was faster (a duplicate, a race)
 * the facts of the store are fetched again; what the platforms, the password and the code proved stays proven, unless
 * the password was changed meanwhile.
 */
export function createRunExchange(ground: Ground, parts: ExchangeParts) {
  const fetchFor = createFetchFor(ground, parts);
  const commit = createCommit(ground, parts);

  async function conclude(signIn: SignIn, proven: Proven) {
    let facts: Facts = factsOf(signIn, proven.codes);
    for (;;) {
      const decision = decide(facts);
      if (decision.kind !== 'fetch') return { decision, facts };
      facts = { ...facts, ...(await fetchFor(signIn, decision, proven)) };
    }
  }

  return async (signIn: SignIn): Promise<AuthenticationResponse> => {
    const proven: Proven = { evidence: await gather(parts, signIn), codes: {}, enrolment: null };
    for (let turn = 0; turn < mostDecisions; turn++) {
      const { decision, facts } = await conclude(signIn, proven);
      if (decision.kind === 'refuse') {
        await auditRefusal(ground, { signIn, refusal: decision, facts });
        throw systemError(decision.reason, decision.data);
      }
      if (isRegistration(decision)) checkNewPassword(parts, signIn);
      if (decision.kind === 'prompt') {
        const { effects, enrolling } = decision;
        await parts.doEffects(signIn, effects);
        const setUp = enrolling && (await parts.enrolments.begin(signIn, enrolling));
        return answerPrompt(answerPartsOf(ground, signIn, proven.evidence), decision, setUp);
      }
      const answer = await commit(signIn, proven, { plan: decision.plan, facts });
      if (answer) return answer;
    }
    throw systemError('temporarilyUnavailable', { retryAfterSeconds: 1 });
  };
}

/** Whether the password that was sent is to become an account's. */
function isRegistration(decision: Decision): boolean {
  if (decision.kind === 'complete') return decision.plan.newFrom === 'email';
  return decision.kind === 'prompt' && decision.effects.some(({ kind }) => kind === 'beginRegistration');
}

function checkNewPassword({ checkStrength }: ExchangeParts, { credentials }: SignIn): void {
  const { derived, password: plain, email } = credentials;
  if (derived !== null) checkStrength({ plain, derived }, email?.address ?? null);
}

// The throttle first; then the password and the platforms side by side.
async function gather({ checkPassword, verifyTokens }: ExchangeParts, signIn: SignIn): Promise<Evidence> {
  const checking = checkPassword(signIn);
  const [password, tokens] = await Promise.all([checking, verifyTokens(signIn)]);
  return { password, tokens };
}

function createFetchFor({ db, now }: Ground, parts: ExchangeParts) {
  return async (
    signIn: SignIn,
    wanted: Extract<Decision, { kind: 'fetch' }>,
    proven: Proven,
  ): Promise<Partial<Facts>> => {
    const { evidence, codes } = proven;
    if (wanted.what === 'proofs') return { proofs: await parts.findProofs(signIn, evidence) };
    if (wanted.what === 'code') {
      codes[wanted.accountId] = await parts.checkCode(signIn, wanted.accountId);
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

interface Chosen {
  readonly plan: Plan;
  readonly facts: Facts;
}

/** All of what was decided, or null when someone else was faster and it has to be decided again. */
function createCommit(ground: Ground, parts: ExchangeParts) {
  return async (signIn: SignIn, proven: Proven, chosen: Chosen): Promise<AuthenticationResponse | null> => {
    const { plan } = chosen;
    const { derived } = signIn.credentials;
    const passwordHash =
      plan.newFrom === 'email' && derived !== null ? await parts.hasher.hash(derived) : null;
    const { evidence, enrolment } = proven;
    const { tokens, password } = evidence;
    const knewSecondFactor = knowsSecondFactor(chosen);
    const [amr, comesOf] = [amrOf(signIn, chosen), comesOfKey(signIn, chosen)];
    try {
      const answer = await ground.db.transaction(async (tx) => {
        const given = { signIn, plan, tokens, password, knewSecondFactor };
        const completion = { ...given, amr, comesOf, passwordHash, enrolment };
        const completed = await parts.completeSignIn(tx, completion);
        const notices = await parts.notices(tx, { signIn, ...chosen });
        const answer = answerSession(answerPartsOf(ground, signIn, evidence), completed, notices);
        await keepAnswer(ground, tx, { signIn, completed, answer });
        await auditSignIn(ground, tx, { signIn, plan, completed });
        return answer;
      });
      await parts.doEffects(signIn, effectsOf(plan, answer));
      return answer;
    } catch (error) {
      if (error instanceof PasswordOver) proven.evidence = { tokens, password: { kind: 'wrong' } };
      if (error instanceof SignInRaced || isDuplicate(error)) return null;
      throw error;
    }
  };
}

function knowsSecondFactor({ plan, facts }: Chosen): boolean {
  const account = facts.proofs?.accounts.find(({ id }) => id === plan.accountId);
  return plan.enrols || (account !== undefined && account.secondFactor !== 'none');
}

function effectsOf({ enrols }: Plan, { authenticatedSession }: AuthenticationResponse): Effect[] {
  return enrols && authenticatedSession
    ? [{ kind: 'tellEnrolled', accountId: authenticatedSession.accountId }]
    : [];
}

interface Kept {
  readonly signIn: SignIn;
  readonly completed: Completed;
  readonly answer: AuthenticationResponse;
}

/** The answer is kept with the exchange, so that a lost reply costs nothing; only one request completes it. */
async function keepAnswer(ground: Ground, tx: Queryable, { signIn, completed, answer }: Kept): Promise<void> {
  const { session } = completed;
  const { exchange, fingerprint } = signIn;
  const nowMs = ground.now();
  const sealed = ground.box.seal(JSON.stringify(answer));
  const done = { id: exchange.id, fingerprint, answer: sealed, sessionId: session.id, nowMs };
  if (!(await completeExchange(tx, done))) throw new ExchangeOver();
}

function answerPartsOf(ground: Ground, signIn: SignIn, { tokens }: Evidence) {
  const exchangeExpiresMs = exchangeEndMs(signIn.exchange, ground.now());
  return { exchangeId: signIn.exchange.id, exchangeExpiresMs, tokens };
}
