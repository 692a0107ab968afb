import type { GroupRole } from '@tickrate/accounts';
import { type ProviderSettings, resolveConnection, systemError } from '@tickrate/contract';
import { ConfigFault } from '@tickrate/platform';
import { decodeJwt, type JWTPayload } from 'jose';
import type { AuthEvents } from '../auth-events.ts';
import type { AuthValues } from '../config.ts';
import { createCachedDocuments, type Found } from '../providers/cached-documents.ts';
import { createCircuitBreaker } from '../providers/circuit-breaker.ts';
import { memberAt, textAt } from '../providers/member-at.ts';
import { createOutboundHttp, type OutboundRequest } from '../providers/outbound-http.ts';
import { createPlatformClient } from '../providers/platform-client.ts';
import { readGroupRules } from './group-rules.ts';

/** What a client makes for one sign-in and keeps; `codeChallenge` is of its PKCE verifier. */
export interface ProviderVisit {
  readonly state: string;
  readonly nonce: string;
  readonly codeChallenge: string;
}

/** The OpenID Connect provider of the studio, which signs administrators in: a client with a secret, as the operator configured it. */
export interface StudioProvider {
  readonly name: string;
  /** Administrators cannot sign in with a password. */
  readonly isOnly: boolean;
  /** How its ID tokens are verified. */
  readonly settings: ProviderSettings;
  /** The roles of these groups, in the order of the rules. */
  rolesOf(groups: readonly string[]): readonly GroupRole[];
  /** The page of the provider, from which the browser returns to the console. Rejects with 5001 or 6003. */
  signInUrl(visit: ProviderVisit): Promise<string>;
  /** The ID token for the code of a return, and claims that it lacks. Rejects with 4002, 5001 or 6003. */
  redeem(
    code: string,
    codeVerifier: string,
  ): Promise<{ readonly idToken: string; readonly claims: JWTPayload }>;
  /** What the operator must mend, as far as the provider shows it now; null for nothing. */
  findFault(): Promise<string | null>;
  close(): void;
}

/** The connection of its ID tokens, as `oAuthTokens` name it. */
export const studioConnection = 'studio';

interface Endpoints {
  readonly issuer: string;
  readonly authorization: string;
  readonly token: string;
  readonly userinfo: string | null;
  /** The client secret is sent in the header and not in the form. */
  readonly byHeader: boolean;
}

interface Deps {
  readonly now: () => number;
  readonly events: Pick<AuthEvents, 'studioProviderFault'>;
}

/** Null unless one is configured. Throws a ConfigFault for settings that are incomplete. */
export function createStudioProvider(values: AuthValues, { now, events }: Deps): StudioProvider | null {
  const { adminOidcIssuer: issuer, adminOidcClientId: clientId, adminOidcClientSecret: secret } = values;
  refuseIncomplete(values);
  if (issuer === null || clientId === null) return null;
  // The operator named this issuer, so it may be at a private address.
  const http = createOutboundHttp({ development: true });
  const client = createPlatformClient(http, createCircuitBreaker(now));
  const documents = createCachedDocuments({ client, now, read: readEndpoints });
  const rules = readGroupRules(values.adminOidcGroups);
  const redirectUri = `${values.consoleUrl.replace(/\/$/, '')}/sign-in`;

  function misconfigured(detail: string): Error {
    events.studioProviderFault(detail);
    return systemError('providerMisconfigured', { invalidConfigurationReason: 'openId' }, { fields: detail });
  }
  async function ask(url: string, request: Pick<OutboundRequest, 'form' | 'headers'>) {
    const { signal } = new AbortController();
    const answer = await client.askJson({ url: new URL(url), signal, ...request });
    if (answer.kind === 'unavailable') throw unavailable(answer.retryAfterSeconds);
    if (answer.kind === 'misconfigured') throw misconfigured(`${url}: ${answer.detail}`);
    return answer;
  }
  const find = () => documents.get(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  const endpoints = async (): Promise<Endpoints> => {
    const found = await find();
    if (found.kind === 'unavailable') throw unavailable(found.retryAfterSeconds);
    const fault = faultOf(found, issuer);
    if (found.kind === 'misconfigured' || fault !== null) throw misconfigured(fault ?? found.kind);
    return found.value;
  };

  /** From userinfo, if the ID token lacks the groups or the address: many providers give them only there. */
  async function findMissing(held: JWTPayload, accessToken: string | null): Promise<JWTPayload> {
    const { userinfo } = await endpoints();
    const missing = ['name', values.adminOidcGroupsClaim].filter(
      (claim) => memberAt(held, claim) === undefined,
    );
    if (textAt(held, 'email') === null) missing.push('email', 'email_verified');
    if (userinfo === null || accessToken === null || missing.every((claim) => claim === 'name')) return {};
    const { status, body } = await ask(userinfo, { headers: { authorization: `Bearer ${accessToken}` } });
    if (status !== 200 || memberAt(body, 'sub') !== held.sub) {
      throw misconfigured(
        `${userinfo} answered ${status} without claims of this user: let the ID token contain the groups and the address`,
      );
    }
    return Object.fromEntries(missing.map((claim) => [claim, memberAt(body, claim) ?? null]));
  }

  return {
    name: values.adminOidcName ?? new URL(issuer).host,
    isOnly: values.adminOidcOnly,
    settings: settingsOf(values, { issuer, clientId }),
    rolesOf: (groups) => rules.filter(({ group }) => groups.includes(group)),
    async signInUrl({ state, nonce, codeChallenge }) {
      const url = new URL((await endpoints()).authorization);
      const query = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: values.adminOidcScopes.join(' '),
        state,
        nonce,
        code_challenge: codeChallenge,
        code_challenge_method: 'S256',
      };
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
      return url.href;
    },
    async redeem(code, codeVerifier) {
      const { token, byHeader } = await endpoints();
      const { headers, proof } = proveClient(clientId, secret, byHeader);
      const form = new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: clientId,
        code,
        redirect_uri: redirectUri,
        code_verifier: codeVerifier,
        ...proof,
      });
      const { status, body } = await ask(token, { form, headers });
      const idToken = status === 200 ? textAt(body, 'id_token') : null;
      const held = idToken === null ? null : claimsIn(idToken);
      if (idToken !== null && held !== null) {
        return { idToken, claims: await findMissing(held, textAt(body, 'access_token')) };
      }
      const error = textAt(body, 'error') ?? `it answered ${status} without an ID token`;
      if (error === 'invalid_grant') throw codeInvalid();
      throw misconfigured(
        `the provider refused the client (${error}): check ADMIN_OIDC_CLIENT_ID, ADMIN_OIDC_CLIENT_SECRET and the redirect address ${redirectUri}`,
      );
    },
    findFault: async () => faultOf(await find(), issuer),
    close: http.close,
  };
}

