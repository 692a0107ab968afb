import { useSyncExternalStore } from 'react';
import { isOnPaper, readPreferences, subscribe } from './preferences.ts';

/** What a canvas is drawn for. It keeps its pixels when the theme changes, so it must be drawn again. */
export type DrawnScheme = 'light' | 'dark' | 'paper';

/** The colours of the screen, or of paper while the page is printed. */
export function useDrawnScheme(): DrawnScheme {
  return useSyncExternalStore(subscribeAll, readScheme);
}

function readScheme(): DrawnScheme {
  if (isOnPaper()) return 'paper';
  const { theme } = readPreferences();
  if (theme !== 'system') return theme;
  return darkSystem().matches ? 'dark' : 'light';
}

function darkSystem(): MediaQueryList {
  return matchMedia('(prefers-color-scheme: dark)');
}

function subscribeAll(listener: () => void): () => void {
  const unsubscribe = subscribe(listener);
  const system = darkSystem();
  system.addEventListener('change', listener);
  return () => {
    unsubscribe();
    system.removeEventListener('change', listener);
  };
}
