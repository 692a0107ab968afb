const periodMs = 1_000;

/**
 * Counts the connections that sent something within the last one to two seconds. If all of them wait for an answer,
 * nobody is left who could send more.
 */
export class ActiveSenders {
  #recent = new Set<object>();
  #before = new Set<object>();
  #sinceMs = 0;

  get count(): number {
    return this.#recent.size + this.#before.size;
  }

  note(sender: object, nowMs: number): void {
    if (Math.abs(nowMs - this.#sinceMs) >= periodMs) {
      this.#before = nowMs - this.#sinceMs < 2 * periodMs ? this.#recent : new Set();
      this.#recent = new Set();
      this.#sinceMs = nowMs;
    }
    if (this.#recent.has(sender)) return;
    this.#before.delete(sender);
    this.#recent.add(sender);
  }
}