function refuseIncomplete(values: AuthValues): void {
  const { adminOidcIssuer: issuer, adminOidcClientId: clientId } = values;
  if (issuer !== null && clientId === null) {
    throw new ConfigFault([{ name: 'ADMIN_OIDC_CLIENT_ID', fault: 'is required with ADMIN_OIDC_ISSUER' }]);
  }
  const alone = {
    ADMIN_OIDC_CLIENT_ID: clientId !== null,
    ADMIN_OIDC_GROUPS: values.adminOidcGroups.length > 0,
    ADMIN_OIDC_ONLY: values.adminOidcOnly,
    ADMIN_OIDC_TRUST_ADDRESSES: values.adminOidcTrustAddresses,
  };
  const names = issuer === null ? Object.entries(alone).filter(([, isSet]) => isSet) : [];
  if (names.length > 0) {
    throw new ConfigFault(
      names.map(([name]) => ({ name, fault: 'has no effect without ADMIN_OIDC_ISSUER: set it too' })),
    );
  }
}

function settingsOf(
  { adminOidcGroupsClaim: groupsClaim }: AuthValues,
  { issuer, clientId }: { readonly issuer: string; readonly clientId: string },
): ProviderSettings {
  // With the tolerance, less than the ten minutes for which claims of userinfo are remembered.
  const given = { clientIds: [clientId], issuers: [issuer], maxAgeSeconds: 540 };
  const rules = { testMode: false };
  const { connection } = resolveConnection(studioConnection, { ...given, nonce: 'required' }, rules);
  const openId = new Map([[studioConnection, { ...connection, traits: { groupsClaim } }]]);
  return { ...noProviders, openId };
}

/** Administrators sign in with no provider of a project, and with no device. */
export const noProviders: ProviderSettings = {
  testMode: false,
  device: false,
  steam: null,
  itchIo: null,
  discord: null,
  openId: new Map(),
};

function readEndpoints(body: unknown): Endpoints | null {
  const issuer = textAt(body, 'issuer');
  const authorization = textAt(body, 'authorization_endpoint');
  const token = textAt(body, 'token_endpoint');
  if (issuer === null || authorization === null || token === null) return null;
  if (!URL.canParse(authorization) || !URL.canParse(token)) return null;
  const userinfo = textAt(body, 'userinfo_endpoint');
  if (userinfo !== null && !URL.canParse(userinfo)) return null;
  const methods = memberAt(body, 'token_endpoint_auth_methods_supported');
  const byHeader = !Array.isArray(methods) || methods.includes('client_secret_basic');
  return { issuer, authorization, token, userinfo, byHeader };
}

function claimsIn(idToken: string): JWTPayload | null {
  try {
    return decodeJwt(idToken);
  } catch {
    return null;
  }
}

function faultOf(found: Found<Endpoints>, issuer: string): string | null {
  if (found.kind !== 'found') {
    const isOfCertificate = /CERT|ISSUER|SELF_SIGNED|VERIFY/.test(found.detail);
    const advice = isOfCertificate
      ? 'its certificate is not valid for this name or not trusted; for an authority of your own, set NODE_EXTRA_CA_CERTS to its PEM file'
      : 'check ADMIN_OIDC_ISSUER, and that this host can reach it';
    return `${issuer}: ${found.detail}: ${advice}`;
  }
  return found.value.issuer === issuer
    ? null
    : `${issuer} calls itself ${found.value.issuer}: set ADMIN_OIDC_ISSUER to exactly this`;
}

/** What proves the client, as headers and as members of the form. */
function proveClient(clientId: string, secret: string | null, byHeader: boolean) {
  if (secret === null) return { headers: {}, proof: {} };
  if (!byHeader) return { headers: {}, proof: { client_secret: secret } };
  const text = [clientId, secret].map(encodeURIComponent).join(':');
  return { headers: { authorization: `Basic ${Buffer.from(text).toString('base64')}` }, proof: {} };
}

function codeInvalid(): Error {
  const fields = 'the provider does not know this code any more: sign in again';
  return systemError('tokenInvalid', { objectContext: 'openId' }, { fields });
}

function unavailable(retryAfterSeconds: number): Error {
  return systemError('identityProviderUnavailable', { objectContext: 'openId', retryAfterSeconds });
}
