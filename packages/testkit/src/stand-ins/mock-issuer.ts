export interface MockIssuer {
  readonly issuer: string;
  /** A token of this issuer, with these claims over the usual ones; `kid` names one of its keys. */
  sign(claims: Readonly<Record<string, unknown>>, kid?: string): Promise<string>;
  /** Adds a key. */
  addKey(kid: string): Promise<void>;
  stop(): Promise<void>;
}

/** An issuer with discovery and keys: the package oauth2-mock-server. */
export async function startMockIssuer(): Promise<MockIssuer> {
  // Loaded here: every test file imports this package, and few need an issuer.
  const { OAuth2Server } = await import('oauth2-mock-server');
  const server = new OAuth2Server();
  await server.issuer.keys.generate('RS256', { kid: 'first' });
  await server.start(0, '127.0.0.1');
  const issuer = `http://127.0.0.1:${server.address().port}`;
  server.issuer.url = issuer;
  return {
    issuer,
    sign: (claims, kid = 'first') =>
      server.issuer.buildToken({
        kid,
        scopesOrTransform: (_header, payload) => void Object.assign(payload, claims),
      }),
    async addKey(kid) {
      await server.issuer.keys.generate('RS256', { kid });
    },
    stop: () => server.stop(),
  };
}
