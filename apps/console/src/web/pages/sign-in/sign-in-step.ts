import type { AnswerOf, BodyOf } from '../../api/call.ts';

export type ExchangeAnswer = AnswerOf<'POST /session/exchange'>;
export type ExchangeRequest = BodyOf<'POST /session/exchange'>;

/** What the form asks for next. */
export type SignInStep =
  | { readonly kind: 'credentials' }
  | { readonly kind: 'code' }
  | { readonly kind: 'mailedCode' }
  | { readonly kind: 'verify' }
  | { readonly kind: 'enrol'; readonly secret: string; readonly qrSvg: string }
  | { readonly kind: 'recoveryCodes'; readonly codes: readonly string[]; readonly projectId: string }
  | { readonly kind: 'project'; readonly projects: NonNullable<ExchangeAnswer['availableProjects']> }
  | { readonly kind: 'done'; readonly projectId: string };

/** Reads an answer of the exchange. The order is the one in which the exchange asks. */
export function stepOf(answer: ExchangeAnswer): SignInStep {
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
