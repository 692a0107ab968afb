import type { ExchangeRow } from '@tickrate/accounts';
import type { Plan } from '../exchange/decision.ts';
import type { Facts } from '../exchange/facts.ts';
import type { AuthenticateCall } from './authenticate.ts';
import type { Credentials } from './credentials.ts';
import type { Keyring } from './keyring.ts';
import type { ProjectSettings } from './sign-in.ts';

/** What the repeat of a request is known by. It holds a secret of the caller's, so that nobody else can come upon it. */
export interface Fingerprint {
  readonly hash: Buffer;
  /** Which secret. Credentials are one only once they were good: anybody can send the same wrong ones. */
  readonly by: 'idempotencyKey' | 'exchange' | 'credentials';
}

interface Basis {
  readonly credentials: Credentials;
  readonly named: ExchangeRow | null;
  /** What the project asks of its players: under other settings the same request is another one. Null: not asked yet. */
  readonly settings: ProjectSettings | null;
}

/** Null for a request that holds no secret: it is answered anew, however often it is sent. */
export function fingerprintOf(
  keyring: Keyring,
  call: AuthenticateCall,
  { credentials, named, settings }: Basis,
): Fingerprint | null {
  const { principal, request, idempotencyKey } = call;
  const hash = (by: Fingerprint['by'], secret: string): Fingerprint => ({
    by,
    hash: keyring.mac('request', by, principal.keyId, secret, canonical(request), canonical(settings)),
  });
  if (idempotencyKey !== null) return hash('idempotencyKey', idempotencyKey);
  if (named !== null) return hash('exchange', named.id);
  return call.live !== null || holdsSecret(credentials) ? hash('credentials', '') : null;
}

/** A device that is to be made has no secret yet, the id of a test device is none, and an address neither. */
function holdsSecret({ email, derived, tokens }: Credentials): boolean {
  return (email !== null && derived !== null) || tokens.some(isSecret);
}

function isSecret({ provider }: { readonly provider: string }): boolean {
  return provider !== 'deviceTest';
}

/** Whether a secret in the request proved the account, and not only what anybody could have sent. */
export function isProvenBySecret(
  { accountId, newFrom, link }: Plan,
  { proofs, liveAccount }: Facts,
): boolean {
  if (newFrom === 'email') return true;
  if (accountId !== null && (accountId === liveAccount || accountId === proofs?.passwordAccount)) return true;
  return (proofs?.tokens ?? []).some(
    (token) =>
      token.status === 'accepted' &&
      isSecret(token) &&
      (link.includes(token) || (accountId !== null && token.owner === accountId)),
  );
}

/** The same text for the same members, in whatever order they came. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
