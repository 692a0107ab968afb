import { useState } from 'react';
import type { Content, DashboardRow } from '../range-of-dashboard.ts';

/** A dashboard as it is being edited. */
export interface Draft {
  readonly name: string;
  readonly content: Content;
  /** Of the saved dashboard that it began with. */
  readonly version: string;
}

/** The unsaved changes of a dashboard. They survive a reload, an error and an ended session; null without any. */
export function useDraft({ id, name, content, version }: DashboardRow) {
  const key = `tickrate.dashboard.${id}`;
  const [draft, setDraft] = useState(() => readDraft(key));
  const keep = (next: Draft | null) => {
    setDraft(next);
    try {
      if (next === null) sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, JSON.stringify(next));
    } catch {
      // A browser without storage: the draft lasts until the page is left.
    }
  };
  return {
    draft,
    begin: () => keep({ name, content, version }),
    change: (changed: Partial<Draft>) => draft !== null && keep({ ...draft, ...changed }),
    end: () => keep(null),
  };
}

function readDraft(key: string): Draft | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}
