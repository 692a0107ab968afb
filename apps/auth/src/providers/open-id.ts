import { createHash } from 'node:crypto';
import type { OpenIdConnection } from '@tickrate/contract';
import {
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  jwtVerify,
  type LocalJWKSet,
  type ProtectedHeaderParameters,
} from 'jose';
import type { Found } from './cached-documents.ts';
import { identityOf, objectionTo, toleranceSeconds } from './id-token-claims.ts';
import type { IssuerKeys } from './issuer-keys.ts';
import { verdictWithout } from './platform-client.ts';
import type { Provider, TokenVerdict } from './provider.ts';

/** Records a used token. Resolves with whether this is the first use; rejects when it is unknown. */
export type SpendToken = (hash: string, expiresMs: number) => Promise<boolean>;

interface OpenIdDeps {
  readonly keys: IssuerKeys;
  readonly spendToken: SpendToken;
  /** More claims of the user, for tokens of which the connection has groups. */
  readonly moreClaims: (hash: string) => Promise<JWTPayload>;
  readonly now: () => number;
}

interface Candidate {
  readonly connection: OpenIdConnection;
  readonly idToken: string;
  readonly nonce: string | null;
}

const mostCharacters = 16_384;

/** ID tokens of any issuer that a project names. A token never decides where its key comes from. */
export function createOpenIdProvider(deps: OpenIdDeps): Provider {
  return async ({ settings, fields }) => {
    const { connectionId, idToken, nonce = null } = fields;
    const connection = settings.openId.get(connectionId ?? '');
    if (connection === undefined) return { status: 'notConfigured', detail: 'this connection' };
    const candidate = { connection, idToken: idToken ?? '', nonce };
    const opened = open(candidate);
    if (opened === null) return rejected('not a token of this issuer');
    const verdict = await verify(deps, candidate, opened);
    return 'payload' in verdict ? judge(deps, candidate, verdict.payload) : verdict;
  };
}

interface Opened {
  readonly header: ProtectedHeaderParameters;
  readonly issuer: string;
}

/** Rejects other shapes, algorithms and issuers without a call. */
function open({ connection, idToken }: Candidate): Opened | null {
  if (idToken.length > mostCharacters || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(idToken)) return null;
  try {
    const header = decodeProtectedHeader(idToken);
    const { iss: issuer } = decodeJwt(idToken);
    if (!connection.algorithms.includes(header.alg ?? '')) return null;
    // Access tokens and logout tokens are signed with the same keys, and name their type here.
    if (header.typ !== undefined && header.typ.toUpperCase() !== 'JWT') return null;
    return issuer !== undefined && connection.issuers.includes(issuer) ? { header, issuer } : null;
  } catch {
    return null;
  }
}

async function verify(
  { keys, now }: OpenIdDeps,
  { connection, idToken }: Candidate,
  { header, issuer }: Opened,
): Promise<TokenVerdict | { readonly payload: JWTPayload }> {
  const located = await keys.locate(connection, issuer);
  if (located.kind !== 'found') return failed(located);
  if (connection.traits.comparesJku && header.jku !== undefined && header.jku !== located.value) {
    return rejected('jku');
  }
  const check = async (found: Found<LocalJWKSet>) => {
    if (found.kind !== 'found') return failed(found);
    const { payload } = await jwtVerify(idToken, found.value, {
      algorithms: [...connection.algorithms],
      issuer,
      clockTolerance: toleranceSeconds,
      currentDate: new Date(now()),
      requiredClaims: ['exp', 'sub'],
    });
    return { payload };
  };
  try {
    const held = await keys.get(located.value);
    return await check(held).catch(async (error: unknown) => {
      if (!isOfUnknownKey(error)) throw error;
      return check(await keys.renew(located.value));
    });
  } catch (error) {
    return verdictOn(error);
  }
}

/** Issuers also replace a key without giving it another id. */
function isOfUnknownKey(error: unknown): boolean {
  return error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWSSignatureVerificationFailed;
}

function verdictOn(error: unknown): TokenVerdict {
  if (error instanceof errors.JWTExpired) return { status: 'expired', detail: 'exp' };
  if (error instanceof errors.JWTClaimValidationFailed) return rejected(error.claim);
  if (error instanceof errors.JOSEError) return rejected(error.code);
  throw error;
}

async function judge(deps: OpenIdDeps, candidate: Candidate, payload: JWTPayload): Promise<TokenVerdict> {
  const { connection, idToken, nonce } = candidate;
  const objection = objectionTo(payload, { connection, nonce, nowMs: deps.now() });
  if (objection !== null) return rejected(objection);
  const hash = hashOf(idToken);
  const more = connection.traits.groupsClaim === undefined ? {} : await deps.moreClaims(hash);
  const isBound = payload['nonce'] !== undefined && connection.nonce !== 'ignored';
  if (connection.singleUse || isBound) {
    const expiresMs = ((payload.exp ?? 0) + toleranceSeconds) * 1000;
    if (!(await deps.spendToken(hash, expiresMs))) {
      return { status: 'alreadyUsed', detail: 'a token that may be used once' };
    }
  }
  return { status: 'accepted', identity: identityOf({ ...payload, ...more }, connection) };
}

/** Without the signature, which can be written in several ways. */
export function hashOf(idToken: string): string {
  return createHash('sha256')
    .update(idToken.slice(0, idToken.lastIndexOf('.')))
    .digest('hex');
}

function failed(found: Exclude<Found<unknown>, { kind: 'found' }>): TokenVerdict {
  return verdictWithout(found, "the issuer's keys");
}

function rejected(detail: string): TokenVerdict {
  return { status: 'rejected', detail };
}
