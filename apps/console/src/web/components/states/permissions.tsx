import type { Resource } from '@tickrate/contract';
import { createContext, type ReactNode, useContext } from 'react';

export type Permission = `${Resource}:${'read' | 'write'}` | 'personal:read';

const Granted = createContext<readonly string[] | null>(null);

interface PermissionsProps {
  /** Null while they are not known. */
  readonly granted: readonly string[] | null;
  readonly children: ReactNode;
}

export function Permissions({ granted, children }: PermissionsProps): ReactNode {
  return <Granted value={granted}>{children}</Granted>;
}

/** Decides what is shown. The server decides what is allowed. */
export function useMay(): (needed: Permission) => boolean {
  const granted = useContext(Granted);
  return (needed) => granted === null || granted.includes(needed);
}
