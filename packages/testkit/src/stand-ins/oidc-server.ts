import { createHash, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';

export interface OidcServer {
  readonly issuer: string;
  readonly clientId: string;
  /** Signs in like a browser, with forms and redirects, and returns the ID token. The login becomes the subject. */
  signIn(login: string, nonce?: string): Promise<string>;
  /** Opens this page of the provider, signs in there, and returns the address to which the provider sends the browser. */
  visit(url: string, login: string): Promise<string>;
  stop(): Promise<void>;
}

type Claims = Readonly<Record<string, unknown>>;

interface OidcServerOptions {
  /** Where the client gets its codes. */
  readonly redirectUri?: string;
  /** Of the client; without it, PKCE alone protects its codes. */
  readonly clientSecret?: string;
  /** The claims of a user besides the subject, for the scopes `profile`, `email` and `groups`. */
  readonly claimsOf?: (login: string) => Claims;
  /** The ID token contains the subject only, and `userinfo` the claims of the scopes. */
  readonly hasThinTokens?: boolean;
  /** Changes an answer of `userinfo`. */
  readonly changeUserinfo?: (claims: Claims) => Claims;
}

const clientId = 'tickrate-game';
const gameUri = 'https://game.example/signed-in';
const verifier = 'a-code-verifier-of-sufficient-length-for-the-standard';

/** A certified OpenID provider: the package oidc-provider, with its forms for development. */
export async function startOidcServer(options: OidcServerOptions = {}): Promise<OidcServer> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('The provider has no TCP address');
  const issuer = `http://127.0.0.1:${bound.port}`;
  server.on('request', await createHandler(issuer, options));
  return {
    issuer,
    clientId,
    signIn: (login, nonce) => signIn(issuer, login, nonce),
    visit: (url, login) => visit(issuer, url, login),
    stop: () => close(server),
  };
}

async function createHandler(
  issuer: string,
  {
    redirectUri = gameUri,
    clientSecret,
    claimsOf = () => ({}),
    hasThinTokens = false,
    changeUserinfo = (claims) => claims,
  }: OidcServerOptions,
): Promise<RequestListener> {
  const { Provider } = await import('oidc-provider');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = { ...privateKey.export({ format: 'jwk' }), kid: 'signing', use: 'sig', alg: 'RS256' };
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        redirect_uris: [redirectUri],
        response_types: ['code'],
        grant_types: ['authorization_code'],
        ...(clientSecret === undefined
          ? { token_endpoint_auth_method: 'none' }
          : { client_secret: clientSecret, token_endpoint_auth_method: 'client_secret_basic' }),
      },
    ],
    cookies: { keys: ['of a test'] },
    jwks: { keys: [key] },
    scopes: ['groups'],
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'], groups: ['groups'] },
    conformIdTokenClaims: hasThinTokens,
    findAccount: (_context, login) => ({
      accountId: login,
      claims: async () => ({ sub: login, ...claimsOf(login) }),
    }),
    features: { devInteractions: { enabled: true } },
  });
  provider.use(async (context, next) => {
    await next();
    if (context['oidc']?.route === 'userinfo') context.body = changeUserinfo(context.body as Claims);
  });
  return provider.callback();
}

async function signIn(issuer: string, login: string, nonce?: string): Promise<string> {
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: gameUri,
    response_type: 'code',
    scope: 'openid',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...(nonce === undefined ? {} : { nonce }),
  });
  const landed = await visit(issuer, `${issuer}/auth?${query}`, login);
  const code = new URL(landed).searchParams.get('code') ?? '';
  const answer = await fetch(`${issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: clientId,
      code,
      redirect_uri: gameUri,
      code_verifier: verifier,
    }),
  });
  const { id_token: idToken } = (await answer.json()) as { id_token?: string };
  if (idToken === undefined) throw new Error(`The provider gave no ID token: ${answer.status}`);
  return idToken;
}

async function visit(issuer: string, url: string, login: string): Promise<string> {
  const browser = createBrowser(issuer);
  const loginForm = await browser.follow(url);
  const consentForm = await browser.follow(loginForm, { prompt: 'login', login, password: 'any' });
  return browser.follow(consentForm, { prompt: 'consent' });
}

/** Keeps cookies, and follows redirects until a form, or until they leave the provider. */
function createBrowser(issuer: string) {
  const cookies = new Map<string, string>();
  return {
    async follow(start: string, form?: Readonly<Record<string, string>>): Promise<string> {
      let url = start;
      let body = form === undefined ? null : new URLSearchParams(form);
      while (url.startsWith(issuer)) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const method = body === null ? 'GET' : 'POST';
        const answer: Response = await fetch(url, { method, body, headers: { cookie }, redirect: 'manual' });
        await answer.arrayBuffer();
        for (const each of answer.headers.getSetCookie()) {
          const [pair = ''] = each.split(';');
          cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
        }
        const location = answer.headers.get('location');
        if (location === null) return url;
        url = new URL(location, url).href;
        body = null;
      }
      return url;
    },
  };
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
