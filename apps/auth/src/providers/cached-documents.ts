import { RecentMap } from '@tickrate/platform';
import { memberAt } from './member-at.ts';
import type { PlatformAnswer, PlatformClient } from './platform-client.ts';

export type Found<T> =
  | { readonly kind: 'found'; readonly value: T }
  | Exclude<PlatformAnswer, { kind: 'json' }>;

/** Documents that rarely change, such as the keys of an issuer. Never rejects. */
interface CachedDocuments<T> {
  /** Returns the cached document if it is fresh, else fetches it, else returns the cached one if it is not too old. */
  get(url: string): Promise<Found<T>>;
  /** Fetches the document for a value that the cached one lacks: at most every 30 s, for all callers together. */
  renew(url: string): Promise<Found<T>>;
}

interface CachedDocumentsOptions<T> {
  readonly client: PlatformClient;
  readonly now: () => number;
  /** Null when the document is invalid. */
  readonly read: (body: unknown, url: string) => T | null;
}

const documentAges = { freshMs: 10 * 60_000, staleMs: 24 * 60 * 60_000, renewMs: 30_000 } as const;
const firstTryMs = 1_000;
const mostDocuments = 1_000;

interface Entry<T> {
  value: T | null;
  fetchedMs: number;
  triedMs: number;
  failure: Found<T>;
  flight: Promise<void> | null;
}

export function createCachedDocuments<T>(options: CachedDocumentsOptions<T>): CachedDocuments<T> {
  const { now } = options;
  const entries = new RecentMap<string, Entry<T>>(mostDocuments);

  function entryOf(url: string): Entry<T> {
    const found = entries.get(url);
    if (found !== undefined) return found;
    const failure: Found<T> = { kind: 'unavailable', retryAfterSeconds: 5, detail: 'it was not asked yet' };
    const entry: Entry<T> = {
      value: null,
      fetchedMs: 0,
      triedMs: Number.NEGATIVE_INFINITY,
      failure,
      flight: null,
    };
    entries.set(url, entry);
    return entry;
  }

  async function renew(url: string): Promise<Found<T>> {
    const entry = entryOf(url);
    const pauseMs = entry.value === null ? firstTryMs : documentAges.renewMs;
    if (entry.flight === null && now() - entry.triedMs >= pauseMs) {
      entry.triedMs = now();
      entry.flight = fetchInto(entry, url, options).finally(() => {
        entry.flight = null;
      });
    }
    await entry.flight;
    const usable = entry.value !== null && now() - entry.fetchedMs <= documentAges.staleMs;
    return usable && entry.value !== null ? { kind: 'found', value: entry.value } : entry.failure;
  }

  return {
    async get(url) {
      const { value, fetchedMs } = entryOf(url);
      const isFresh = value !== null && now() - fetchedMs < documentAges.freshMs;
      return isFresh ? { kind: 'found', value } : renew(url);
    },
    renew,
  };
}

async function fetchInto<T>(
  entry: Entry<T>,
  url: string,
  { client, now, read }: CachedDocumentsOptions<T>,
): Promise<void> {
  // Callers share one fetch, so no caller's deadline ends it. It has its own timeout.
  const { signal } = new AbortController();
  const answer = await client.askJson({ url: new URL(url), signal });
  if (answer.kind !== 'json') {
    entry.failure = answer;
    return;
  }
  const value = answer.status === 200 && memberAt(answer.body) !== null ? read(answer.body, url) : null;
  if (value === null) {
    const detail = `it answered ${answer.status} with something else than expected`;
    entry.failure = { kind: 'unavailable', retryAfterSeconds: 5, detail };
    return;
  }
  entry.value = value;
  entry.fetchedMs = now();
}
