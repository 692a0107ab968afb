import type { ServerResponse } from 'node:http';
import { SystemError, systemError } from '@tickrate/contract';
import type { Component } from '@tickrate/platform';
import type { RecentReader } from '@tickrate/warehouse';
import type { ConsoleEvents } from '../../console-events.ts';
import type { Caller } from '../calls/caller.ts';
import type { EventFilter } from './event-filter.ts';
import { LiveFeed } from './live-feed.ts';
import type { LiveMasks } from './live-masks.ts';
import { LiveViewer } from './live-viewer.ts';

export interface LiveHubOptions {
  readonly warehouse: RecentReader;
  readonly masks: LiveMasks;
  readonly now: () => number;
  readonly newId: () => string;
  readonly events: ConsoleEvents;
}

export interface LiveStream {
  readonly response: ServerResponse;
  readonly caller: Caller;
  readonly filter: EventFilter;
  /** Who may still see what, asked every second. A rejection with a SystemError ends the stream. */
  readonly recheck: () => Promise<Caller>;
  /** Null for a new viewer. */
  readonly lastEventId: string | null;
  /** Ends the stream after this time. */
  readonly mostMs: number | null;
}

export interface LiveHub extends Required<Pick<Component, 'name' | 'drain' | 'stop'>> {
  /** Writes the stream and resolves when it has ended. Throws 6002 for too many streams of one key or project. */
  open(stream: LiveStream): Promise<void>;
}

interface Watched {
  readonly feed: LiveFeed;
  readonly feedId: string;
  /** They get what is read. */
  readonly viewers: Set<LiveViewer>;
  /** All that keep the feed, also those that wait for their first read. */
  readonly streams: Set<LiveViewer>;
  readonly reader: NodeJS.Timeout;
}

const readEveryMs = 500;
const frameEveryMs = 250;
const recheckEveryMs = 1_000;
const mostStreams = 500;
const mostStreamsOfKey = 10;
/** A key can make further keys, but they are all of its project. */
const mostStreamsOfProject = 100;
const backfilledEvents = 100;

