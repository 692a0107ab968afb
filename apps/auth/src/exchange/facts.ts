/** What a request asks for and brings, without any secret. */
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

/** How a project lets its players in. */
export interface Policies {
  /** For who brings a token that no account has, and for who asks to register an address. */
  readonly registration: { readonly tokens: 'auto' | 'ask' | 'closed'; readonly email: 'ask' | 'closed' };
  readonly linking: 'ask' | 'auto' | 'never';
  readonly passwordSignIn: boolean;
  readonly terms: Readonly<Record<string, string>>;
  readonly askMarketing: boolean;
  readonly requireVerifiedEmail: boolean;
  /** Of whoever signs in with a password: platforms answer for their own users. */
  readonly requireSecondFactor: boolean;
}

export type TokenStatus =
  | 'accepted'
  | 'rejected'
  | 'expired'
  | 'alreadyUsed'
  | 'unavailable'
  | 'notConfigured'
  | 'banned'
  | 'misconfigured';

export interface TokenFact {
  readonly provider: string;
  readonly index: number;
  readonly status: TokenStatus;
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
  /** Passed: by this exchange, by a trusted device, or by the live session. */
  readonly secondFactor: 'none' | 'required' | 'passed';
  readonly terms: Readonly<Record<string, string>>;
  readonly marketing: boolean | null;
  readonly roles: readonly string[];
}

export interface Proofs {
  /** Until the submitted address may be tried again; null when it may. */
  readonly lockedSeconds: number | null;
  readonly password: 'absent' | 'wrong' | 'right';
  readonly passwordAccount: string | null;
  readonly tokens: readonly TokenFact[];
  /** Every account that is named above or by the live session. */
  readonly accounts: readonly AccountFact[];
  /** Nobody administers the installation yet, and the first who comes may. */
  readonly firstAdministrator: boolean;
}

export type CodeFact =
  | { readonly kind: 'passed'; readonly method: 'otp' | 'recovery' }
  | { readonly kind: 'invalid'; readonly attemptsLeft: number }
  | { readonly kind: 'used' }
  | { readonly kind: 'locked'; readonly seconds: number };

/**
 * Of a second factor that is set up on the way in: `addressUnproven` until the code of a mail comes, then `waiting` for the
 * first code of an authenticator.
 */
export type EnrolmentFact =
  | { readonly kind: 'addressUnproven' }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'passed' }
  /** `attemptsLeft` is null where nothing limits them: a mailed code is too long to guess. */
  | { readonly kind: 'invalid'; readonly attemptsLeft: number | null }
  | { readonly kind: 'locked'; readonly seconds: number };

export interface ProjectFact {
  readonly id: string;
  readonly name: string;
  readonly role: string;
}

/** All that is known of one request; what is undefined has not been asked yet. */
export interface Facts {
  readonly ask: Ask;
  readonly policies: Policies;
  readonly keyProjectId: string;
  /** The account of the session whose key was sent, in the realm that is asked for. */
  readonly liveAccount: string | null;
  /** That session was signed in with a password. */
  readonly liveByPassword: boolean;
  /** Its credentials were proven so lately that ways into its account may be changed. */
  readonly liveIsRecent: boolean;
  readonly proofs?: Proofs;
  readonly codes: Readonly<Record<string, CodeFact>>;
  readonly enrolment?: EnrolmentFact;
  /** What the account may administer. */
  readonly projects?: readonly ProjectFact[];
}
