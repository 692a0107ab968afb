import type { ExchangeRow, Keyring } from '@tickrate/accounts';
import type { Plan } from '../../exchange/decision.ts';
import type { Facts } from '../../exchange/facts.ts';
import type { AuthenticateCall, Fingerprint, ProjectSettings } from '../sign-in.ts';
import type { Credentials } from './credentials.ts';

interface Basis {
  readonly credentials: Credentials;
  readonly named: ExchangeRow | null;
  /**
   * The project's requirements for players: under other settings the same request is a different one. Null: not read
   * yet.
   */
  readonly settings: ProjectSettings | null;
}

/** Null for a request without a secret: it is always answered anew. */
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

/** A new device has no secret yet. The id of a test device and an address are not secrets. */
function holdsSecret({ email, derived, tokens }: Credentials): boolean {
  return (email !== null && derived !== null) || tokens.some(isSecret);
}

function isSecret({ provider }: { readonly provider: string }): boolean {
  return provider !== 'deviceTest';
}

/** Whether a secret in the request proved the account, and not only public values. */
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

/** The same text for the same members, in any order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
