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

/**
 * Call it before this tab moves its session to another project: calls for the project before then fail, which is no news.
 * Returns the end of the move.
 */
export function beginMove(): () => void {
  moves += 1;
  let isOver = false;
  return () => {
    if (!isOver) moves -= 1;
    isOver = true;
  };
}

/** A call failed because the session is in another project. */
export function reportOtherProject(): void {
  if (moves === 0) setSessionState('elsewhere');
}
