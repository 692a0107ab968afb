import { useState } from 'react';

export interface TypeDraft {
  /** The declaration as JSON. Both views of the editor edit this text. */
  readonly text: string;
  readonly description: string;
  /** Of a type that does not exist yet. */
  readonly name: string;
  /** The version that was edited; 0 for a new type. */
  readonly base: number;
}

/** Keeps the draft in this tab until it is declared or discarded: a reload or an ended session loses nothing. */
export function useTypeDraft(place: string, start: TypeDraft) {
  const key = `tickrate.declaration.${place}`;
  const [draft, setDraft] = useState(() => parseDraft(read(key)) ?? start);
  const write = (next: TypeDraft | null) => {
    setDraft(next ?? start);
    keep(key, next);
  };
  const isChanged = draft.text !== start.text || draft.description !== start.description;
  return {
    draft,
    isChanged,
    change: (changed: Partial<TypeDraft>) => write({ ...draft, ...changed }),
    discard: () => write(null),
  };
}

function read(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

function keep(key: string, draft: TypeDraft | null): void {
  try {
    if (draft === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(draft));
  } catch {
    // A browser that stores nothing keeps the draft until the page is left.
  }
}

function parseDraft(stored: string | null): TypeDraft | null {
  try {
    const value: unknown = JSON.parse(stored ?? 'null');
    if (typeof value !== 'object' || value === null) return null;
    const { text, description, name, base } = value as Partial<Record<keyof TypeDraft, unknown>>;
    if (typeof text !== 'string' || typeof description !== 'string') return null;
    if (typeof name !== 'string' || typeof base !== 'number') return null;
    return { text, description, name, base };
  } catch {
    return null;
  }
}