/** The live streams of this process: one reader for each project that somebody watches, and one viewer for each stream. */
export function createLiveHub(options: LiveHubOptions): LiveHub {
  const { warehouse, masks, now, newId, events } = options;
  const watched = new Map<string, Watched>();
  const open = new Map<LiveViewer, Caller>();
  let isClosed = false;
  events.liveViewers(() => open.size);

  function watch(projectId: string, sinceMs: number | null): Watched {
    const found = watched.get(projectId);
    if (found !== undefined) return found;
    const viewers = new Set<LiveViewer>();
    const feed = new LiveFeed(
      {
        projectId,
        warehouse,
        now,
        onFault: (error) => events.dependencyFault('warehouse', error),
        onTick(tick) {
          for (const viewer of viewers) viewer.offer(tick);
        },
      },
      sinceMs,
    );
    const reader = setInterval(() => void feed.tick(), readEveryMs);
    const made: Watched = { feed, viewers, streams: new Set(), feedId: newId(), reader };
    watched.set(projectId, made);
    return made;
  }

  function leave(projectId: string, viewer: LiveViewer): void {
    open.delete(viewer);
    const found = watched.get(projectId);
    found?.viewers.delete(viewer);
    found?.streams.delete(viewer);
    if (found === undefined || found.streams.size > 0) return;
    clearInterval(found.reader);
    watched.delete(projectId);
  }

  /** A project without streams can open one beyond the limit of all, so that others cannot lock it out. */
  function requireCapacity({ principal, projectId }: Caller): void {
    const callers = Array.from(open.values());
    const ofProject = callers.filter((caller) => caller.projectId === projectId).length;
    const ofKey = callers.filter((caller) => caller.principal.keyId === principal.keyId).length;
    if (isClosed || (open.size >= mostStreams && ofProject > 0))
      throw systemError('temporarilyUnavailable', { retryAfterSeconds: 5 });
    if (ofKey >= mostStreamsOfKey || ofProject >= mostStreamsOfProject) {
      const whose = ofKey >= mostStreamsOfKey ? 'key' : 'project';
      throw systemError(
        'rateLimited',
        { retryAfterSeconds: 5 },
        { fields: `the live streams of this ${whose}` },
      );
    }
  }

  async function run(stream: LiveStream): Promise<void> {
    const { response, caller, filter, lastEventId, mostMs } = stream;
    requireCapacity(caller);
    const { projectId } = caller;
    const place = readPlace(lastEventId);
    const { feed, feedId, viewers, streams } = watch(projectId, place?.receivedMs ?? null);
    const viewer = new LiveViewer(
      { response, feed, feedId, filter, masks, now, onSkipped: events.liveSkipped },
      caller,
    );
    open.set(viewer, caller);
    streams.add(viewer);
    const closed = Promise.withResolvers<void>();
    response.once('close', closed.resolve);
    const timers = [
      setInterval(() => void viewer.frame(), frameEveryMs),
      setInterval(() => void recheck(viewer, stream), recheckEveryMs),
    ];
    try {
      response.writeHead(200, streamHeaders);
      await feed.tick();
      backfill(viewer, { feed, feedId, place });
      // Not before: the tick has offered its events to the other viewers only.
      viewers.add(viewer);
      await viewer.frame(true);
      // Not before: even a short stream has a frame, however long its first read took.
      if (mostMs !== null) timers.push(setTimeout(() => viewer.end(null), mostMs));
      await closed.promise;
    } finally {
      for (const timer of timers) clearTimeout(timer);
      leave(projectId, viewer);
    }
  }

  function endAll(): Promise<void> {
    isClosed = true;
    for (const viewer of open.keys()) viewer.end(null);
    return Promise.resolve();
  }

  return { name: 'live', open: run, drain: endAll, stop: endAll };
}

const streamHeaders = [
  'Content-Type',
  'text/event-stream; charset=utf-8',
  'Cache-Control',
  'no-store',
  // Nginx keeps answers back otherwise.
  'X-Accel-Buffering',
  'no',
];

/** A viewer that comes back gets what it missed, a new one the newest events of the past. */
function backfill(
  viewer: LiveViewer,
  { feed, feedId, place }: { readonly feed: LiveFeed; readonly feedId: string; readonly place: Place | null },
): void {
  if (place === null) {
    viewer.offer({ events: feed.after(0).slice(-backfilledEvents), unread: 0 });
  } else if (place.feedId === feedId) {
    viewer.offer({ events: feed.after(place.sequence), unread: feed.lostAfter(place.sequence) });
  } else {
    // Of a feed that is gone, or of another process: only the time of arrival is known.
    const missed = feed.after(0).filter(({ receivedMs }) => receivedMs > place.receivedMs);
    viewer.offer({ events: missed, unread: 0 });
  }
}

async function recheck(viewer: LiveViewer, { recheck: ask }: LiveStream): Promise<void> {
  try {
    const caller = await ask();
    if (caller.projectId !== viewer.caller.projectId) throw systemError('notPermitted');
    viewer.caller = caller;
  } catch (error) {
    // While the registry is not available, the stream continues with the rights that were known last.
    if (error instanceof SystemError && error.reason !== 'temporarilyUnavailable') viewer.end(error);
  }
}

interface Place {
  readonly feedId: string;
  readonly sequence: number;
  readonly receivedMs: number;
}

const placeShape = /^([0-9a-f-]{36})\.(\d{1,15})\.(\d{1,15})$/;

/** Null for a text that is not an id of a live stream. */
function readPlace(lastEventId: string | null): Place | null {
  const [, feedId = '', sequence, receivedMs] = placeShape.exec(lastEventId ?? '') ?? [];
  if (feedId === '') return null;
  return { feedId, sequence: Number(sequence), receivedMs: Number(receivedMs) };
}
