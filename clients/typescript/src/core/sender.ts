import { type Action, backoffMs, decide, type RawAnswer } from './answer.ts';
import { silence } from './core.ts';
import type { LossReason } from './options.ts';
import { gzip, request, traceHeader } from './request.ts';
import { bodyOf, keyOf } from './segment.ts';
import type { Segment, WithSegments } from './segments.ts';

const sdk = 'tickrate-js/0.1.0';
const mostTimerMs = 2 ** 31 - 1;

/**
 * Sends segment after segment, one request at a time.
 *
 * - idle: nothing to send, or the consent does not allow it
 * - sending: the oldest segment whose owner has a session is on its way
 * - waiting: after an answer that asked for it. `flushSoon` ends a backoff, but not a wait that the server asked for
 * - stopped: the server refused the key. `resume` begins anew
 *
 * idle → `sendSoon` → sending → (answer) → sending, waiting, stopped or idle; `abort` → idle
 */
export class Sender {
  private readonly core: WithSegments;
  /** The page or app may end at any moment. */
  isHidden = false;
  #isStopped = false;
  #attempt = 0;
  /** Resolves when nothing is being sent. */
  sending: Promise<void> | null = null;
  #isSendDue = false;
  #wake: () => void = silence;

  constructor(core: WithSegments) {
    this.core = core;
  }

  /** Whether the key and the consent allow to send. */
  get maySend(): boolean {
    return !this.#isStopped && this.core.deviceState.saved.consent === 'granted';
  }

  sendSoon(): void {
    if (!this.maySend) return;
    this.#isSendDue = this.sending !== null;
    this.sending ??= this.#sendAll()
      .catch((error) => this.core.report('send', error))
      .finally(() => {
        this.sending = null;
        if (this.#isSendDue) this.sendSoon();
      });
  }

  /** Ends a backoff, which then begins anew, but not a wait that the server asked for. */
  flushSoon(): void {
    this.#attempt = 0;
    this.#wake();
    this.sendSoon();
  }

  /** The key, the player or the consent changed: what stopped the sending may be over. */
  resume(): void {
    this.#isStopped = false;
    this.flushSoon();
  }

  /**
   * Sends the text of a segment in a request that outlives its page, while the segment is still written. What it resolves
   * with is called when the segment is written.
   */
  async sendFromLeavingPage(segment: Segment, text: string): Promise<(() => Promise<void>) | undefined> {
    const apiKey = this.core.accounts.knownKey(segment.principal);
    if (!this.isHidden || !apiKey || !this.maySend || segment.segmentBytes >= 60_000) return;
    const { signal } = this.core.connection;
    const [idempotencyKey, clientTime] = this.#identify(segment);
    const body = bodyOf(text);
    const answer = await request(
      this.core.platform,
      {
        url: `${this.#address}?${new URLSearchParams({ apiKey, clientTime, idempotencyKey })}`,
        method: 'POST',
        // Without a preflight.
        headers: { 'Content-Type': 'text/plain' },
        body,
        keepalive: true,
      },
      signal,
    );
    return answer.status === 200 ? () => this.#handleAnswer({ segment, signal, body }, answer) : undefined;
  }

  async #sendAll(): Promise<void> {
    const { signal } = this.core.connection;
    while (!signal.aborted && !this.#isStopped) {
      await this.core.segments.allSealed();
      this.core.segments.enforceBounds();
      const waiting = this.core.segments.sealed.filter(({ sealing }) => !sealing);
      if (!waiting.length) return;
      await this.core.connection.findAddresses();
      if (await this.#sendFirst(waiting, signal)) continue;
      const waitMs = await this.core.accounts.signInFor(
        this.core.segments.sealed.map(({ principal }) => principal),
      );
      if (waitMs === null) return;
      await this.#sleep(Math.min(waitMs, this.core.tuned.backoffToMs), { signal });
    }
  }

  /** Sends the first segment whose owner has a key. False if there is none. */
  async #sendFirst(waiting: readonly Segment[], signal: AbortSignal): Promise<boolean> {
    for (const segment of waiting) {
      const key = await this.core.accounts.keyFor(segment.principal);
      if (!key || !this.core.segments.sealed.includes(segment)) continue;
      segment.isSending = true;
      try {
        const body = bodyOf(await this.core.store.read(segment.place));
        await this.#handleAnswer({ segment, signal, body }, await this.#put(segment, { key, body, signal }));
      } catch (error) {
        if (!this.core.segments.isGone(segment, error)) {
          this.core.report('read', error);
          await this.#sleep(backoffMs(this.#attempt++, this.core.platform.random()), { signal });
        }
      } finally {
        segment.isSending = false;
      }
      return true;
    }
    return false;
  }

