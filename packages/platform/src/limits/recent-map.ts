/**
 * A map that keeps at least the `capacity / 2` and at most the `capacity` most recently used entries. It has two
 * generations in place of a list: a hit on a young entry costs one look-up and moves nothing. When the young generation
 * is full, it becomes the old one and the entries of the old one are dropped.
 */
export class RecentMap<K, V> {
  readonly #generationSize: number;
  #young = new Map<K, V>();
  #old = new Map<K, V>();

  constructor(capacity: number) {
    if (!(capacity >= 2)) throw new RangeError(`Invalid capacity: expected at least 2, got ${capacity}`);
    this.#generationSize = Math.floor(capacity / 2);
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
    this.#old.delete(key);
    if (this.#young.size >= this.#generationSize && !this.#young.has(key)) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }

  delete(key: K): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
  }
}
