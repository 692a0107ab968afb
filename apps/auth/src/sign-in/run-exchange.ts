import {
  beginEnrolment,
  checkEnrolment,
  checkPassword,
  type EnrollingCaller,
  exchangeEndMs,
  findAnswer,
  inRealm,
  keepExchange,
  writeAuditUnlessErased,
} from '@tickrate/accounts';
import { systemError } from '@tickrate/contract';
import { admitAdministrator, findProjects, refusePassword } from '../administrators/admit-administrator.ts';
import { decide } from '../exchange/decide.ts';
import type { Decision, Facts, Prompt, Refusal } from '../exchange/decision.ts';
import type { AuthParts } from '../parts.ts';
import { checkStrength } from '../passwords/password-weakness.ts';
import { answerPrompt } from './answer.ts';
import { complete } from './complete.ts';
import { readDeviceIdentifier } from './credentials.ts';
import { checkCode, factsOf, findProofs, mayBeFirst } from './facts.ts';
import { type AnsweredSignIn, type Evidence, installationRealm, type SignIn } from './sign-in.ts';
import { whatToSetUp } from './what-to-set-up.ts';

/** The exchange was completed, the code created a session, or the request was answered meanwhile: start again. */
export class AnsweredMeanwhile extends Error {
  override readonly name = 'AnsweredMeanwhile';
}

const mostDecisions = 8;

/**
 * Fetches facts until the exchange decides, and executes the decision. If another request was faster (a duplicate, a race),
 * it reads the facts of the database again. It does not check platforms, password and code again, unless the password was
 * changed meanwhile.
 */
export async function runExchange(parts: AuthParts, signIn: SignIn): Promise<AnsweredSignIn> {
  if (signIn.realm === installationRealm && signIn.credentials.derived !== null) refusePassword(parts);
  await checkNewPassword(parts, signIn);
  const evidence = await gather(parts, signIn);
  await admitAdministrator(parts, signIn, evidence.tokens);
  for (let decisions = 0; decisions < mostDecisions; decisions++) {
    let facts: Facts = factsOf(signIn, evidence, parts.accounts.now());
    let decision = decide(facts);
    while (decision.kind === 'fetch') {
      facts = { ...facts, ...(await fetchFact(parts, signIn, { wanted: decision, facts, evidence })) };
      decision = decide(facts);
    }
    if (decision.kind === 'refuse') throw await refusalOf(parts, signIn, { refusal: decision, facts });
    if (decision.kind === 'prompt') return ask(parts, signIn, { prompt: decision, evidence });
    const outcome = await complete(parts, { signIn, plan: decision.plan, facts, evidence });
    if (outcome.kind === 'completed') return outcome;
    if (outcome.kind === 'answeredMeanwhile') throw new AnsweredMeanwhile();
    if (outcome.kind === 'passwordChanged') evidence.password = { kind: 'wrong' };
  }
  throw systemError('temporarilyUnavailable', { retryAfterSeconds: 1 });
}

/**
 * Checks a new password before anything is tried with it. So a weak one is not a failed sign-in, and its refusal does
 * not depend on the owner of the address.
 */
async function checkNewPassword(parts: AuthParts, signIn: SignIn): Promise<void> {
  const { request, live, realm, settings, credentials } = signIn;
  const { derived, password: plain, email } = credentials;
  const { passwordSignIn, registration } = settings.policies;
  if (derived === null || email === null || live?.realm === realm || !passwordSignIn) return;
  const registers = request.intent === 'register' && registration.email === 'ask';
  if (registers || (await mayBeFirst(parts, signIn)))
    checkStrength(parts.judgePassword, { plain, derived }, email.address);
}

/** The password and the platforms at the same time. Each attempt of a password is counted first. */
async function gather(parts: AuthParts, signIn: SignIn): Promise<Evidence> {
  const { credentials, settings, realm, request } = signIn;
  const { email, derived } = credentials;
  const checking =
    email === null || derived === null || !settings.policies.passwordSignIn
      ? ({ kind: 'absent' } as const)
      : checkPassword(parts.accounts, {
          realm,
          folded: email.folded,
          device: readDeviceIdentifier(request),
          derived,
        });
  const [password, tokens] = await Promise.all([checking, parts.verifyTokens(signIn)]);
  return { password, tokens, codes: {}, passes: new Map(), enrolment: null };
}

