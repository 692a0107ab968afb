import { useSyncExternalStore } from 'react';
import { readStored, store } from '../../look/browser-storage.ts';

export interface SqlTab {
  readonly id: string;
  /** Of the saved query that it came from; empty otherwise. */
  readonly name: string;
  /** Counts up, for tabs without a name. */
  readonly number: number;
  readonly sql: string;
  readonly typed: Readonly<Record<string, string>>;
  /** The saved query that it came from, and the version that was opened. */
  readonly saved?: { readonly id: string; readonly version: string } | undefined;
}

/** A statement that ran, or whose tab was closed. */
export interface HistoryEntry {
  readonly id: string;
  readonly sql: string;
  readonly atMs: number;
  readonly outcome: 'done' | 'failed' | 'cancelled' | 'closed';
  readonly ms: number | null;
  readonly rows: number | null;
}

export interface Workspace {
  readonly tabs: readonly SqlTab[];
  readonly history: readonly HistoryEntry[];
  /** Counts the ids that were given, so that none is given twice. */
  readonly lastId: number;
}

const mostTabs = 50;
const mostHistory = 100;
const mostHistoryBytes = 512 * 1024;
const empty: Workspace = { tabs: [], history: [], lastId: 0 };
const keyOf = (place: string) => `tickrate.sql.${place}`;
/** What the browser has stored, as read last, by its key. */
const known = new Map<string, { readonly text: string | null; readonly workspace: Workspace }>();
/** Used when the browser stores nothing, so that a page keeps its tabs until it is left. */
const unstored = new Map<string, Workspace>();
const listeners = new Set<() => void>();

/** The tabs and the history of one account in one project. They are kept in the browser, for all its windows. */
export function useWorkspace(place: string): Workspace {
  return useSyncExternalStore(subscribe, () => readWorkspace(place));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', listener);
  };
}

function readWorkspace(place: string): Workspace {
  const kept = unstored.get(place);
  if (kept !== undefined) return kept;
  const text = readStored('local', keyOf(place));
  const before = known.get(place);
  if (before?.text === text) return before.workspace;
  const workspace = parseWorkspace(text);
  known.set(place, { text, workspace });
  return workspace;
}

/** Applies a change to what is stored now, so that two windows do not undo each other's. */
export function changeWorkspace(place: string, change: (before: Workspace) => Workspace): void {
  const { tabs, history, lastId } = change(readWorkspace(place));
  const next = { tabs: tabs.slice(-mostTabs), history: trimmed(history), lastId };
  if (store('local', keyOf(place), JSON.stringify(next))) unstored.delete(place);
  else unstored.set(place, next);
  for (const listener of listeners) listener();
}

/** A stored text that is damaged gives no tabs instead of an error. */
export function parseWorkspace(text: string | null): Workspace {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    if (typeof value !== 'object' || value === null) return empty;
    const { tabs, history, lastId } = value as Readonly<Record<string, unknown>>;
    return {
      tabs: Array.isArray(tabs) ? tabs.filter(isTab) : [],
      history: Array.isArray(history) ? history.filter(isEntry) : [],
      lastId: typeof lastId === 'number' ? lastId : 0,
    };
  } catch {
    return empty;
  }
}

function isTab(value: unknown): value is SqlTab {
  if (typeof value !== 'object' || value === null) return false;
  const { id, name, number, sql, typed } = value as Partial<Record<keyof SqlTab, unknown>>;
  const isTyped = typeof typed === 'object' && typed !== null;
  return [id, name, sql].every((each) => typeof each === 'string') && typeof number === 'number' && isTyped;
}

function isEntry(value: unknown): value is HistoryEntry {
  if (typeof value !== 'object' || value === null) return false;
  const { id, sql, atMs, outcome } = value as Partial<Record<keyof HistoryEntry, unknown>>;
  return [id, sql, outcome].every((each) => typeof each === 'string') && typeof atMs === 'number';
}

/** The newest entries, each statement once, within what a browser stores. */
function trimmed(history: readonly HistoryEntry[]): HistoryEntry[] {
  const seen = new Set<string>();
  let bytes = 0;
  return history.slice(0, mostHistory).filter(({ sql }) => {
    bytes += sql.length;
    if (seen.has(sql) || bytes > mostHistoryBytes) return false;
    seen.add(sql);
    return true;
  });
}

type NewTab = Partial<Pick<SqlTab, 'name' | 'sql' | 'typed' | 'saved'>>;

/** Opens a statement in a tab, and answers with the tab. The same statement is not opened twice. */
export function openTab(place: string, made: NewTab): string {
  const { name = '', sql = '', typed = {}, saved } = made;
  const { tabs } = readWorkspace(place);
  const same = sql === '' ? undefined : tabs.find((tab) => tab.sql === sql);
  if (same !== undefined) return same.id;
  const number = Math.max(0, ...tabs.map((tab) => tab.number)) + 1;
  let id = '';
  changeWorkspace(place, (before) => {
    id = `t${before.lastId + 1}`;
    const tab = { id, name, number, sql, typed, saved };
    return { ...before, tabs: [...before.tabs, tab], lastId: before.lastId + 1 };
  });
  return id;
}

export function changeTab(place: string, id: string, changed: Partial<SqlTab>): void {
  changeWorkspace(place, (before) => ({
    ...before,
    tabs: before.tabs.map((tab) => (tab.id === id ? { ...tab, ...changed } : tab)),
  }));
}

/** The statement of a closed tab stays in the history. */
export function closeTab(place: string, tab: SqlTab, atMs: number): void {
  const { sql } = tab;
  const isKnown = sql.trim() === '' || readWorkspace(place).history.some((entry) => entry.sql === sql);
  if (!isKnown) remember(place, { sql, atMs, outcome: 'closed', ms: null, rows: null });
  changeWorkspace(place, (before) => ({ ...before, tabs: before.tabs.filter(({ id }) => id !== tab.id) }));
}

export function remember(place: string, entry: Omit<HistoryEntry, 'id'>): void {
  changeWorkspace(place, (before) => ({
    ...before,
    history: [{ ...entry, id: `h${before.lastId + 1}` }, ...before.history],
    lastId: before.lastId + 1,
  }));
}
