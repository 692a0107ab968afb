import type { CompletedSignIn } from '@tickrate/accounts';
import { type AuthenticationResponse, type Notice, type PromptFlag, promptFlags } from '@tickrate/contract';
import { flagsOf, type Prompt } from '../exchange/decision.ts';
import type { VerifiedToken } from './sign-in.ts';

interface AnswerParts {
  readonly exchangeId: string;
  readonly exchangeExpiresMs: number;
  readonly tokens: readonly VerifiedToken[];
}

/** Every member is present. A session is present if and only if no flag is set. */
export function answerPrompt(
  parts: AnswerParts,
  prompt: Prompt,
  setUp: AuthenticationResponse['twoFactorEnrolment'],
): AuthenticationResponse {
  const { linking } = prompt;
  return {
    ...emptyAnswer(parts),
    ...flags(flagsOf[prompt.state]),
    intent: prompt.intent,
    twoFactorEnrolment: setUp,
    availableProjects: prompt.projects?.map(({ id, name, role }) => ({ id, name, role })) ?? null,
    linking: linking && {
      reason: linking.reason,
      options: [...linking.options],
      accounts: linking.accounts.map(({ id, displayName, providers }) => ({
        accountRef: id,
        displayName,
        providers: [...providers],
      })),
    },
  };
}

export function answerSession(
  parts: AnswerParts,
  completed: Omit<CompletedSignIn, 'recoveryCodesLeft'>,
  notices: Notice[],
): AuthenticationResponse {
  const { session, issuedDevice, createdProject, recoveryCodes } = completed;
  return {
    ...emptyAnswer(parts),
    authenticatedSession: session,
    issuedDeviceToken: issuedDevice,
    createdProject,
    recoveryCodes,
    created: session.newAccount,
    notices,
  };
}

/** Adds the members of this request, so an answer that is repeated names those of the repeat. */
export function withUnknownMembers(
  answer: AuthenticationResponse,
  unknownMembers: readonly string[],
): AuthenticationResponse {
  if (unknownMembers.length === 0) return answer;
  return { ...answer, notices: ['unknownMembers', ...answer.notices], unknownMembers: [...unknownMembers] };
}

function emptyAnswer({ exchangeId, exchangeExpiresMs, tokens }: AnswerParts): AuthenticationResponse {
  return {
    authenticatedSession: null,
    intent: null,
    availableProjects: null,
    linking: null,
    exchangeId,
    exchangeExpires: Math.floor(exchangeExpiresMs / 1000),
    issuedDeviceToken: null,
    twoFactorEnrolment: null,
    recoveryCodes: null,
    createdProject: null,
    created: false,
    tokens: tokens.map(({ token, verdict }) => ({
      provider: token.provider,
      index: token.index,
      status: verdict.status === 'misconfigured' ? 'unavailable' : verdict.status,
      displayName: verdict.status === 'accepted' ? verdict.identity.displayName : null,
    })),
    notices: [],
    unknownMembers: [],
    ...flags([]),
  };
}

function flags(set: readonly string[]): Pick<AuthenticationResponse, PromptFlag> {
  const all = promptFlags.map((name) => [name, set.includes(name)] as const);
  return Object.fromEntries(all) as Record<PromptFlag, boolean>;
}
