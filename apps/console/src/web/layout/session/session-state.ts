import { useSyncExternalStore } from 'react';

/** The reason why the page cannot use its session any more. */
export type SessionState = 'good' | 'ended' | 'elsewhere';

let moves = 0;
const listeners = new Set<() => void>();
let state: SessionState = 'good';

export function setSessionState(next: SessionState): void {
  state = next;
  for (const listener of listeners) listener();
}

export function useSessionState(): SessionState {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
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
 * A call for the project failed because the session is in another one. That is no news from a page that is being left: its
 * last calls end after this tab moved the session.
 */
export function reportOtherProject(projectId: string | null): void {
  const isShown = projectId === null || location.pathname.startsWith(`/p/${projectId}/`);
  if (moves === 0 && isShown) setSessionState('elsewhere');
}
