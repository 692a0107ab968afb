import { parseStored, type RecentEvent, type RecentEvents, type RecentReader } from '@tickrate/warehouse';

/** An event in the ring of a feed. Viewers share it. */
export interface LiveEvent extends RecentEvent {
  /** Its place in the feed: 1, 2, 3, … */
  readonly sequence: number;
  readonly members: () => Readonly<Record<string, unknown>>;
}

export interface LiveTick {
  readonly events: readonly LiveEvent[];
  /** Events that arrived faster than they are read. Nobody knows whether a filter matches them. */
  readonly unread: number;
}

export interface LiveFeedOptions {
  readonly projectId: string;
  readonly warehouse: RecentReader;
  readonly now: () => number;
  readonly onTick: (tick: LiveTick) => void;
  readonly onFault: (error: unknown) => void;
  readonly mostEvents?: number;
}

const ringEvents = 5_000;
/** How much later than a newer event another one may be stored, and still be shown. */
const overlapMs = 15_000;
/** What the first viewer sees of the past. */
const pastMs = 5 * 60_000;
/** Where few arrived in it, the last events of a longer time: wider only while there are few, as each is a larger read. */
const quietPastsMs = [3_600_000, 86_400_000, 30 * 86_400_000];
const fewestOfPast = 50;

/**
 * Reads the stored events of one project in their order of arrival, for all viewers of this process. It keeps the newest
 * 5,000 events, and the chunks of the last 15 seconds, so that late ones are found and none is shown twice.
 */
export class LiveFeed {
  readonly #options: LiveFeedOptions;
  readonly #ring: LiveEvent[] = [];
  readonly #known = new Map<string, number>();
  readonly #openedMs: number;
  #sequence = 0;
  #newestMs: number;
  /** Nothing was read yet, and nobody was here before. */
  #isNew: boolean;
  #lagMs = 0;
  #failingSinceMs: number | null = null;
  #reading: Promise<void> | null = null;

  constructor(options: LiveFeedOptions, sinceMs: number | null = null) {
    this.#options = options;
    const nowMs = options.now();
    this.#openedMs = nowMs;
    this.#isNew = sinceMs === null;
    this.#newestMs = Math.max(nowMs - pastMs, Math.min(sinceMs ?? 0, nowMs)) + overlapMs;
  }

  /** Reads once; at most one read runs. Never rejects. */
  tick(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  /** The newest events after a place, oldest first. */
  after(sequence: number): readonly LiveEvent[] {
    return this.#ring.filter((event) => event.sequence > sequence);
  }

  /** How many events the ring no longer has of those after a place. */
  lostAfter(sequence: number): number {
    const oldest = this.#ring[0]?.sequence ?? this.#sequence + 1;
    return Math.max(0, oldest - 1 - sequence);
  }

  /**
   * How much later than it arrived the newest event was read, or for how long nothing could be read. Events of before the feed
   * opened are not late.
   */
  lagSeconds(): number {
    const { now } = this.#options;
    const lagMs = this.#failingSinceMs === null ? this.#lagMs : now() - this.#failingSinceMs + this.#lagMs;
    return Math.max(0, Math.round(lagMs) / 1000);
  }

  isFailing(): boolean {
    return this.#failingSinceMs !== null;
  }

  async #read(): Promise<void> {
    const { projectId, warehouse, now, onFault, mostEvents = ringEvents } = this.#options;
    const request = {
      projectId,
      mostEvents,
      sinceMs: this.#newestMs - overlapMs,
      isKnown: (chunkId: string) => this.#known.has(chunkId),
    };
    const startedMs = now();
    try {
      let recent = await warehouse.recentEvents(request);
      for (const quietMs of this.#isNew ? quietPastsMs : []) {
        if (recent.events.length >= fewestOfPast) break;
        const last = { ...request, sinceMs: startedMs - quietMs, mostEvents: fewestOfPast };
        recent = { ...(await warehouse.recentEvents(last)), leftOut: 0 };
      }
      this.#isNew = false;
      this.#keep(recent);
      this.#failingSinceMs = null;
    } catch (error) {
      this.#failingSinceMs ??= startedMs;
      onFault(error);
    }
  }

  #keep({ chunks, events, leftOut }: RecentEvents): void {
    const nowMs = this.#options.now();
    let newestMs = this.#newestMs;
    for (const chunk of chunks) {
      this.#known.set(chunk.chunkId, chunk.newestMs);
      newestMs = Math.max(newestMs, chunk.newestMs);
    }
    // The clock of a gateway can be ahead: what follows must not be skipped.
    this.#newestMs = Math.min(newestMs, Math.max(nowMs, this.#newestMs));
    for (const [chunkId, atMs] of this.#known) {
      if (atMs < this.#newestMs - overlapMs) this.#known.delete(chunkId);
    }
    const newest = events.at(-1);
    this.#lagMs = newest === undefined ? 0 : Math.max(0, nowMs - Math.max(newest.receivedMs, this.#openedMs));
    if (events.length === 0 && leftOut === 0) return;
    const added = events.map((event) => this.#place(event));
    this.#ring.push(...added);
    if (this.#ring.length > ringEvents) this.#ring.splice(0, this.#ring.length - ringEvents);
    this.#options.onTick({ events: added, unread: leftOut });
  }

  #place(event: RecentEvent): LiveEvent {
    let parsed: Readonly<Record<string, unknown>> | null = null;
    this.#sequence++;
    return {
      ...event,
      sequence: this.#sequence,
      members() {
        parsed ??= parseStored(event.text);
        return parsed;
      },
    };
  }
}
