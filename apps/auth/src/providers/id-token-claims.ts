import { createHash } from 'node:crypto';
import type { OpenIdConnection } from '@tickrate/contract';
import type { JWTPayload } from 'jose';
import { memberAt, textAt } from './member-at.ts';
import type { ProvenIdentity } from './provider.ts';

interface ClaimContext {
  readonly connection: OpenIdConnection;
  readonly nonce: string | null;
  readonly nowMs: number;
}

export const toleranceSeconds = 30;

/** The fault of a token whose signature, issuer and times are valid; null without one. */
export function objectionTo(payload: JWTPayload, context: ClaimContext): string | null {
  const { connection } = context;
  if (!isSubject(payload.sub)) return 'sub';
  if (!isForUs(payload, connection)) return 'aud';
  if (!isAskedByUs(payload, connection)) return 'azp';
  if (!isYoung(payload, context)) return 'iat';
  if (!holdsNonce(payload, context)) return 'nonce';
  const { tokenType } = connection.traits;
  if (tokenType !== undefined && payload['typ'] !== tokenType) return 'typ';
  const wrong = Object.entries(connection.claims).find(
    ([claim, value]) => memberAt(payload, claim) !== value,
  );
  return wrong === undefined ? null : wrong[0];
}

function isSubject(subject: unknown): boolean {
  return typeof subject === 'string' && /^[^\p{Cc}\p{Cs}]{1,255}$/u.test(subject);
}

function isForUs(payload: JWTPayload, { clientIds, traits }: OpenIdConnection): boolean {
  const audience = memberAt(payload, ...(traits.audienceClaim ?? ['aud']));
  const audiences: readonly unknown[] = Array.isArray(audience) ? audience : [audience];
  return audiences.some((each) => typeof each === 'string' && clientIds.includes(each));
}

function isAskedByUs(payload: JWTPayload, connection: OpenIdConnection): boolean {
  const party = payload['azp'];
  const isShared = Array.isArray(payload.aud) && payload.aud.length > 1;
  if (party === undefined) return !isShared || connection.traits.audienceClaim !== undefined;
  if (connection.traits.anyAuthorizedParty && !isShared) return true;
  return [...connection.clientIds, ...connection.authorizedParties].some((each) => each === party);
}

function isYoung({ iat }: JWTPayload, { connection: { maxAgeSeconds }, nowMs }: ClaimContext): boolean {
  const nowSeconds = nowMs / 1000;
  if (iat === undefined) return maxAgeSeconds === null;
  if (iat > nowSeconds + toleranceSeconds) return false;
  return maxAgeSeconds === null || iat >= nowSeconds - maxAgeSeconds - toleranceSeconds;
}

/** A token of one sign-in is invalid in another: a token with a nonce requires it. */
function holdsNonce(payload: JWTPayload, { connection, nonce }: ClaimContext): boolean {
  const held = payload['nonce'];
  if (connection.nonce === 'ignored') return true;
  if (nonce === null) return held === undefined && connection.nonce !== 'required';
  if (held === nonce) return true;
  return connection.traits.hashedNonce === true && held === createHash('sha256').update(nonce).digest('hex');
}

export function identityOf(payload: JWTPayload, connection: OpenIdConnection): ProvenIdentity {
  return {
    provider: `openid:${connection.connectionId}`,
    tenant: connection.issuers[0] ?? '',
    subject: payload.sub ?? '',
    displayName: textAt(payload, 'name') ?? textAt(payload, 'preferred_username') ?? textAt(payload, 'dn'),
    avatarUrl: textAt(payload, 'picture'),
    email: emailOf(payload, connection),
    attributes: {},
    ...groupsOf(payload, connection),
  };
}

function groupsOf(payload: JWTPayload, { traits: { groupsClaim } }: OpenIdConnection) {
  if (groupsClaim === undefined) return {};
  const claim = memberAt(payload, groupsClaim);
  // Some issuers write one group as a text.
  if (typeof claim === 'string') return { groups: [claim] };
  return { groups: Array.isArray(claim) ? claim.filter((group) => typeof group === 'string') : null };
}

function emailOf(payload: JWTPayload, { traits }: OpenIdConnection): ProvenIdentity['email'] {
  const address = textAt(payload, 'email');
  if (address === null) return null;
  // Apple sometimes sends booleans as text.
  const isVerified = [true, 'true'].some((yes) => payload['email_verified'] === yes);
  const isOwn = /@gmail\.com$/i.test(address) || textAt(payload, 'hd') !== null;
  return { address, verified: isVerified && (traits.ownAddressesOnly !== true || isOwn) };
}
