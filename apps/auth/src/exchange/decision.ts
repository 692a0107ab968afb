import type { PromptFlag, Reason } from '@tickrate/contract';
import type { AccountFact, ProjectFact, TokenFact } from './facts.ts';

/** The prompts of each state that waits for an answer. */
export const flagsOf = {
  NeedIdentifier: ['promptForEmailAddress'],
  NeedPassword: ['promptForPassword'],
  PasswordUnset: ['promptForPassword', 'passwordResetEmailSent'],
  NeedLinkDecision: ['promptForLinking'],
  NeedRegistration: ['promptForEmailAddress'],
  NeedTerms: ['promptForTerms'],
  NeedMarketing: ['promptForMarketingPreferenceOptIn'],
  NeedEmailVerification: ['promptForEmailVerification'],
  NeedSecondFactor: ['promptForTwoFactorCode'],
  NeedMailedCode: ['promptForEmailVerification', 'promptForTwoFactorCode'],
  NeedSecondFactorEnrolment: ['promptForTwoFactorEnrolment'],
  NeedProject: ['promptForProject'],
} as const satisfies Readonly<Record<string, readonly PromptFlag[]>>;

export type PromptState = keyof typeof flagsOf;

export type Effect =
  | { readonly kind: 'sendReset'; readonly accountId: string }
  | { readonly kind: 'beginRegistration' }
  | { readonly kind: 'sendVerification'; readonly accountId: string }
  | { readonly kind: 'sendEnrolmentCode'; readonly accountId: string };

/** The account whose second factor is set up; null for a new account. */
export interface Enrolling {
  readonly accountId: string | null;
}

export interface Linking {
  readonly reason: 'tokensOfDifferentAccounts' | 'tokenOnOtherAccount' | 'unlinkedToken';
  readonly options: readonly ('link' | 'skip' | 'switch' | 'move' | 'cancel')[];
  readonly accounts: readonly AccountFact[];
}

export interface Prompt {
  readonly kind: 'prompt';
  readonly state: PromptState;
  readonly intent: 'login' | 'register' | 'link' | null;
  readonly linking: Linking | null;
  readonly projects: readonly ProjectFact[] | null;
  readonly enrolling: Enrolling | null;
  readonly effects: readonly Effect[];
}

export interface Refusal {
  readonly kind: 'refuse';
  readonly reason: Reason;
  readonly data: Readonly<Record<string, unknown>>;
  /** The advice in the answer. */
  readonly fields: string | null;
  /** The adapters update the failure counters; nothing else may change. */
  readonly state: 'Refused';
}

/** The plan of the session. */
export interface Plan {
  /** Null: the account is created. */
  readonly accountId: string | null;
  readonly newFrom: 'tokens' | 'email' | null;
  readonly link: readonly TokenFact[];
  readonly move: readonly { readonly token: TokenFact; readonly from: string }[];
  readonly issueDevice: boolean;
  /** The second factor that was set up during the sign-in is stored for the account. */
  readonly enrols: boolean;
  readonly project: { readonly kind: 'given'; readonly id: string } | { readonly kind: 'default' };
  readonly role: string;
}

export type Decision =
  | { readonly kind: 'fetch'; readonly what: 'proofs' }
  | { readonly kind: 'fetch'; readonly what: 'code'; readonly accountId: string }
  | { readonly kind: 'fetch'; readonly what: 'projects'; readonly accountId: string }
  /** The code is tried only if no other account was proven by it. */
  | {
      readonly kind: 'fetch';
      readonly what: 'enrolment';
      readonly accountId: string | null;
      readonly tryCode: boolean;
    }
  | Prompt
  | Refusal
  | { readonly kind: 'complete'; readonly state: 'Complete'; readonly plan: Plan };

export function refuse(
  reason: Reason,
  data: Readonly<Record<string, unknown>> = {},
  fields: string | null = null,
): Refusal {
  return { kind: 'refuse', state: 'Refused', reason, data, fields };
}

export function prompt(state: PromptState, more: Partial<Omit<Prompt, 'kind' | 'state'>> = {}): Prompt {
  return {
    kind: 'prompt',
    state,
    intent: null,
    linking: null,
    projects: null,
    enrolling: null,
    effects: [],
    ...more,
  };
}
