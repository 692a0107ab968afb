import type { Accounts, Exchange, Keyring, SessionRow } from '@tickrate/accounts';
import type { AuthenticationRequest, ProviderSettings, RandomBytes } from '@tickrate/contract';
import type { Principal } from '@tickrate/registry';
import type { Policies } from '../exchange/facts.ts';
import type { Credentials } from './request/credentials.ts';

/** The realm of administrators; a player's realm is the project. */
export const installationRealm = 'installation';

interface Asked {
  readonly request: AuthenticationRequest;
  readonly principal: Principal;
}

export function roleOf({ request }: Pick<Asked, 'request'>): string {
  return request.requestedRole ?? 'builtin:user';
}

/** The realm of the accounts. */
export function realmOf(asked: Asked): string {
  return roleOf(asked) === 'builtin:admin' ? installationRealm : asked.principal.projectId;
}

/** A sign-in request: its key is verified, its body is read. */
export interface AuthenticateCall {
  readonly request: AuthenticationRequest;
  readonly principal: Principal;
  readonly live: SessionRow | null;
  readonly clientAddress: string;
  readonly requestId: string;
  readonly idempotencyKey: string | null;
}

/** Identifies a repeated request. It includes a secret of the caller, so that no one else can produce it. */
export interface Fingerprint {
  readonly hash: Buffer;
  /** The secret. Credentials count only once they were accepted: anybody can send the same wrong ones. */
  readonly by: 'idempotencyKey' | 'exchange' | 'credentials';
}

/** One request of the exchange. */
export interface SignIn {
  readonly request: AuthenticationRequest;
  readonly credentials: Credentials;
  readonly principal: Principal;
  /** The session whose key was sent; null for a public key. */
  readonly live: SessionRow | null;
  readonly realm: string;
  readonly role: string;
  readonly clientAddress: string;
  readonly requestId: string;
  readonly settings: ProjectSettings;
  readonly exchange: Exchange;
  readonly fingerprint: Fingerprint | null;
}

export interface ProjectSettings {
  readonly policies: Policies;
  readonly providers: ProviderSettings;
}

/** What every part of sign-in needs. */
export interface AuthContext {
  readonly accounts: Accounts;
  readonly keyring: Keyring;
  readonly now: () => number;
  readonly randomBytes: RandomBytes;
}

/** The exchange was completed, the code created a session, or the request was answered meanwhile: start again. */
export class AnsweredMeanwhile extends Error {
  override readonly name = 'AnsweredMeanwhile';
}
