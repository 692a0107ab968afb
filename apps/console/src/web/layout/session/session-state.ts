import { useSyncExternalStore } from 'react';

/** The reason why the page cannot use its session any more. */
export type SessionState = 'good' | 'ended' | 'elsewhere';

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
