import { useEffect, useState } from 'react';
import { type AnswerOf, type BodyOf, call } from '../../api/call.ts';
import { type Problem, toProblem } from '../../api/problem.ts';
import { browserDevice, createSecret } from './browser-device.ts';
import type { ProviderToken } from './provider-visit.ts';

/** What the user has typed so far. Every step sends all of it again, so that no step depends on the one before. */
export interface SignInDraft {
  readonly emailAddress: string;
  readonly password: string;
  readonly isRegistering: boolean;
  readonly code: string;
  readonly trustThisDevice: boolean;
  readonly projectId: string | null;
  /** Of the provider, instead of the password. */
  readonly token: ProviderToken | null;
}

const emptyDraft: SignInDraft = {
  emailAddress: '',
  password: '',
  isRegistering: false,
  code: '',
  trustThisDevice: false,
  projectId: null,
  token: null,
};

export interface SignInOptions {
  /** The project to sign in to. Null lets the user choose. */
  readonly projectId: string | null;
  /** The address in an invitation. */
  readonly invited?: string | undefined;
  /** The provider has signed the user in. */
  readonly token?: ProviderToken | undefined;
  /** The session has ended: the user has an account. */
  readonly isAgain?: boolean;
  /** With the project that the session is in. */
  readonly onDone: (projectId: string) => void;
}

export type SignIn = ReturnType<typeof useSignIn>;

/** Walks an administrator through the exchange, whatever it asks for. */
export function useSignIn({ projectId, invited, token, onDone }: SignInOptions) {
  const [draft, setDraft] = useState<SignInDraft>({
    ...emptyDraft,
    projectId,
    token: token ?? null,
    ...(invited !== undefined && { emailAddress: invited, isRegistering: true }),
  });
  const [step, setStep] = useState<SignInStep>({ kind: 'credentials' });
  const [exchangeId, setExchangeId] = useState<string | undefined>();
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isPending, setPending] = useState(false);
  useEffect(() => {
    if (token === undefined || token === sentToken) return;
    sentToken = token;
    void send();
  });

  /** Takes the next step with what is typed, and with these changes. */
  async function send(change: Partial<SignInDraft> = {}): Promise<void> {
    const next = { ...draft, ...change };
    setDraft(next);
    setPending(true);
    setProblem(null);
    try {
      if (step.kind === 'verify')
        await call('POST /session/account/email/verify', {
          body: { token: next.code, password: next.password },
        });
      // Without it, auth would give two browsers that sign in within a minute one session.
      const idempotencyKey = createSecret();
      const body = requestOf(next, step, exchangeId);
      const answer = await call('POST /session/exchange', { body, idempotencyKey });
      setExchangeId(answer.exchangeId);
      // A code is valid once: the next step asks for another one.
      setDraft((current) => ({ ...current, code: '' }));
      const reached = stepOf(answer);
      setStep(reached);
      if (reached.kind === 'done') onDone(reached.projectId);
    } catch (error) {
      setProblem(toProblem(error));
    } finally {
      setPending(false);
    }
  }

  return {
    draft,
    step,
    problem,
    isPending,
    /** The credentials are right, and the account may not see the project, or any. */
    isNoMember: problem?.reason === 'notPermitted' || problem?.reason === 'roleNotAvailable',
    change: (change: Partial<SignInDraft>) => setDraft((current) => ({ ...current, ...change })),
    send,
    restart() {
      setStep({ kind: 'credentials' });
      setExchangeId(undefined);
      setProblem(null);
      setDraft((current) => ({ ...emptyDraft, emailAddress: current.emailAddress, projectId }));
    },
  };
}

// React runs effects twice in development, and a token is valid once.
let sentToken: ProviderToken | null = null;

function requestOf(draft: SignInDraft, step: SignInStep, exchangeId: string | undefined): ExchangeRequest {
  const { emailAddress, password, isRegistering, code, trustThisDevice, projectId, token } = draft;
  const hasCode = code !== '' && step.kind !== 'verify';
  return {
    promptForProject: true,
    ...(token === null ? { emailAddress, password } : { tokens: { oAuthTokens: [{ ...token }] } }),
    twoFactor: { ...browserDevice(trustThisDevice), ...(hasCode && { twoFactorCode: code }) },
    ...(isRegistering && { intent: 'register' }),
    ...(projectId !== null && { projectId }),
    ...(exchangeId !== undefined && { exchangeId }),
  };
}

type ExchangeAnswer = AnswerOf<'POST /session/exchange'>;
type ExchangeRequest = BodyOf<'POST /session/exchange'>;

type SignInStep =
  | { readonly kind: 'credentials' }
  | { readonly kind: 'code' }
  | { readonly kind: 'mailedCode' }
  | { readonly kind: 'verify' }
  | { readonly kind: 'enrol'; readonly secret: string; readonly qrSvg: string }
  | { readonly kind: 'recoveryCodes'; readonly codes: readonly string[]; readonly projectId: string }
  | { readonly kind: 'project'; readonly projects: NonNullable<ExchangeAnswer['availableProjects']> }
  | { readonly kind: 'done'; readonly projectId: string };

/** Reads an answer of the exchange. The order is the one in which the exchange asks. */
function stepOf(answer: ExchangeAnswer): SignInStep {
  const { authenticatedSession: session, recoveryCodes, twoFactorEnrolment, availableProjects } = answer;
  if (session !== null) {
    const { projectId } = session;
    return recoveryCodes === null
      ? { kind: 'done', projectId }
      : { kind: 'recoveryCodes', codes: recoveryCodes, projectId };
  }
  if (answer.promptForTwoFactorEnrolment && twoFactorEnrolment !== null)
    return { kind: 'enrol', ...twoFactorEnrolment };
  if (answer.promptForEmailVerification)
    return { kind: answer.promptForTwoFactorCode ? 'mailedCode' : 'verify' };
  if (answer.promptForTwoFactorCode) return { kind: 'code' };
  if (answer.promptForProject) return { kind: 'project', projects: availableProjects ?? [] };
  return { kind: 'credentials' };
}
