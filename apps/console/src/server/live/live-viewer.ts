import type { ServerResponse } from 'node:http';
import { isPermitted, personalScope, type SystemError } from '@tickrate/contract';
import type { Caller } from '../calls/caller.ts';
import { timeOf } from '../calls/fields.ts';
import { type EventFilter, matches } from './event-filter.ts';
import type { LiveEvent, LiveFeed, LiveTick } from './live-feed.ts';
import type { LiveMasks } from './live-masks.ts';

export interface LiveViewerOptions {
  readonly response: ServerResponse;
  readonly feed: LiveFeed;
  /** Of the feed: a place in one feed means nothing in another one. */
  readonly feedId: string;
  readonly filter: EventFilter;
  readonly masks: LiveMasks;
  readonly now: () => number;
  readonly onSkipped: (events: number) => void;
}

const eventsPerFrame = 100;
/** Two reads come for four frames: what a read brings is spread over them. */
const mostWaiting = 2 * eventsPerFrame;
const heartbeatMs = 15_000;

/**
 * One stream of server-sent events. It keeps at most 200 references to events of the ring, whatever arrives and however
 * slowly it is read: everything else is counted in `skipped`.
 */
export class LiveViewer {
  /** The rights that the next frame is written with. */
  caller: Caller;
  readonly #options: LiveViewerOptions;
  readonly #waiting: LiveEvent[] = [];
  #skipped = 0;
  #unread = 0;
  #place = 0;
  #sentMs: number;
  #writing = false;

  constructor(options: LiveViewerOptions, caller: Caller) {
    this.#options = options;
    this.caller = caller;
    this.#sentMs = options.now();
  }

  offer({ events, unread }: LiveTick): void {
    this.#unread += unread;
    const found = events.filter((event) => matches(this.#options.filter, event));
    this.#waiting.push(...found);
    this.#skip(this.#waiting.length - mostWaiting);
  }

  /** Writes what waits, or a heartbeat when nothing was written for long. Never rejects. */
  async frame(isFirst = false): Promise<void> {
    const { response, now } = this.#options;
    if (this.#writing || this.#hasEnded()) return;
    if (response.writableNeedDrain) {
      // A reader that pauses costs nothing more: it learns how much it missed.
      this.#skip(this.#waiting.length);
      return;
    }
    const isDue = isFirst || this.#waiting.length > 0 || this.#skipped > 0 || this.#unread > 0;
    if (!isDue) {
      if (now() - this.#sentMs >= heartbeatMs) this.#write(`event: heartbeat\ndata: ${this.#status()}\n\n`);
      return;
    }
    this.#writing = true;
    try {
      const events = this.#waiting.splice(0, eventsPerFrame);
      this.#place = Math.max(this.#place, events.at(-1)?.sequence ?? 0);
      const shown = await Promise.all(events.map((event) => this.#show(event)));
      this.#write(`id: ${this.#id(events)}\nevent: events\ndata: ${this.#status(shown)}\n\n`);
      this.#skipped = 0;
      this.#unread = 0;
    } catch {
      // The types could not be read: the events are counted and not shown.
      this.#skipped += eventsPerFrame;
    } finally {
      this.#writing = false;
    }
  }

  /** Ends the stream and says why. A stream that has already ended stays as it is. */
  end(reason: SystemError | null): void {
    if (this.#hasEnded()) return;
    const data = reason === null ? { reason: 'closed' } : { code: reason.code, reason: reason.reason };
    this.#options.response.end(`event: end\ndata: ${JSON.stringify(data)}\n\n`);
  }

  /** Also while a reader that pauses has not read the end yet: a write would then end the process. */
  #hasEnded(): boolean {
    const { destroyed, writableEnded } = this.#options.response;
    return destroyed || writableEnded;
  }

  #skip(events: number): void {
    if (events <= 0) return;
    this.#waiting.splice(0, events);
    this.#skipped += events;
    this.#options.onSkipped(events);
  }

  #id(events: readonly LiveEvent[]): string {
    return `${this.#options.feedId}.${this.#place}.${events.at(-1)?.receivedMs ?? this.#options.now()}`;
  }

  #status(events: readonly object[] = []): string {
    const { feed } = this.#options;
    return JSON.stringify({
      events,
      skipped: this.#skipped,
      unread: this.#unread,
      lagSeconds: feed.lagSeconds(),
      failing: feed.isFailing(),
    });
  }

  #write(text: string): void {
    if (this.#hasEnded()) return;
    this.#sentMs = this.#options.now();
    this.#options.response.write(text);
  }

  async #show(event: LiveEvent): Promise<object> {
    const { eventId, type, version, receivedMs, occurredMs, keyKind, sdkName, sdkVersion } = event;
    const isPersonal = isPermitted(this.caller.scopes, personalScope);
    const personal = (text: string) => (isPersonal && text !== '' ? text : null);
    return {
      eventId,
      type,
      version,
      received: timeOf(receivedMs),
      occurred: timeOf(occurredMs),
      accountId: personal(event.accountId),
      sessionId: personal(event.sessionId),
      clientAddress: personal(event.clientAddress),
      keyKind,
      sdkName,
      sdkVersion,
      event: isPersonal ? event.members() : await this.#options.masks.mask(this.caller.projectId, event),
    };
  }
}
