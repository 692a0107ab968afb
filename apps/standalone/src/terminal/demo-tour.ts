import { setTimeout as delay } from 'node:timers/promises';
import type { Paint } from './paint.ts';

export interface TourParts {
  /** The address of the console. */
  readonly console: string;
  /** An administrative key of any project. */
  readonly key: string;
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

/** The links through the demo, once its project exists. Null if it is not created in time, or if the signal fires. */
export async function tourText({ console: origin, key, paint, signal }: TourParts): Promise<string | null> {
  for (let left = tries; left > 0 && !signal.aborted; left -= 1) {
    const stops = await readStops(origin, key, signal);
    if (stops.length > 0) {
      const links = stops.map(
        ({ title, text, path }) =>
          `  ${title.padEnd(13)}${origin}${path}\n  ${' '.repeat(13)}${paint.dim(text)}`,
      );
      return ['', paint.strong('Ember Arena plays. A tour:'), ...links].join('\n');
    }
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
  return null;
}

async function readStops(origin: string, key: string, signal: AbortSignal): Promise<Stop[]> {
  try {
    const answer = await fetch(`${origin}/v1/demo`, { headers: { 'X-API-Key': key }, signal });
    const body: unknown = await answer.json();
    const tour = typeof body === 'object' && body !== null && 'tour' in body ? body.tour : [];
    return Array.isArray(tour) ? tour : [];
  } catch {
    return [];
  }
}
