import type { PromptFlag, Reason } from '@tickrate/contract';
import type { AccountFact, ProjectFact, TokenFact } from './facts.ts';

/** What to ask the user for in each state that waits for an answer. */
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

/** For whom a second factor is set up; null for an account that is to be made. */
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
  /** What to do about it, told to the client. */
  readonly fields: string | null;
  /** What becomes of the failure counters is the adapters' part; nothing else may change. */
  readonly state: 'Refused';
}

/** What makes the session. */
export interface Plan {
  /** Null: the account is made. */
  readonly accountId: string | null;
  readonly newFrom: 'tokens' | 'email' | null;
  readonly link: readonly TokenFact[];
  readonly move: readonly { readonly token: TokenFact; readonly from: string }[];
  readonly issueDevice: boolean;
  /** The second factor that was set up on the way becomes the account's. */
  readonly enrols: boolean;
  readonly project: { readonly kind: 'given'; readonly id: string } | { readonly kind: 'default' };
  readonly role: string;
}

export type Decision =
  | { readonly kind: 'fetch'; readonly what: 'proofs' }
  | { readonly kind: 'fetch'; readonly what: 'code'; readonly accountId: string }
  | { readonly kind: 'fetch'; readonly what: 'projects'; readonly accountId: string }
  /** The code is tried only when no other account was proven by it. */
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