interface Fetching {
  readonly wanted: Extract<Decision, { kind: 'fetch' }>;
  readonly facts: Facts;
  readonly evidence: Evidence;
}

async function fetchFact(
  parts: AuthParts,
  signIn: SignIn,
  { wanted, facts, evidence }: Fetching,
): Promise<Partial<Facts>> {
  const { accounts } = parts;
  switch (wanted.what) {
    case 'proofs':
      return { proofs: await findProofs(parts, signIn, evidence) };
    case 'code':
      evidence.codes[wanted.accountId] = await checkCode(parts, signIn, {
        accountId: wanted.accountId,
        proofs: facts.proofs ?? { passwordAccount: null, tokens: [] },
        evidence,
      });
      return { codes: { ...evidence.codes } };
    case 'enrolment': {
      const code = wanted.tryCode ? codeIn(signIn) : '';
      const checked = await checkEnrolment(accounts, enrollingCaller(signIn, wanted.accountId), code);
      evidence.enrolment = checked.proven;
      return { enrolment: checked.fact };
    }
    case 'projects': {
      const { accountId } = wanted;
      const tokens = facts.proofs?.tokens ?? [];
      return { projects: await findProjects(parts, signIn, { accountId, evidence, tokens }) };
    }
  }
}

function codeIn({ request }: SignIn): string {
  return request.twoFactor?.twoFactorCode ?? '';
}

function enrollingCaller(
  { exchange, realm, principal, credentials }: SignIn,
  accountId: string | null,
): EnrollingCaller {
  const { email, derived } = credentials;
  return { exchange, realm, keyId: principal.keyId, email, derived, accountId };
}

async function ask(
  { accounts, mails }: AuthParts,
  signIn: SignIn,
  { prompt, evidence }: { readonly prompt: Prompt; readonly evidence: Evidence },
): Promise<AnsweredSignIn> {
  const { exchange, principal } = signIn;
  mails.sendEffects(signIn, prompt.effects);
  await keepExchange(accounts, exchange, principal);
  const { enrolling } = prompt;
  const setUp =
    enrolling &&
    whatToSetUp(await beginEnrolment(accounts, enrollingCaller(signIn, enrolling.accountId), codeIn(signIn)));
  const exchangeExpiresMs = exchangeEndMs(accounts, exchange);
  const { tokens } = evidence;
  const answer = answerPrompt({ exchangeId: exchange.id, exchangeExpiresMs, tokens }, prompt, setUp);
  return { answer, isRepeatable: false };
}

/** The same request could have spent the used code a moment ago at another process: that is not a refusal. */
async function refusalOf(
  { accounts }: AuthParts,
  signIn: SignIn,
  { refusal, facts }: { readonly refusal: Refusal; readonly facts: Facts },
): Promise<Error> {
  const { fingerprint, principal, requestId, clientAddress, realm, role } = signIn;
  const { reason, data, fields } = refusal;
  if (reason === 'twoFactorCodeUsed' && fingerprint !== null) {
    if ((await findAnswer(accounts, fingerprint.hash)) !== null) return new AnsweredMeanwhile();
  }
  // An attempt that was refused because there were too many is not recorded.
  if (reason !== 'tooManyAttempts') {
    const { passwordAccount = null, tokens = [] } = facts.proofs ?? {};
    const owner = tokens.find((token) => token.status === 'accepted' && token.owner !== null)?.owner ?? null;
    await writeAuditUnlessErased(accounts, inRealm(accounts.db, realm), {
      actor: { projectId: principal.projectId, sessionId: null, requestId, clientAddress },
      act: 'signInRefused',
      accountId: facts.liveAccount ?? passwordAccount ?? owner,
      details: { reason, role },
    });
  }
  return systemError(reason, data, fields === null ? {} : { fields });
}
