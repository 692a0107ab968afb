const periodMs = 1_000;

/** Counts the requests of each connection within the last one to two seconds. */
export class ActiveSenders {
  #recent = new Map<object, number>();
  #before = new Map<object, number>();
  #recentRequests = 0;
  #beforeRequests = 0;
  #sinceMs = 0;

  /** Of all connections. */
  get requests(): number {
    return this.#recentRequests + this.#beforeRequests;
  }

  /** Counts one request. Returns how many there were of this connection. */
  note(sender: object, nowMs: number): number {
    if (Math.abs(nowMs - this.#sinceMs) >= periodMs) {
      const isNext = nowMs - this.#sinceMs < 2 * periodMs;
      this.#before = isNext ? this.#recent : new Map();
      this.#beforeRequests = isNext ? this.#recentRequests : 0;
      this.#recent = new Map();
      this.#recentRequests = 0;
      this.#sinceMs = nowMs;
    }
    const count = (this.#recent.get(sender) ?? 0) + 1;
    this.#recent.set(sender, count);
    this.#recentRequests += 1;
    return count + (this.#before.get(sender) ?? 0);
  }
}
