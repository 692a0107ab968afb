/** The known settings of an issuer: a project then configures only its own ids. */
export interface OpenIdPreset {
  readonly issuers: readonly string[];
  readonly jwksUri: string | null;
  readonly algorithms: readonly string[];
  readonly maxAgeSeconds: number | null;
  /** Claims whose values a project must set. */
  readonly requiredClaims: readonly string[];
  readonly isSandbox: (issuer: string) => boolean;
  readonly traits: OpenIdTraits;
}

export interface OpenIdTraits {
  /** The path of the keys below the issuer. */
  readonly jwksPath?: string;
  /** The path of the claim that names the application of a token. The default is `aud`. */
  readonly audienceClaim?: readonly string[];
  /** Another client of the same application can have requested the token. */
  readonly anyAuthorizedParty?: boolean;
  /** The token contains the nonce or its SHA-256 in hex. */
  readonly hashedNonce?: boolean;
  /** The expected claim `typ`, if one key signs tokens of several kinds. */
  readonly tokenType?: string;
  /** The header `jku` must name the configured keys. It is never followed. */
  readonly comparesJku?: boolean;
  /** Google confirms addresses of its own domains and its customers' domains only. */
  readonly ownAddressesOnly?: boolean;
  /** The claim with the groups of the user. */
  readonly groupsClaim?: string;
}

/** As strict as the standard, where neither a preset nor the project says otherwise. */
export const noPreset: OpenIdPreset = {
  issuers: [],
  jwksUri: null,
  algorithms: ['RS256', 'PS256', 'ES256', 'EdDSA'],
  maxAgeSeconds: null,
  requiredClaims: [],
  isSandbox: () => false,
  traits: {},
};
const rsaOnly = { ...noPreset, algorithms: ['RS256'] };
const oneHourSeconds = 3_600;

export const openIdPresets: Readonly<
  Record<'google' | 'apple' | 'epicGames' | 'eosConnect' | 'nintendo', OpenIdPreset>
> = {
  google: {
    ...rsaOnly,
    issuers: ['https://accounts.google.com', 'accounts.google.com'],
    jwksUri: 'https://www.googleapis.com/oauth2/v3/certs',
    maxAgeSeconds: oneHourSeconds,
    traits: { anyAuthorizedParty: true, ownAddressesOnly: true },
  },
  apple: {
    ...rsaOnly,
    issuers: ['https://appleid.apple.com'],
    jwksUri: 'https://appleid.apple.com/auth/keys',
    maxAgeSeconds: oneHourSeconds,
    traits: { hashedNonce: true },
  },
  epicGames: {
    ...rsaOnly,
    issuers: ['https://api.epicgames.dev/epic/oauth/v2', 'https://api.epicgames.dev/epic/oauth/v1'],
    jwksUri: 'https://api.epicgames.dev/epic/oauth/v2/.well-known/jwks.json',
  },
  eosConnect: {
    ...rsaOnly,
    issuers: ['https://api.epicgames.dev/auth/v1/oauth'],
    jwksUri: 'https://api.epicgames.dev/auth/v1/oauth/jwks',
    // The deployment: live and test deployments use the same client.
    requiredClaims: ['pfdid'],
  },
  nintendo: {
    ...rsaOnly,
    issuers: ['https://e0d67c509fb203858ebcb2fe3f88c2aa.baas.nintendo.com'],
    isSandbox: (issuer) => /-sb\.baas\.nintendo\.com$/i.test(issuer),
    traits: {
      jwksPath: '1.0.0/certificates',
      audienceClaim: ['nintendo', 'ai'],
      tokenType: 'id_token',
      comparesJku: true,
    },
  },
};