  async #put(
    segment: Segment,
    { key, body, signal }: { key: string; body: string; signal: AbortSignal },
  ): Promise<RawAnswer> {
    const packed = body.length < 1024 ? null : await gzip(body);
    const [idempotencyKey, clientTime] = this.#identify(segment);
    return request(
      this.core.platform,
      {
        url: this.#address,
        method: 'PUT',
        headers: {
          'X-API-Key': key,
          'Idempotency-Key': idempotencyKey,
          'X-Client-Time': clientTime,
          'X-Tickrate-SDK': sdk,
          'Content-Type': 'application/x-ndjson',
          ...(packed && { 'Content-Encoding': 'gzip' }),
          ...traceHeader(this.core.options.traceparent),
        },
        body: packed ?? body,
      },
      signal,
    );
  }

  /** The key of a segment's request, and its `X-Client-Time`. */
  #identify({ clock, place }: Segment): [key: string, clientTime: string] {
    const clientMs = clock === null ? this.core.platform.wallMs() : clock + this.core.platform.monotonicMs();
    return [keyOf(place), String(Math.max(0, Math.round(clientMs)))];
  }

  async #handleAnswer(
    { segment, signal, body }: { segment: Segment; signal: AbortSignal; body: string },
    answer: RawAnswer,
  ): Promise<void> {
    if (signal.aborted) return;
    const { platform, tuned } = this.core;
    const decision = decide(answer, this.#attempt, {
      random: platform.random(),
      fromMs: tuned.backoffFromMs,
      toMs: tuned.backoffToMs,
    });
    this.core.report('answer', {
      answer,
      decision,
      nowMs: platform.wallMs(),
      url: this.core.connection.eventsUrl,
      body,
    });
    const { action, code, rejected, delayMs } = decision;
    // A page that ended had sent the segment, with more lines at its end than its record has.
    const isStored = code === 8010 && segment.wasOpen;
    await this.#apply(segment, { action: isStored ? 'delete' : action, rejected });
    if (action === 'setAside' && code === 8010 && !isStored) this.core.report('changed');
    await this.#sleep(delayMs, { signal, isWakeable: action === 'retry' });
  }

  async #apply(segment: Segment, { action, rejected }: { action: Action; rejected: number }): Promise<void> {
    const { events, place } = segment;
    const settle = async (done: Promise<void>, reason: LossReason, lost: number) => {
      await done;
      this.core.segments.remove(segment);
      if (lost) this.core.deviceState.countLoss(reason, lost);
    };
    switch (action) {
      case 'retry':
        this.#attempt++;
        break;
      case 'delete':
        this.#attempt = 0;
        return settle(this.core.store.remove(place), 'rejected', rejected);
      case 'setAside':
        return settle(this.core.store.setAside(place), 'refused', events);
      case 'split':
        return events > 1
          ? this.core.segments.split(segment)
          : settle(this.core.store.remove(place), 'rejected', 1);
      case 'signIn':
        this.core.accounts.endSession(segment.principal);
        break;
      case 'stop':
        this.#isStopped = true;
        break;
      case 'wait':
      case 'pause':
    }
  }

  async #sleep(
    ms: number,
    { signal, isWakeable = true }: { signal: AbortSignal; isWakeable?: boolean },
  ): Promise<void> {
    if (signal.aborted || ms <= 0) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, Math.min(ms, mostTimerMs));
      (timer as { unref?: () => void }).unref?.();
      this.#wake = isWakeable ? done : silence;
      signal.addEventListener('abort', done);
    });
  }

  get #address(): string {
    return `${this.core.connection.eventsUrl}/v1/event/multiInsert`;
  }
}
