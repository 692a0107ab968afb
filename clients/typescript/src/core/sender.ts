import type { Accounts } from './accounts.ts';
import { type Addresses, discover } from './addresses.ts';
import { adviseOn } from './advice.ts';
import { backoffMs, type Decision, decide, type RawAnswer } from './answer.ts';
import { type Buffer, isGone, type Segment } from './buffer.ts';
import type { ClientParts } from './parts.ts';
import type { Remembered } from './remembered.ts';
import { gzip, request } from './request.ts';
import { bodyOf, readName } from './segment.ts';

const sdk = 'tickrate-js/0.1.0';

export interface SenderDeps {
  readonly parts: ClientParts;
  readonly remembered: Remembered;
  readonly accounts: Accounts;
  readonly addresses: Addresses;
  readonly buffer: Buffer;
}

/** Sends segment after segment while there are any. One loop runs at a time, with one request. */
export class Sender {
  readonly #deps: SenderDeps;
  /** The page or app may end at any moment. */
  isHidden = false;
  /** Nothing is sent until the key, the player or the consent changes. */
  isStopped = false;
  #attempt = 0;
  #running: Promise<void> | null = null;
  #runAgain = false;
  #abort = new AbortController();
  #wake: () => void = () => undefined;

  constructor(deps: SenderDeps) {
    this.#deps = deps;
  }

  run(): void {
    const { parts, remembered } = this.#deps;
    if (this.isStopped || remembered.state.consent !== 'granted') return;
    this.#runAgain = this.#running !== null;
    this.#running ??= this.#sendAll()
      .catch((error: unknown) => parts.tell('send', `sending stopped: ${String(error)}`))
      .finally(() => {
        this.#running = null;
        if (this.#runAgain) this.run();
      });
  }

  /** Ends a backoff, but not a wait that the server asked for. */
  hurry(): void {
    this.#wake();
    this.run();
  }

  /** Like `hurry`, and begins the backoff anew. */
  retry(): void {
    this.#attempt = 0;
    this.hurry();
  }

  async discover(): Promise<void> {
    const { addresses, parts, remembered } = this.#deps;
    if (remembered.state.consent === 'granted') await discover(addresses, parts, this.#abort.signal);
  }

  /** Ends what is being sent. The next `run` begins anew. */
  abort(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
  }

  /** Sends nothing more. Resolves when the loop has ended. */
  async close(): Promise<void> {
    this.#abort.abort();
    await this.#running;
  }

  /** Sends the text of a segment in a request that outlives its page, while the segment is still written. */
  leave(segment: Segment, text: string): Promise<(() => Promise<void>) | null> | null {
    const { parts, remembered, accounts, addresses } = this.#deps;
    const apiKey = accounts.knownKey(segment.principal);
    const isPossible = remembered.state.consent === 'granted' && !this.isStopped && segment.bytes < 60_000;
    if (!this.isHidden || !apiKey || !isPossible) return null;
    const { signal } = this.#abort;
    const query = new URLSearchParams({ apiKey, ...this.#identify(segment) });
    const sent = {
      url: `${addresses.events}/v1/event/multiInsert?${query}`,
      method: 'POST',
      // Without a preflight.
      headers: { 'Content-Type': 'text/plain' },
      body: bodyOf(text),
      keepalive: true,
    };
    return request(parts.platform, sent, signal).then((answer) =>
      answer.status === 200 ? () => this.#heed(segment, answer, signal) : null,
    );
  }

  async #sendAll(): Promise<void> {
    const { buffer, accounts } = this.#deps;
    const { signal } = this.#abort;
    while (!signal.aborted && !this.isStopped) {
      await buffer.sealed();
      buffer.bound();
      const waiting = buffer.segments.filter(({ sealing }) => !sealing);
      if (waiting.length === 0) return;
      if (await this.#sendFirst(waiting, signal)) continue;
      const principals = buffer.segments.map(({ principal }) => principal);
      const waitMs = await accounts.signInFor(principals, signal);
      if (waitMs === null) return;
      const { backoffToMs = 300_000 } = this.#deps.parts.options.tuning ?? {};
      if (waitMs > 0) await this.#sleep(Math.min(waitMs, Math.max(backoffToMs, 1)), signal);
    }
  }

  /** Sends the first segment whose owner has a key. False if there is none. */
  async #sendFirst(waiting: readonly Segment[], signal: AbortSignal): Promise<boolean> {
    const { accounts, buffer } = this.#deps;
    for (const segment of waiting) {
      const key = await accounts.keyFor(segment.principal, signal);
      if (!key || !buffer.segments.includes(segment)) continue;
      await this.#sendOne(segment, key, signal);
      return true;
    }
    return false;
  }

  async #sendOne(segment: Segment, key: string, signal: AbortSignal): Promise<void> {
    const { parts, buffer } = this.#deps;
    segment.isSending = true;
    try {
      const body = bodyOf(await parts.store.read(segment.place));
      await this.#heed(segment, await this.#put(segment, { key, body, signal }), signal);
    } catch (error) {
      if (isGone(error)) buffer.drop(segment);
      else {
        parts.tell('read', `a segment cannot be read: ${String(error)}`);
        await this.#sleep(backoffMs(this.#attempt++, parts.platform.random()), signal);
      }
    } finally {
      segment.isSending = false;
    }
  }

  async #put(
    segment: Segment,
    { key, body, signal }: { key: string; body: string; signal: AbortSignal },
  ): Promise<RawAnswer> {
    const { parts, addresses } = this.#deps;
    const packed = body.length < 1024 ? null : await gzip(body);
    const { clientTime, idempotencyKey } = this.#identify(segment);
    const headers = {
      'X-API-Key': key,
      'Idempotency-Key': idempotencyKey,
      'X-Client-Time': clientTime,
      'X-Tickrate-SDK': sdk,
      'Content-Type': 'application/x-ndjson',
      ...(packed && { 'Content-Encoding': 'gzip' }),
    };
    const url = `${addresses.events}/v1/event/multiInsert`;
    return request(parts.platform, { url, method: 'PUT', headers, body: packed ?? body }, signal);
  }

  /** `X-Client-Time` and the key of a segment's request. */
  #identify({ clock, place }: Segment): { clientTime: string; idempotencyKey: string } {
    const { wallMs, monotonicMs } = this.#deps.parts.platform;
    const clientMs = clock === null ? wallMs() : clock + monotonicMs();
    const idempotencyKey = readName(`${place.name}.seal`)?.key ?? '';
    return { clientTime: String(Math.max(0, Math.round(clientMs))), idempotencyKey };
  }

