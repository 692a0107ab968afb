import { backoffMs, type RawAnswer, readObject } from './answer.ts';
import type { Session } from './options.ts';
import type { Platform } from './platform.ts';
import { request } from './request.ts';
import { type DeviceToken, readDevice } from './saved-state.ts';

export interface SessionAddress {
  readonly url: string;
  readonly key: string;
}

/** Reads the session of a complete sign-in; null of any other answer. */
export function readSession(answer: Readonly<Record<string, unknown>>): Session | null {
  const found = answer['authenticatedSession'];
  if (typeof found !== 'object' || found === null) return null;
  const { apiKey, accountId, start, expiry } = found as Record<string, unknown>;
  if (typeof apiKey !== 'string' || typeof accountId !== 'string') return null;
  const device = readDevice(answer['issuedDeviceToken']);
  return {
    apiKey,
    accountId,
    start: Number(start),
    expiry: Number(expiry),
    ...(device && { device }),
  };
}

/** The session of this device's own account, or how long to wait. `null` means that only the player can sign in. */
export async function signInDevice(
  platform: Platform,
  address: SessionAddress,
  sign: { device: DeviceToken | null; requestKey: string; attempt: number; signal: AbortSignal },
): Promise<Session | { readonly waitMs: number } | null> {
  const { device, requestKey, attempt, signal } = sign;
  const answer = await authenticate(platform, address, {
    body: { tokens: { deviceTokens: [device ?? { deviceId: 'new' }] } },
    requestKey,
    signal,
  });
  const session = answer.status === 200 ? readSession(readObject(answer.text)) : null;
  if (session) return session;
  const body = readObject(answer.text);
  const isFinal = answer.status === 200 ? 'exchangeId' in body : isRefusal(answer.status);
  if (isFinal) return null;
  const data = body['data'] as Record<string, unknown> | undefined;
  const told = Number(data?.['retryAfterSeconds']) || 0;
  return { waitMs: told * 1000 + backoffMs(attempt, platform.random()) };
}

function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

export function authenticate(
  platform: Platform,
  { url, key }: SessionAddress,
  sent: { body: object; requestKey: string; signal: AbortSignal; path?: string; method?: string },
): Promise<RawAnswer> {
  const { path = 'authenticate', method = 'PUT' } = sent;
  return request(
    platform,
    {
      url: `${url}/2018-03-24/${path}`,
      method,
      headers: {
        'X-API-Key': key,
        'Content-Type': 'application/json',
        'Idempotency-Key': sent.requestKey,
      },
      body: JSON.stringify(sent.body),
    },
    sent.signal,
  );
}

/** The same session with a later end; null if it cannot be renewed. */
export async function renew(
  platform: Platform,
  url: string,
  { session, signal }: { session: Session; signal: AbortSignal },
): Promise<Session | null> {
  const answer = await request(
    platform,
    {
      url: `${url}/2018-03-24/session`,
      method: 'POST',
      headers: { 'X-API-Key': session.apiKey, 'Content-Type': 'application/json' },
      body: '{}',
    },
    signal,
  );
  const { start, expiry } = readObject(answer.text);
  if (answer.status !== 200 || typeof expiry !== 'number') return null;
  return { ...session, start: Number(start), expiry };
}
