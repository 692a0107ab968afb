import {
  type ConfirmedIdentity,
  type CreateProject,
  completeSignIn,
  type DecidedSignIn,
  exchangeEndMs,
  type NewSignInAccount,
  type SessionRow,
  type SignInOutcome,
  type UserInput,
} from '@tickrate/accounts';
import type { AuthenticationResponse, Notice } from '@tickrate/contract';
import type { Facts, Plan, TokenFact } from '../exchange/decision.ts';
import type { AuthParts } from '../parts.ts';
import type { ProvenIdentity } from '../providers/provider.ts';
import { answerSession } from './answer.ts';
import { isSecret, readDeviceIdentifier } from './credentials.ts';
import { termsOf } from './facts.ts';
import type { Evidence, SignIn } from './sign-in.ts';

/** A plan, the facts that it was decided on, and what proved them. */
interface Decided {
  readonly signIn: SignIn;
  readonly plan: Plan;
  readonly facts: Facts;
  readonly evidence: Evidence;
}

/** Executes the decision, and creates the answer of the client. */
export async function complete(
  parts: AuthParts,
  decided: Decided,
): Promise<SignInOutcome<AuthenticationResponse>> {
  const { accounts, hasher, registry } = parts;
  const { signIn, plan, evidence } = decided;
  const { exchange } = signIn;
  const { derived } = signIn.credentials;
  const isHashed = plan.newFrom === 'email' && derived !== null;
  const passwordHash = isHashed ? await hasher.hash(derived) : null;
  const createProject: CreateProject = async (tx, name, createdBy) => {
    const inRegistry = registry.inTransaction(tx);
    const { id: projectId } = await inRegistry.createProject({ name });
    await inRegistry.createKey({ projectId, kind: 'public', comment: 'For game builds', createdBy });
    return { id: projectId, name };
  };
  const answering = {
    exchangeId: exchange.id,
    exchangeExpiresMs: exchangeEndMs(accounts, exchange),
    tokens: evidence.tokens,
  };
  const stored = { ...storedOf(decided), account: accountOf(decided, passwordHash), createProject };
  return completeSignIn(accounts, stored, (completed) => ({
    answer: answerSession(answering, completed, noticesOf(parts, decided, completed.recoveryCodesLeft)),
    fingerprint: fingerprintOf(decided),
  }));
}

function storedOf(decided: Decided): Omit<DecidedSignIn, 'account' | 'createProject'> {
  const { signIn, plan, facts, evidence } = decided;
  const { tokens, password, passes, enrolment } = evidence;
  const { request, realm, exchange, live, principal, requestId, clientAddress } = signIn;
  const accounts = [plan.accountId, ...plan.move.map(({ from }) => from)];
  const codes = [...passes].filter(([accountId]) => accounts.includes(accountId));
  const known = facts.proofs?.accounts.find(({ id }) => id === plan.accountId);
  return {
    realm,
    exchange,
    live,
    role: plan.role,
    actor: { projectId: principal.projectId, requestId, clientAddress },
    codeMarks: codes.map(([, { mark }]) => mark),
    comesOf: comesOfKey(decided),
    enrolment: plan.enrols ? enrolment : null,
    input: inputOf(request),
    project: plan.project,
    amr: amrOf(decided),
    metered: request.metered ?? false,
    password: password.kind === 'right' ? password : null,
    knewSecondFactor: plan.enrols || (known !== undefined && known.secondFactor !== 'none'),
    proofs: tokens.flatMap(({ verdict }) => (verdict.status === 'accepted' ? [verdict.identity] : [])),
    link: plan.link.flatMap((fact) => identityOf(evidence, fact) ?? []),
    move: plan.move.flatMap(({ token, from }) => {
      const identity = identityOf(evidence, token);
      return identity ? [{ identity, from }] : [];
    }),
    issueDevice: plan.issueDevice,
  };
}

function accountOf(
  { signIn, plan, evidence }: Decided,
  passwordHash: string | null,
): { readonly id: string } | NewSignInAccount {
  if (plan.accountId !== null) return { id: plan.accountId };
  if (plan.newFrom === 'email') return { newFrom: 'email', email: signIn.credentials.email, passwordHash };
  const identities = plan.link.flatMap((fact) => identityOf(evidence, fact) ?? []);
  return {
    newFrom: 'tokens',
    provenAddress: identities.find(({ email }) => email?.verified)?.email?.address ?? null,
    displayName: identities.find(({ displayName }) => displayName)?.displayName ?? null,
    avatarUrl: identities.find(({ avatarUrl }) => avatarUrl)?.avatarUrl ?? null,
  };
}

