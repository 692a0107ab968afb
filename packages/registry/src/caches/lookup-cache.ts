import { RecentMap } from '@tickrate/platform';
import { PostgresUnavailable } from '@tickrate/postgres';

export interface LookupCacheOptions<V> {
  /** Looks up many keys in one query. A key that is not in the result does not exist. */
  readonly load: (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>;
  /** False if the cached entries are too old to be served. */
  readonly trusted: () => boolean;
  /** The limit of values, or the limit of their total size if their sizes differ much. */
  readonly maxPresent: number | { readonly weight: number; readonly weigh: (value: V) => number };
  readonly maxAbsent: number;
  /** The limit of waiting and running look-ups. Further look-ups fail with PostgresUnavailable. */
  readonly maxPending?: number;
}

interface Flight<V> {
  readonly promise: Promise<V | null>;
  readonly resolve: (value: V | null) => void;
  readonly reject: (error: unknown) => void;
  /** A change was seen since its query started, so the result may be older than the change. */
  outdated: boolean;
}

const batchSize = 500;
const parallelBatches = 2;

/**
 * Returns known entries immediately, queries each unknown key once for all callers, and batches queries while the
 * database is busy: a flood of unknown keys becomes two queries at a time. Absence is cached separately, so it evicts
 * no present entry.
 * The states of an entry are: unknown → (get) in flight → present | absent → (invalidated or evicted) unknown.
 * An invalidation during a flight repeats the query, so that no result from before the change is cached.
 */
export class LookupCache<V> {
  readonly #options: LookupCacheOptions<V>;
  readonly #present: RecentMap<string, V>;
  readonly #absent: RecentMap<string, true>;
  readonly #flights = new Map<string, Flight<V>>();
  #waiting: string[] = [];
  #running = 0;

  constructor(options: LookupCacheOptions<V>) {
    this.#options = options;
    const { maxPresent } = options;
    this.#present =
      typeof maxPresent === 'number'
        ? new RecentMap(maxPresent)
        : new RecentMap(maxPresent.weight, maxPresent.weigh);
    this.#absent = new RecentMap(options.maxAbsent);
  }

  /** Synchronous for a known key. The promise rejects with PostgresUnavailable if Postgres is unavailable. */
  get(key: string): V | null | Promise<V | null> {
    if (this.#options.trusted()) {
      const value = this.#present.get(key);
      if (value !== undefined) return value;
      if (this.#absent.get(key)) return null;
    }
    return this.#flights.get(key)?.promise ?? this.#startFlight(key);
  }

  invalidate(key: string): void {
    this.#present.delete(key);
    this.#absent.delete(key);
    const flight = this.#flights.get(key);
    if (flight) flight.outdated = true;
  }

  clear(): void {
    this.#present.clear();
    this.#absent.clear();
    for (const flight of this.#flights.values()) flight.outdated = true;
  }

  #startFlight(key: string): Promise<V | null> {
    if (this.#flights.size >= (this.#options.maxPending ?? 10_000)) {
      return Promise.reject(new PostgresUnavailable('overloaded'));
    }
    const flight = { ...Promise.withResolvers<V | null>(), outdated: false };
    this.#flights.set(key, flight);
    this.#waiting.push(key);
    this.#startBatches();
    return flight.promise;
  }

  #startBatches(): void {
    while (this.#running < parallelBatches && this.#waiting.length > 0) {
      const keys = this.#waiting.slice(0, batchSize);
      this.#waiting = this.#waiting.slice(batchSize);
      this.#running += 1;
      void this.#runBatch(keys).finally(() => {
        this.#running -= 1;
        this.#startBatches();
      });
    }
  }

  async #runBatch(keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      const flight = this.#flights.get(key);
      if (flight) flight.outdated = false;
    }
    try {
      const found = await this.#options.load(keys);
      for (const key of keys) this.#land(key, found.get(key) ?? null);
    } catch (error) {
      for (const key of keys) this.#takeFlight(key)?.reject(error);
    }
  }

  #land(key: string, value: V | null): void {
    if (this.#flights.get(key)?.outdated) {
      this.#waiting.push(key);
      return;
    }
    if (value === null) this.#absent.set(key, true);
    else this.#present.set(key, value);
    this.#takeFlight(key)?.resolve(value);
  }

  #takeFlight(key: string): Flight<V> | undefined {
    const flight = this.#flights.get(key);
    this.#flights.delete(key);
    return flight;
  }
}
