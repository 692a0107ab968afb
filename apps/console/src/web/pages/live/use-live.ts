import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { isSignedOut, Problem, type ProblemParts } from '../../api/problem.ts';
import { checkSession, sessionQuery } from '../../api/session.ts';
import { useProjectId } from '../../api/use-call.ts';
import { reportOtherProject, useSessionState } from '../../layout/session/session-state.ts';
import {
  followLive,
  type LiveEvent,
  type LiveOptions,
  type LivePlace,
  type LiveStatus,
} from './open-live.ts';

/** The frames together, with the newest events first. */
export interface Live extends Omit<LiveStatus, 'lagSeconds'> {
  readonly lagSeconds: number | null;
  readonly problem: Problem | null;
}

const none: Live = { events: [], skipped: 0, unread: 0, lagSeconds: null, failing: false, problem: null };
/** What the page keeps: the rest is in ClickHouse. */
const mostKept = 1_000;

/** The stream with these filters, while the tab is visible. While it is paused, events are counted and not shown. */
export function useLive(query: Readonly<Record<string, string>>, isPaused: boolean): Live {
  const projectId = useProjectId();
  const [live, setLive] = useState<Live>(none);
  const paused = useRef(isPaused);
  paused.current = isPaused;
  const client = useQueryClient();
  const accountId = useQuery(sessionQuery).data?.accountId;
  const identity = JSON.stringify(query);
  const isVisible = useIsVisible();
  const isUsable = useSessionState() === 'good';
  useEffect(() => {
    if (!isVisible || !isUsable || accountId === undefined) return;
    const stop = new AbortController();
    setLive((before) => ({ ...before, events: [], skipped: 0, unread: 0 }));
    const onFrame = ({ events, skipped, unread, lagSeconds, failing }: LiveStatus) =>
      setLive((before) => ({
        problem: null,
        failing,
        lagSeconds,
        skipped: before.skipped + skipped + (paused.current ? events.length : 0),
        unread: before.unread + unread,
        events: paused.current
          ? before.events
          : [...events.toReversed(), ...before.events].slice(0, mostKept),
      }));
    const onProblem = (problem: Problem | null) => {
      // The whole page shows these two, with the way back.
      if (isSignedOut(problem)) return void checkSession(client);
      if (problem?.reason === 'sessionInOtherProject') return reportOtherProject(projectId);
      setLive((before) => (before.problem === problem ? before : { ...before, problem }));
    };
    void followShared(accountId, {
      projectId,
      query: JSON.parse(identity),
      signal: stop.signal,
      onFrame,
      onProblem,
    });
    return () => stop.abort();
  }, [client, accountId, projectId, identity, isVisible, isUsable]);
  return live;
}

function useIsVisible(): boolean {
  const [isVisible, setVisible] = useState(!document.hidden);
  useEffect(() => {
    const onChange = () => setVisible(!document.hidden);
    document.addEventListener('visibilitychange', onChange);
    return () => document.removeEventListener('visibilitychange', onChange);
  }, []);
  return isVisible;
}

type TabMessage =
  | { readonly kind: 'frame'; readonly status: LiveStatus; readonly lastId: string | null }
  | { readonly kind: 'problem'; readonly problem: ProblemParts }
  /** A tab that has just opened, and shows nothing yet. */
  | { readonly kind: 'opened' };

/** What a tab gets of the past when it opens: as much as a stream of its own brings. */
const mostRecent = 100;

/**
 * Follows a stream with other tabs of this browser: tabs with the same account, project and filters share one connection. The
 * tab that holds the lock reads it and sends its frames to the others. When it closes, the next one continues at the last frame.
 */
async function followShared(accountId: string, options: Omit<LiveOptions, 'place'>): Promise<void> {
  const { projectId, query, signal, onFrame, onProblem } = options;
  const name = `tickrate live ${accountId} ${projectId} ${JSON.stringify(Object.entries(query).toSorted())}`;
  const place: LivePlace = { lastId: null };
  // Browsers have locks only at https and at localhost.
  const locks: LockManager | undefined = navigator.locks;
  if (locks === undefined) return followLive({ ...options, place });
  const channel = new BroadcastChannel(name);
  const post = (message: TabMessage) => channel.postMessage(message);
  const shown = createShown();
  let isReading = false;
  channel.addEventListener('message', ({ data: message }: MessageEvent<TabMessage>) => {
    if (message.kind === 'opened') {
      const status = isReading ? shown.latest() : null;
      if (status !== null) post({ kind: 'frame', status, lastId: place.lastId });
      return;
    }
    if (message.kind === 'problem') return onProblem(new Problem(message.problem));
    place.lastId = message.lastId;
    onFrame(shown.add(message.status));
  });
  const read = async () => {
    isReading = true;
    await followLive({
      ...options,
      place,
      onFrame: (status) => {
        onFrame(shown.add(status));
        post({ kind: 'frame', status, lastId: place.lastId });
      },
      onProblem: (problem) => {
        onProblem(problem);
        // A message between tabs copies an object without its class.
        if (problem !== null) post({ kind: 'problem', problem: { ...problem, message: problem.message } });
      },
    });
  };
  post({ kind: 'opened' });
  try {
    await locks.request(name, { signal }, read);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    channel.close();
  }
}

/** What this tab has shown lately. What is sent for a new tab reaches all tabs. */
function createShown() {
  let recent: readonly LiveEvent[] = [];
  let latest: LiveStatus | null = null;
  return {
    /** The frame without the events that were shown before. */
    add(status: LiveStatus): LiveStatus {
      const known = new Set(recent.map(({ eventId }) => eventId));
      const events = status.events.filter(({ eventId }) => !known.has(eventId));
      recent = [...recent, ...events].slice(-mostRecent);
      latest = { ...status, events };
      return latest;
    },
    /** For a new tab: the newest events, and nothing as left out. Null before the first frame. */
    latest: (): LiveStatus | null => latest && { ...latest, events: recent, skipped: 0, unread: 0 },
  };
}
