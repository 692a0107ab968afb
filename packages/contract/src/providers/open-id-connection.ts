import Type, { type Static } from 'typebox';
import { closedObject } from '../json/schema-shapes.ts';
import { noPreset, type OpenIdPreset, openIdPresets } from './open-id-presets.ts';

const url = Type.String({ pattern: '^https?://[^\\s?#]+$', maxLength: 512 });
const name = Type.String({ minLength: 1, maxLength: 255 });

/** Asymmetric algorithms only: a public key of the issuer can never be used as a shared secret. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
] as const;

export const openIdSettingsSchema = closedObject({
  preset: Type.Optional(Type.Enum(['google', 'apple', 'epicGames', 'eosConnect', 'nintendo'])),
  /** The required audience of a token. It cannot be absent. */
  clientIds: Type.Array(name, { minItems: 1, maxItems: 32 }),
  /** An issuer with several names has more than one. Identities are stored under the first. */
  issuers: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 512 }), { minItems: 1, maxItems: 8 }),
  ),
  authorizedParties: Type.Optional(Type.Array(name, { maxItems: 32 })),
  /** If absent, it is found by discovery. */
  jwksUri: Type.Optional(url),
  algorithms: Type.Optional(Type.Array(Type.Enum([...algorithms]), { minItems: 1, maxItems: 10 })),
  nonce: Type.Optional(Type.Enum(['whenPresent', 'required', 'ignored'], { default: 'whenPresent' })),
  /** Accepts every token only once, also a token without a nonce. */
  singleUse: Type.Optional(Type.Boolean({ default: false })),
  maxAgeSeconds: Type.Optional(Type.Integer({ minimum: 60, maximum: 86_400 })),
  /** Claims that must have exactly these values. */
  claims: Type.Optional(Type.Record(Type.String({ pattern: '^[A-Za-z0-9_.:/-]{1,64}$' }), name)),
});

export interface OpenIdConnection {
  readonly connectionId: string;
  /** Never empty. The first names the tenant. */
  readonly issuers: readonly string[];
  readonly jwksUri: string | null;
  readonly clientIds: readonly string[];
  readonly authorizedParties: readonly string[];
  readonly algorithms: readonly string[];
  readonly nonce: 'whenPresent' | 'required' | 'ignored';
  readonly singleUse: boolean;
  readonly maxAgeSeconds: number | null;
  readonly claims: Readonly<Record<string, string>>;
  readonly traits: OpenIdPreset['traits'];
}

/** Settings of the project apply where the preset leaves them open. All others are as strict as the standard. */
export function resolveConnection(
  connectionId: string,
  given: Static<typeof openIdSettingsSchema>,
  { testMode }: { readonly testMode: boolean },
) {
  const preset: OpenIdPreset = given.preset === undefined ? noPreset : openIdPresets[given.preset];
  const issuers = given.issuers ?? preset.issuers;
  const connection: OpenIdConnection = {
    connectionId,
    issuers,
    jwksUri: given.jwksUri ?? preset.jwksUri,
    clientIds: given.clientIds,
    authorizedParties: given.authorizedParties ?? [],
    algorithms: given.algorithms ?? preset.algorithms,
    nonce: given.nonce ?? 'whenPresent',
    singleUse: given.singleUse ?? false,
    maxAgeSeconds: given.maxAgeSeconds ?? preset.maxAgeSeconds,
    claims: given.claims ?? {},
    traits: preset.traits,
  };
  const missing = preset.requiredClaims.filter((claim) => !Object.hasOwn(connection.claims, claim));
  const faults = missing.map((claim) => `claims: ${claim} is needed`);
  if (issuers.length === 0) faults.push('issuers: required without a preset');
  if (!testMode && issuers.some((issuer) => preset.isSandbox(issuer))) {
    faults.push('issuers: a sandbox, and the project is not in test mode');
  }
  return { connection, faults };
}
