import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { isSignedOut, type Problem } from '../../api/problem.ts';
import { checkSession, sessionQuery } from '../../api/session.ts';
import { useProjectId } from '../../api/use-project-id.ts';
import { reportOtherProject, useSessionState } from '../../layout/session/session-state.ts';
import type { LiveEvent, LiveStatus } from './open-live.ts';
import { followShared } from './shared-live.ts';

export interface Live {
  /** The newest first. */
  readonly events: readonly LiveEvent[];
  /** Events that matched and were not shown. */
  readonly skipped: number;
  /** Events that arrived faster than they could be read. */
  readonly unread: number;
  readonly lagSeconds: number | null;
  readonly failing: boolean;
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
