import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sessionQuery } from '../api/session.ts';
import { useProjectId } from '../api/use-call.ts';
import { readStored, store } from '../look/browser-storage.ts';

export interface DraftOf<T> {
  readonly kind: 'dashboard' | 'declaration';
  readonly id: string;
  /** Null for what is no draft. */
  readonly parse: (value: unknown) => T | null;
}

/**
 * The unsaved changes of one account, null without any. They are kept in this tab, so that a reload, an error or an ended
 * session loses nothing, until they are saved or discarded.
 */
export function useKeptDraft<T>({
  kind,
  id,
  parse,
}: DraftOf<T>): readonly [T | null, (next: T | null) => void] {
  const { data: session } = useQuery(sessionQuery);
  const key = ['tickrate', kind, session?.accountId ?? '', useProjectId(), id].join('.');
  const [draft, setDraft] = useState(() => read(key, parse));
  const change = (next: T | null) => {
    setDraft(next);
    // A browser that stores nothing keeps the draft until the page is left.
    store('session', key, next === null ? null : JSON.stringify(next));
  };
  return [draft, change];
}

function read<T>(key: string, parse: (value: unknown) => T | null): T | null {
  try {
    return parse(JSON.parse(readStored('session', key) ?? 'null'));
  } catch {
    return null;
  }
}
