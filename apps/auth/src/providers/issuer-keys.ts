import type { OpenIdConnection } from '@tickrate/contract';
import { createLocalJWKSet, type JSONWebKeySet, type LocalJWKSet } from 'jose';
import { createCachedDocuments, type Found } from './cached-documents.ts';
import { memberAt, textAt } from './member-at.ts';
import type { PlatformClient } from './platform-client.ts';

/** The public keys of issuers, only from the configured or discovered place. */
export interface IssuerKeys {
  /** The address of this issuer's keys. */
  locate(connection: OpenIdConnection, issuer: string): Promise<Found<string>>;
  get(jwksUri: string): Promise<Found<LocalJWKSet>>;
  /** For a key that is not in the cache. */
  renew(jwksUri: string): Promise<Found<LocalJWKSet>>;
}

interface Deps {
  readonly client: PlatformClient;
  readonly now: () => number;
}

const mostKeys = 64;

export function createIssuerKeys(deps: Deps): IssuerKeys {
  const keySets = createCachedDocuments({ ...deps, read: readKeySet });
  const discovered = createCachedDocuments({ ...deps, read: readDiscovery });
  return {
    async locate({ jwksUri, traits }, issuer) {
      if (jwksUri !== null) return { kind: 'found', value: jwksUri };
      if (!URL.canParse(issuer)) return { kind: 'misconfigured', detail: 'its issuer is no address' };
      if (traits.jwksPath !== undefined) return { kind: 'found', value: below(issuer, traits.jwksPath) };
      return discovered.get(below(issuer, discoveryPath));
    },
    get: keySets.get,
    renew: keySets.renew,
  };
}

const discoveryPath = '.well-known/openid-configuration';

function below(issuer: string, path: string): string {
  return `${withoutSlash(issuer)}/${path}`;
}

function withoutSlash(issuer: string): string {
  return issuer.endsWith('/') ? issuer.slice(0, -1) : issuer;
}

/** Ignores a document that names another issuer. */
function readDiscovery(body: unknown, url: string): string | null {
  const issuer = textAt(body, 'issuer');
  const jwksUri = textAt(body, 'jwks_uri');
  if (issuer === null || below(issuer, discoveryPath) !== url) return null;
  return jwksUri !== null && URL.canParse(jwksUri) ? jwksUri : null;
}

/** Only public kinds of keys: everybody would know a secret in a key set. */
function readKeySet(body: unknown): LocalJWKSet | null {
  const listed = memberAt(body, 'keys');
  if (!Array.isArray(listed) || listed.length > mostKeys) return null;
  const keys = listed.filter((key) => ['RSA', 'EC', 'OKP'].includes(textAt(key, 'kty') ?? ''));
  return createLocalJWKSet({ keys } as JSONWebKeySet);
}
