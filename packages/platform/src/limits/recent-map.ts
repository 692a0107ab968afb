const setsBetweenWeighings = 16;

/**
 * A map that keeps the most recently used entries: at least those of the first half of its capacity, and never more than
 * its capacity. It has two generations instead of a list: a hit on a young entry costs one look-up and moves nothing.
 * When the young generation is full, it becomes the old one, and the entries of the old one are dropped.
 *
 * Each entry counts as 1, or as its weight. A weight can grow while an entry is used, so all entries are weighed again
 * from time to time. One entry that is heavier than the capacity stays alone.
 */
export class RecentMap<K, V> {
  readonly #capacity: number;
  readonly #weigh: ((value: V) => number) | null;
  #young = new Map<K, V>();
  #old = new Map<K, V>();
  #youngWeight = 0;
  #oldWeight = 0;
  #sets = 0;

  constructor(capacity: number, weigh: ((value: V) => number) | null = null) {
    if (!(capacity >= 2)) throw new RangeError(`Invalid capacity: expected at least 2, got ${capacity}`);
    this.#capacity = capacity;
    this.#weigh = weigh;
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  get(key: K): V | undefined {
    const value = this.#young.get(key);
    if (value !== undefined) return value;
    const older = this.#old.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: K, value: V): void {
    this.delete(key);
    if (this.#weigh !== null && ++this.#sets % setsBetweenWeighings === 0) this.#weighAll();
    const weight = this.#weightOf(value);
    if (this.#youngWeight + weight > Math.floor(this.#capacity / 2)) this.#age();
    this.#young.set(key, value);
    this.#youngWeight += weight;
    if (this.#youngWeight + this.#oldWeight > this.#capacity) this.#dropOld();
  }

  delete(key: K): void {
    const young = this.#young.get(key);
    if (young !== undefined) {
      this.#young.delete(key);
      this.#youngWeight -= this.#weightOf(young);
    }
    const old = this.#old.get(key);
    if (old !== undefined) {
      this.#old.delete(key);
      this.#oldWeight -= this.#weightOf(old);
    }
  }

  clear(): void {
    this.#young.clear();
    this.#youngWeight = 0;
    this.#dropOld();
  }

  #age(): void {
    this.#old = this.#young;
    this.#oldWeight = this.#youngWeight;
    this.#young = new Map();
    this.#youngWeight = 0;
  }

  #dropOld(): void {
    this.#old.clear();
    this.#oldWeight = 0;
  }

  #weightOf(value: V): number {
    return this.#weigh === null ? 1 : this.#weigh(value);
  }

  #weighAll(): void {
    const sum = (values: Iterable<V>) => {
      let weight = 0;
      for (const value of values) weight += this.#weightOf(value);
      return weight;
    };
    this.#youngWeight = sum(this.#young.values());
    this.#oldWeight = sum(this.#old.values());
  }
}
