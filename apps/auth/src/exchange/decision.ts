import type { EnrolmentFact } from '@tickrate/accounts';
import type { PromptFlag, Reason, SessionsPolicy } from '@tickrate/contract';
import type { TokenVerdict } from '../providers/provider.ts';

// What the decision knows.

/** The content of a request, without secrets. */
export interface Ask {
  readonly role: string;
  readonly hasEmail: boolean;
  readonly hasPassword: boolean;
  readonly hasCode: boolean;
  readonly wantsDevice: boolean;
  readonly intent: 'login' | 'register' | 'link' | 'link-confirm' | 'cancel' | null;
  readonly linkAction: 'link' | 'skip' | 'switch' | 'move' | null;
  readonly accountRef: string | null;
  readonly promptForProject: boolean;
  readonly projectId: string | null;
  readonly marketing: boolean | null;
  readonly acceptedTerms: Readonly<Record<string, string>>;
}

export interface TokenFact {
  readonly provider: string;
  readonly index: number;
  readonly status: TokenVerdict['status'];
  readonly displayName: string | null;
  /** The account that it is linked to. */
  readonly owner: string | null;
  /** The account whose verified address is this token's verified address. */
  readonly emailOwner: string | null;
}

export interface AccountFact {
  readonly id: string;
  readonly displayName: string | null;
  readonly providers: readonly string[];
  readonly hasPassword: boolean;
  readonly hasEmail: boolean;
  readonly emailVerified: boolean;
  readonly ban: { readonly reason: string; readonly expiresMs: number | null } | null;
  /** Passed by this exchange, by a trusted device, or by the live session. */
  readonly secondFactor: 'none' | 'required' | 'passed';
  readonly terms: Readonly<Record<string, string>>;
  readonly marketing: boolean | null;
  readonly roles: readonly string[];
}

export interface Proofs {
  /** Time until the submitted address may be tried again; null when it may. */
  readonly lockedSeconds: number | null;
  readonly password: 'absent' | 'wrong' | 'right';
  readonly passwordAccount: string | null;
  readonly tokens: readonly TokenFact[];
  /** Every account that is named above or by the live session. */
  readonly accounts: readonly AccountFact[];
  /** The installation has no administrator yet, and the first caller may become it. */
  readonly firstAdministrator: boolean;
}

export type CodeFact =
  | { readonly kind: 'passed'; readonly method: 'otp' | 'recovery' }
  | { readonly kind: 'invalid'; readonly attemptsLeft: number }
  | { readonly kind: 'used' }
  | { readonly kind: 'locked'; readonly seconds: number };

interface ProjectFact {
  readonly id: string;
  readonly name: string;
  readonly role: string;
}

/** The known facts of one request; an undefined fact was not fetched yet. */
export interface Facts {
  readonly ask: Ask;
  readonly policies: SessionsPolicy;
  readonly keyProjectId: string;
  /** The account of the session whose key was sent, in the requested realm. */
  readonly liveAccount: string | null;
  /** The session was opened with a password. */
  readonly liveByPassword: boolean;
  /** Its credentials were proven so recently that the sign-in methods may be changed. */
  readonly liveIsRecent: boolean;
  readonly proofs?: Proofs;
  readonly codes: Readonly<Record<string, CodeFact>>;
  readonly enrolment?: EnrolmentFact;
  /** The projects that the account may administer. */
  readonly projects?: readonly ProjectFact[];
}

// What it decides.

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

type PromptState = keyof typeof flagsOf;

export type Effect =
  | { readonly kind: 'sendReset'; readonly accountId: string }
  | { readonly kind: 'beginRegistration' }
  | { readonly kind: 'sendVerification'; readonly accountId: string }
  | { readonly kind: 'sendEnrolmentCode'; readonly accountId: string };

interface Linking {
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
  /** The account whose second factor is set up; null in it for a new account. */
  readonly enrolling: { readonly accountId: string | null } | null;
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
