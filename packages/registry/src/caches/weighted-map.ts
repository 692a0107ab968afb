const setsBetweenWeighings = 16;

/**
 * Remembers what was used last, as long as all of it together weighs no more than `most`. What an entry weighs may grow
 * while it is used, so all are weighed anew after every few that are added.
 */
export class WeightedMap<K, V> {
  readonly #most: number;
  readonly #weigh: (value: V) => number;
  /** The last one was used last. */
  readonly #entries = new Map<K, { readonly value: V; weight: number }>();
  #weight = 0;
  #sets = 0;
  /** The key of the last entry, which need not be moved to the end again. */
  #last: K | null = null;

  constructor(most: number, weigh: (value: V) => number) {
    this.#most = most;
    this.#weigh = weigh;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: K): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (key !== this.#last) {
      this.#entries.delete(key);
      this.#entries.set(key, entry);
      this.#last = key;
    }
    return entry.value;
  }

  set(key: K, value: V): void {
    this.delete(key);
    if (++this.#sets % setsBetweenWeighings === 0) this.#weighAll();
    const weight = this.#weigh(value);
    this.#entries.set(key, { value, weight });
    this.#last = key;
    this.#weight += weight;
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#most || this.#entries.size === 1) return;
      this.delete(oldest);
    }
  }

  delete(key: K): void {
    this.#weight -= this.#entries.get(key)?.weight ?? 0;
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#weight = 0;
  }

  #weighAll(): void {
    this.#weight = 0;
    for (const entry of this.#entries.values()) {
      entry.weight = this.#weigh(entry.value);
      this.#weight += entry.weight;
    }
  }
}
