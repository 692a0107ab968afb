import { readObject } from './answer.ts';
import type { Options } from './options.ts';
import type { ClientParts } from './parts.ts';
import { request } from './request.ts';

/** Where requests go. */
export interface Addresses {
  events: string;
  sessions: string;
}

export function addressesOf({ url, sessionsUrl = url }: Options): Addresses {
  return { events: trimmed(url), sessions: trimmed(sessionsUrl) };
}

/** Takes over the addresses that the server tells, if it tells any. */
export async function discover(
  addresses: Addresses,
  { platform, options }: ClientParts,
  signal: AbortSignal,
): Promise<void> {
  const sent = { url: `${addresses.events}/.well-known/tickrate`, method: 'GET', headers: {} };
  const { status, text } = await request(platform, sent, signal);
  if (status !== 200) return;
  const { events, sessions } = readObject(text);
  if (isAddress(events)) addresses.events = trimmed(events);
  if (isAddress(sessions) && options.sessionsUrl === undefined) addresses.sessions = trimmed(sessions);
}

function isAddress(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\//.test(value);
}

function trimmed(url: string): string {
  return url.replace(/\/+$/, '');
}
