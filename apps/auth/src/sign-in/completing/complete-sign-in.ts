import type {
  ConfirmedIdentity,
  CreateProject,
  NewSignInAccount,
  Pass,
  ProvenEnrolment,
  SignInCompletion,
  SignInOutcome,
  UserInput,
} from '@tickrate/accounts';
import type { AuthenticationResponse } from '@tickrate/contract';
import type { Plan } from '../../exchange/decision.ts';
import type { Facts, TokenFact } from '../../exchange/facts.ts';
import type { PasswordHasher } from '../../passwords/password-hasher.ts';
import type { ProvenIdentity } from '../../providers/provider.ts';
import { actorOf } from '../audit.ts';
import { amrOf, comesOfKey, termsOf } from '../facts/asked-facts.ts';
import type { Evidence } from '../facts/find-proofs.ts';
import type { VerifiedToken } from '../facts/verify-tokens.ts';
import { readDeviceIdentifier } from '../request/device-identifier.ts';
import { isProvenBySecret } from '../request/fingerprint.ts';
import type { AuthContext, SignIn } from '../sign-in.ts';
import { answerSession } from './answer.ts';
import type { FindNotices } from './notices.ts';

/** What proved the sign-in, and what was decided on it. */
export interface Completion {
  readonly signIn: SignIn;
  readonly plan: Plan;
  readonly facts: Facts;
  readonly evidence: Evidence;
  /** By account: the accepted code, which creates one session. */
  readonly passes: ReadonlyMap<string, Pass>;
  readonly enrolment: ProvenEnrolment | null;
}

export interface CompletionParts {
  readonly hasher: Pick<PasswordHasher, 'hash'>;
  readonly createProject: CreateProject;
  readonly findNotices: FindNotices;
}

export type CompleteSignIn = ReturnType<typeof createCompleteSignIn>;

/** Executes the decision, and creates the answer of the client. */
export function createCompleteSignIn({ accounts }: AuthContext, parts: CompletionParts) {
  return async (completion: Completion): Promise<SignInOutcome<AuthenticationResponse>> => {
    const { signIn, plan, facts, evidence } = completion;
    const { derived } = signIn.credentials;
    const isHashed = plan.newFrom === 'email' && derived !== null;
    const passwordHash = isHashed ? await parts.hasher.hash(derived) : null;
    const exchange = {
      exchangeId: signIn.exchange.id,
      exchangeExpiresMs: accounts.exchanges.endMs(signIn.exchange),
      tokens: evidence.tokens,
    };
    const decided = completionOf(completion, { passwordHash, createProject: parts.createProject });
    return accounts.signIns.complete(decided, (completed) => {
      const notices = parts.findNotices({ signIn, plan, facts, left: completed.recoveryCodesLeft });
      return { answer: answerSession(exchange, completed, notices), fingerprint: fingerprintOf(completion) };
    });
  };
}

interface Prepared {
  readonly passwordHash: string | null;
  readonly createProject: CreateProject;
}

function completionOf(completion: Completion, prepared: Prepared): SignInCompletion {
  const { signIn, plan, facts, evidence, passes, enrolment } = completion;
  const { tokens, password } = evidence;
  const { request, realm, exchange, live } = signIn;
  const accounts = [plan.accountId, ...plan.move.map(({ from }) => from)];
  const codes = [...passes].filter(([accountId]) => accounts.includes(accountId));
  return {
    realm,
    exchange,
    live,
    role: plan.role,
    actor: actorOf(signIn),
    codeMarks: codes.map(([, { mark }]) => mark),
    comesOf: comesOfKey(signIn, { plan, facts }),
    account:
      plan.accountId === null ? newAccountOf(completion, prepared.passwordHash) : { id: plan.accountId },
    enrolment: plan.enrols ? enrolment : null,
    input: inputOf(request),
    project: plan.project,
    createProject: prepared.createProject,
    amr: amrOf(signIn, { plan, facts }, passes),
    metered: request.metered ?? false,
    password: password.kind === 'right' ? password : null,
    knewSecondFactor: knowsSecondFactor(plan, facts),
    proofs: tokens.flatMap(({ verdict }) => (verdict.status === 'accepted' ? [verdict.identity] : [])),
    link: plan.link.flatMap((fact) => identityOf(tokens, fact) ?? []),
    move: plan.move.flatMap(({ token, from }) => {
      const identity = identityOf(tokens, token);
      return identity ? [{ identity, from }] : [];
    }),
    issueDevice: plan.issueDevice,
  };
}

function newAccountOf({ signIn, plan, evidence }: Completion, passwordHash: string | null): NewSignInAccount {
  if (plan.newFrom === 'email') return { newFrom: 'email', email: signIn.credentials.email, passwordHash };
  const identities = plan.link.flatMap((fact) => identityOf(evidence.tokens, fact) ?? []);
  return {
    newFrom: 'tokens',
    provenAddress: identities.find(({ email }) => email?.verified)?.email?.address ?? null,
    displayName: identities.find(({ displayName }) => displayName)?.displayName ?? null,
    avatarUrl: identities.find(({ avatarUrl }) => avatarUrl)?.avatarUrl ?? null,
  };
}

function inputOf(request: SignIn['request']): UserInput {
  const { deviceIdentifierFriendlyName, trustThisDevice } = request.twoFactor ?? {};
  const secret = readDeviceIdentifier(request);
  return {
    marketing: request.marketingPreferenceOptIn ?? null,
    terms: termsOf(request),
    displayName: request.registration?.displayName ?? null,
    locale: request.registration?.locale ?? null,
    device:
      secret === null
        ? null
        : { secret, name: deviceIdentifierFriendlyName ?? null, trust: trustThisDevice ?? false },
  };
}

function knowsSecondFactor(plan: Plan, { proofs }: Facts): boolean {
  const account = proofs?.accounts.find(({ id }) => id === plan.accountId);
  return plan.enrols || (account !== undefined && account.secondFactor !== 'none');
}

function identityOf(
  tokens: readonly VerifiedToken[],
  { provider, index }: TokenFact,
): (ProvenIdentity & ConfirmedIdentity) | null {
  const found = tokens.find(({ token }) => token.provider === provider && token.index === index);
  return found?.verdict.status === 'accepted' ? found.verdict.identity : null;
}

/** Nothing is stored for repeats that a caller without the secret could request. */
function fingerprintOf({ signIn: { fingerprint }, plan, facts }: Completion): Buffer | null {
  if (fingerprint === null) return null;
  return fingerprint.by === 'credentials' && !isProvenBySecret(plan, facts) ? null : fingerprint.hash;
}
