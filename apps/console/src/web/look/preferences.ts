import { useSyncExternalStore } from 'react';
import { type Language, languages } from '../texts/define-texts.ts';
import { loadGerman } from '../texts/load-german.ts';
import { readStored, store } from './browser-storage.ts';

const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

export interface Preferences {
  readonly theme: Theme;
  readonly language: Language;
  /** A name of the IANA time zone database. */
  readonly zone: string;
}

const storageKey = 'tickrate.preferences';
const listeners = new Set<() => void>();
let current: Preferences | null = null;
let isPrinting = false;

export function readPreferences(): Preferences {
  current ??= fill(stored());
  return current;
}

export async function changePreferences(change: Partial<Preferences>): Promise<void> {
  // The page stays as it is until then.
  if (change.language === 'de') await loadGerman();
  current = { ...readPreferences(), ...change };
  store('local', storageKey, JSON.stringify(current));
  showPreferences();
}

/** Applies the preferences to the document, now, while it is printed and when another tab changes them. Returns the undo. */
export function followPreferences(): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const print = (next: boolean) => () => {
    isPrinting = next;
    showPreferences();
  };
  const onStorage = (event: StorageEvent) => {
    if (event.key !== storageKey) return;
    current = null;
    showPreferences();
  };
  addEventListener('storage', onStorage, { signal });
  addEventListener('beforeprint', print(true), { signal });
  addEventListener('afterprint', print(false), { signal });
  showPreferences();
  return () => stop.abort();
}

export function usePreferences(): Preferences {
  return useSyncExternalStore(subscribe, readPreferences);
}

/** Calls the listener after a change of the preferences, and around printing. Returns the undo. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function showPreferences(): void {
  const { theme: preferred, language } = readPreferences();
  // Paper is light, whatever the theme.
  const theme = isPrinting ? 'light' : preferred;
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  document.documentElement.lang = language;
  for (const listener of listeners) listener();
}

function stored(): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(readStored('local', storageKey) ?? 'null');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function fill({ theme, language, zone }: Readonly<Record<string, unknown>>): Preferences {
  return {
    theme: themes.find((each) => each === theme) ?? 'system',
    language: languages.find((each) => each === language) ?? browserLanguage(),
    zone: isTimeZone(zone) ? zone : viewerZone(),
  };
}

function browserLanguage(): Language {
  return navigator.languages.some((each) => /^de\b/i.test(each)) ? 'de' : 'en';
}

export function viewerZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
}

export function isTimeZone(zone: unknown): zone is string {
  if (typeof zone !== 'string' || zone === '') return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }) !== null;
  } catch {
    return false;
  }
}

/** What a canvas is drawn for. It keeps its pixels when the theme changes, so it must be drawn again. */
export type DrawnScheme = 'light' | 'dark' | 'paper';

/** The colours of the screen, or of paper while the page is printed. */
export function useDrawnScheme(): DrawnScheme {
  return useSyncExternalStore(subscribeAll, readScheme);
}

function readScheme(): DrawnScheme {
  if (isPrinting) return 'paper';
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