  async #heed(segment: Segment, answer: RawAnswer, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { options, platform, tell } = this.#deps.parts;
    const { backoffFromMs: fromMs = 1000, backoffToMs: toMs = 300_000 } = options.tuning ?? {};
    const decision = decide(answer, this.#attempt, { random: platform.random(), fromMs, toMs });
    if (options.debug) adviseOn(answer, decision, { nowMs: platform.wallMs(), tell });
    await this.#obey(segment, decision);
    if (decision.delayMs > 0) await this.#sleep(decision.delayMs, signal, decision.action === 'retry');
  }

  async #obey(segment: Segment, { action, rejected, code }: Decision): Promise<void> {
    const { parts, remembered, accounts, buffer } = this.#deps;
    const { store } = parts;
    // A page that ended had sent the segment, with more lines at its end than its record has.
    const isStored = code === 8010 && segment.wasOpen === true;
    if (action === 'retry') this.#attempt++;
    else if (action === 'delete' || isStored) {
      this.#attempt = 0;
      await store.remove(segment.place);
      buffer.drop(segment);
      if (rejected > 0) remembered.lose('rejected', rejected);
    } else if (action === 'setAside') {
      await store.setAside(segment.place);
      buffer.drop(segment);
      remembered.lose('refused', segment.events);
      if (code === 8010) parts.tell('8010', 'a segment was changed after it was sent; it was set aside');
    } else if (action === 'split' && segment.events > 1) await buffer.split(segment);
    else if (action === 'split') {
      await store.remove(segment.place);
      buffer.drop(segment);
      remembered.lose('rejected', 1);
    } else if (action === 'signIn') accounts.endSession(segment.principal);
    else if (action === 'stop') this.isStopped = true;
  }

  #sleep(ms: number, signal: AbortSignal, isWakeable = true): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(done, Math.min(ms, 2 ** 31 - 1));
      (timer as { unref?: () => void }).unref?.();
      this.#wake = isWakeable ? done : () => undefined;
      signal.addEventListener('abort', done);
      function done() {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      }
    });
  }
}
