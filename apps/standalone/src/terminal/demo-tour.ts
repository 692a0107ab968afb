import { setTimeout as delay } from 'node:timers/promises';
import type { Paint } from './paint.ts';

export interface TourParts {
  /** The address of the console. */
  readonly console: string;
  /** A sign-in link of the owner of the installation, who alone sees the tour from every project. It is used up. */
  readonly link: string;
  readonly paint: Paint;
  readonly signal: AbortSignal;
}

interface Stop {
  readonly title: string;
  readonly text: string;
  readonly path: string;
}

const tries = 100;
const pauseMs = 300;
/** What the console requires of its own pages. */
const ofPage = { 'Sec-Fetch-Site': 'same-origin', 'X-Tickrate-Console': '1' };

/** The links through the demo, once its project exists. Null if it is not created in time, or if the signal fires. */
export async function tourText({ console: origin, link, paint, signal }: TourParts): Promise<string | null> {
  const cookie = await signIn(origin, link, signal);
  if (cookie === null) return null;
  try {
    const stops = await untilStops({ origin, cookie, signal });
    if (stops === null) return null;
    const links = stops.map(
      ({ title, text, path }) => `  ${title.padEnd(13)}${paint.dim(text)}\n  ${origin}${path}`,
    );
    return ['', paint.strong('Ember Arena plays. A tour:'), ...links].join('\n');
  } finally {
    await signOut(origin, cookie);
  }
}

/** Null if the console does not accept the link. */
async function signIn(origin: string, link: string, signal: AbortSignal): Promise<string | null> {
  const token = new URL(link).hash.replace('#link=', '');
  try {
    const answer = await fetch(`${origin}/session/link`, {
      method: 'POST',
      headers: { ...ofPage, 'Content-Type': 'application/json' },
      body: JSON.stringify({ token }),
      signal,
    });
    const [cookie] = answer.headers.getSetCookie();
    return cookie?.split(';')[0] ?? null;
  } catch {
    return null;
  }
}

/** The session ends by itself, if not now. */
async function signOut(origin: string, cookie: string): Promise<void> {
  const headers = { ...ofPage, Cookie: cookie };
  await fetch(`${origin}/session`, { method: 'DELETE', headers }).catch(() => undefined);
}

interface Asking {
  readonly origin: string;
  readonly cookie: string;
  readonly signal: AbortSignal;
}

async function untilStops(asking: Asking): Promise<readonly Stop[] | null> {
  for (let left = tries; left > 0 && !asking.signal.aborted; left -= 1) {
    const stops = await readStops(asking);
    if (stops.length > 0) return stops;
    await delay(pauseMs, undefined, { signal: asking.signal }).catch(() => undefined);
  }
  return null;
}

async function readStops({ origin, cookie, signal }: Asking): Promise<readonly Stop[]> {
  try {
    const answer = await fetch(`${origin}/v1/demo`, { headers: { ...ofPage, Cookie: cookie }, signal });
    const body: unknown = await answer.json();
    const tour = typeof body === 'object' && body !== null && 'tour' in body ? body.tour : [];
    return Array.isArray(tour) ? tour : [];
  } catch {
    return [];
  }
}
