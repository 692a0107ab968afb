import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { isSignedOut } from '../../api/problem.ts';
import { sessionQuery } from '../../api/session.ts';

type SessionState = 'good' | 'ended' | 'elsewhere';

let moves = 0;
const listeners = new Set<() => void>();
let isElsewhere = false;

/** Whether the session is in another project than the page. A page that moves it to its own project takes that back. */
export function setElsewhere(next: boolean): void {
  isElsewhere = next;
  for (const listener of listeners) listener();
}

/** The last answer of the session alone decides whether it has ended, so an answer of a new session takes that back. */
export function useSessionState(): SessionState {
  const { error } = useQuery(sessionQuery);
  const isMoved = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isElsewhere,
  );
  if (isSignedOut(error)) return 'ended';
  return isMoved ? 'elsewhere' : 'good';
}

/** Call it before the server moves the session out of the project that is shown. Returns the end of the move. */
export function beginMove(): () => void {
  moves += 1;
  let isOver = false;
  return () => {
    if (!isOver) moves -= 1;
    isOver = true;
  };
}

/**
 * A call for the project failed because the session is in another one: another tab moved it. That is no news from a page that
 * is being left: its last calls end after this tab moved the session. Null for an act, which is for the project of the page.
 */
export function reportOtherProject(projectId: string | null): void {
  const isShown = projectId === null || location.pathname.startsWith(`/p/${projectId}/`);
  if (moves === 0 && isShown) setElsewhere(true);
}
