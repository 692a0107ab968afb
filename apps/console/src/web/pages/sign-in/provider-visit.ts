import { type BodyOf, call } from '../../api/call.ts';
import { createSecret } from './browser-device.ts';

/** What the exchange accepts instead of a password. */
export interface ProviderToken {
  readonly connectionId: string;
  readonly idToken: string;
  readonly nonce: string;
}

/** Kept in this tab while the user is at the provider. */
interface Visit extends Pick<BodyOf<'PUT /session/provider'>, 'codeVerifier'> {
  readonly state: string;
  readonly nonce: string;
  readonly next: string | undefined;
}

const storageKey = 'tickrate.visit';

/** Leaves for the page of the provider. It sends the browser back to the sign-in page. */
export async function visitProvider(): Promise<void> {
  const codeVerifier = createSecret() + createSecret();
  const visit: Visit = { state: createSecret(), nonce: createSecret(), codeVerifier, next: pageToReturnTo() };
  const { state, nonce } = visit;
  const body = { state, nonce, codeChallenge: await challengeOf(codeVerifier) };
  const { url } = await call('POST /session/provider', { body });
  sessionStorage.setItem(storageKey, JSON.stringify(visit));
  location.assign(url);
}

function pageToReturnTo(): string | undefined {
  const { pathname, search } = location;
  return pathname === '/sign-in' ? (new URLSearchParams(search).get('next') ?? undefined) : pathname + search;
}

async function challengeOf(codeVerifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(codeVerifier));
  const text = btoa(String.fromCharCode(...new Uint8Array(digest)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** How the provider sent the browser back. */
export type ProviderReturn =
  | { readonly kind: 'code'; readonly code: string; readonly visit: Visit }
  /** The user or the provider ended the sign-in. */
  | { readonly kind: 'refused'; readonly error: string }
  /** The sign-in was begun in another browser, or by somebody else. */
  | { readonly kind: 'unknown' };

/** Null for a sign-in page that no provider opened. */
export function readReturn(): ProviderReturn | null {
  const given = new URLSearchParams(location.hash.slice(1));
  const state = given.get('state');
  if (state === null) return null;
  const stored = sessionStorage.getItem(storageKey);
  const visit: Visit | null = stored === null ? null : JSON.parse(stored);
  if (visit?.state !== state) return { kind: 'unknown' };
  const code = given.get('code');
  if (code === null) return { kind: 'refused', error: given.get('error') ?? '' };
  return { kind: 'code', code, visit };
}

/** A visit is valid for one return. */
export function endVisit(): void {
  sessionStorage.removeItem(storageKey);
  history.replaceState(history.state, '', location.pathname);
}

export async function redeemCode({ code, visit }: ProviderReturn & { kind: 'code' }): Promise<ProviderToken> {
  const { codeVerifier, nonce } = visit;
  const token = await call('PUT /session/provider', { body: { code, codeVerifier } });
  return { ...token, nonce };
}