function identityOf(
  { tokens }: Evidence,
  { provider, index }: TokenFact,
): (ProvenIdentity & ConfirmedIdentity) | null {
  const found = tokens.find(({ token }) => token.provider === provider && token.index === index);
  return found?.verdict.status === 'accepted' ? found.verdict.identity : null;
}

function inputOf(request: SignIn['request']): UserInput {
  const { deviceIdentifierFriendlyName: name = null, trustThisDevice: trust = false } =
    request.twoFactor ?? {};
  const secret = readDeviceIdentifier(request);
  return {
    marketing: request.marketingPreferenceOptIn ?? null,
    terms: termsOf(request),
    displayName: request.registration?.displayName ?? null,
    locale: request.registration?.locale ?? null,
    device: secret === null ? null : { secret, name, trust },
  };
}

/** The live session, if nothing in the request proves its account again. A token that is only being linked does not. */
function comesOfKey({ signIn: { live }, plan: { accountId, enrols }, facts }: Decided): SessionRow | null {
  if (live === null || accountId === null || accountId !== facts.liveAccount) return null;
  const { passwordAccount = null, tokens = [] } = facts.proofs ?? {};
  const byToken = tokens.some(({ status, owner }) => status === 'accepted' && owner === accountId);
  const byCode = enrols || facts.codes[accountId]?.kind === 'passed';
  return passwordAccount === accountId || byToken || byCode ? null : live;
}

/** The credentials that proved the session's account. */
function amrOf({ signIn, plan, facts, evidence }: Decided): string[] {
  const { accountId, newFrom, link } = plan;
  const { passwordAccount = null, tokens = [] } = facts.proofs ?? {};
  const methods: string[] = tokens.flatMap((token) => {
    const isOwned = token.owner === accountId || link.includes(token);
    return token.status === 'accepted' && isOwned ? [token.provider] : [];
  });
  if (newFrom === 'email' || (accountId !== null && passwordAccount === accountId)) methods.push('pwd');
  if (plan.issueDevice && accountId === null) methods.push('device');
  if (plan.enrols) methods.push('otp');
  if (accountId !== null) {
    if (facts.liveAccount === accountId) methods.push(...(signIn.live?.amr ?? []));
    const pass = evidence.passes.get(accountId);
    if (pass) methods.push(pass.method);
  }
  return [...new Set(methods)];
}

const fewCodes = 3;

/** What the user should know about a successful sign-in. No notice is a condition. */
function noticesOf(
  { judgePassword }: AuthParts,
  { signIn: { credentials, request }, plan, facts }: Decided,
  codesLeft: number | null,
): Notice[] {
  const { derived, password: plain, email } = credentials;
  const { proofs, ask } = facts;
  const notices: Notice[] = [];
  // It was acceptable when it was chosen, or in the system from which it was imported.
  const isRight = proofs?.password === 'right' && derived !== null;
  if (isRight && judgePassword({ plain, derived }, email?.address ?? null) !== null)
    notices.push('passwordWeak');
  // The device requests trust and cannot get it.
  if (request.twoFactor?.trustThisDevice === true && readDeviceIdentifier(request) === null)
    notices.push('deviceNotTrusted');
  const unlinked = (proofs?.tokens ?? []).filter(
    ({ status, owner }) => status === 'accepted' && owner === null,
  );
  const isLeft = plan.accountId !== null && unlinked.some((token) => !plan.link.includes(token));
  if (isLeft || (ask.wantsDevice && !plan.issueDevice)) notices.push('tokenNotLinked');
  const code = plan.accountId === null ? undefined : facts.codes[plan.accountId];
  const usedRecovery = code?.kind === 'passed' && code.method === 'recovery';
  if (usedRecovery && codesLeft !== null && codesLeft <= fewCodes) notices.push('recoveryCodesLow');
  return notices;
}

/** Nothing is stored for repeats that a caller without the secret could request. */
function fingerprintOf({ signIn: { fingerprint }, plan, facts }: Decided): Buffer | null {
  if (fingerprint === null) return null;
  return fingerprint.by === 'credentials' && !isProvenBySecret(plan, facts) ? null : fingerprint.hash;
}

/** Whether a secret in the request proved the account, and not only public values. */
function isProvenBySecret({ accountId, newFrom, link }: Plan, { proofs, liveAccount }: Facts): boolean {
  if (newFrom === 'email') return true;
  if (accountId !== null && (accountId === liveAccount || accountId === proofs?.passwordAccount)) return true;
  return (proofs?.tokens ?? []).some(
    (token) =>
      token.status === 'accepted' &&
      isSecret(token) &&
      (link.includes(token) || (accountId !== null && token.owner === accountId)),
  );
}
