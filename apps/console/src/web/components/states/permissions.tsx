import type { Resource } from '@tickrate/contract';
import { createContext, type ReactNode, useContext } from 'react';
import { commonTexts } from '../../texts/common-texts.ts';
import { useTexts } from '../../texts/use-texts.ts';

export type Permission = `${Resource}:${'read' | 'write'}` | 'personal:read';

/** Null while they are not known. */
export const GrantedContext = createContext<readonly string[] | null>(null);

/** Decides what is shown. The server decides what is allowed. */
export function useMay(): (needed: Permission) => boolean {
  const granted = useContext(GrantedContext);
  return (needed) => granted === null || granted.includes(needed);
}

interface EditableProps {
  readonly needs: Permission;
  readonly children: ReactNode;
}

/** The fields of a form. A role without the permission sees their values, and why it cannot change them. */
export function Editable({ needs, children }: EditableProps): ReactNode {
  const texts = useTexts(commonTexts);
  const isPermitted = useMay()(needs);
  return (
    <fieldset disabled={!isPermitted} className="flex min-w-0 flex-col gap-4">
      {!isPermitted && <p className="text-soft">{texts.readOnly}</p>}
      {children}
    </fieldset>
  );
}
