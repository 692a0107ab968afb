import type { Resource } from '@tickrate/contract';
import { createContext, useContext } from 'react';

export type Permission = `${Resource}:${'read' | 'write'}` | 'personal:read';

/** Null while they are not known. */
export const GrantedContext = createContext<readonly string[] | null>(null);

/** Decides what is shown. The server decides what is allowed. */
export function useMay(): (needed: Permission) => boolean {
  const granted = useContext(GrantedContext);
  return (needed) => granted === null || granted.includes(needed);
}
