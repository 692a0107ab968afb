import type { CheckedPassword, Exchange, Pass, ProvenEnrolment, SessionRow } from '@tickrate/accounts';
import type {
  AuthenticationRequest,
  AuthenticationResponse,
  ProviderSettings,
  SessionsPolicy,
} from '@tickrate/contract';
import type { Principal } from '@tickrate/registry';
import type { CodeFact } from '../exchange/decision.ts';
import type { PresentedToken, TokenVerdict } from '../providers/provider.ts';
import type { Credentials } from './credentials.ts';

/*
 * A sign-in from the request to the answer. What becomes what:
 *
 * | type                     | is                                                           | made by                         |
 * | ------------------------ | ------------------------------------------------------------ | ------------------------------- |
 * | `SignInRequest`          | the request of a caller whose key is valid                   | `routes/auth-routes.ts`         |
 * | `SignIn`                 | with its credentials, the project's settings, its exchange   | `authenticate.ts`               |
 * | `Evidence`               | what the password, the tokens and the codes proved           | `run-exchange.ts`               |
 * | `Facts`                  | everything that the decision knows, without secrets          | `facts.ts`                      |
 * | `Decision`               | the next fact to fetch, a prompt, a refusal, or a `Plan`     | `exchange/decide.ts`            |
 * | `DecidedSignIn`          | the plan with its evidence: what the transaction does        | `complete.ts`                   |
 * | `CompletedSignIn`        | the session and what is shown once                           | `completeSignIn` of accounts    |
 * | `AuthenticationResponse` | the answer                                                   | `answer.ts`                     |
 *
 * If another request was faster, the evidence stays, and facts and decision are made again.
 */

export interface SignInRequest {
  readonly request: AuthenticationRequest;
  readonly principal: Principal;
  /** The session whose key was sent; null for a public key. */
  readonly live: SessionRow | null;
  readonly clientAddress: string;
  readonly requestId: string;
  readonly idempotencyKey: string | null;
}

export interface SignIn extends SignInRequest {
  readonly credentials: Credentials;
  readonly role: string;
  readonly realm: string;
  readonly settings: ProjectSettings;
  readonly exchange: Exchange;
  readonly fingerprint: Fingerprint | null;
}

export interface ProjectSettings {
  readonly policies: SessionsPolicy;
  readonly providers: ProviderSettings;
}

/** Identifies a repeated request. It includes a secret of the caller, so that no one else can produce it. */
export interface Fingerprint {
  readonly hash: Buffer;
  /** The secret. Credentials count only once they were accepted: anybody can send the same wrong ones. */
  readonly by: 'idempotencyKey' | 'exchange' | 'credentials';
}

/** Platforms, password and codes are not checked again if the store changed meanwhile. */
export interface Evidence {
  password: CheckedPassword | { readonly kind: 'absent' };
  readonly tokens: readonly VerifiedToken[];
  /** By account: the outcome of the code. An accepted code stays accepted for this request. */
  readonly codes: Record<string, CodeFact>;
  /** By account: the accepted code, which creates one session. */
  readonly passes: Map<string, Pass>;
  enrolment: ProvenEnrolment | null;
}

export interface VerifiedToken {
  readonly token: PresentedToken;
  readonly verdict: TokenVerdict;
}

export interface AnsweredSignIn {
  readonly answer: AuthenticationResponse;
  /** The same secret gets it again. */
  readonly isRepeatable: boolean;
}

/** The realm of administrators; a player's realm is the project. */
export const installationRealm = 'installation';
