import type { ReactNode } from 'react';
import { commonTexts } from '../../texts/common-texts.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { type Permission, useMay } from '../states/permissions.tsx';

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
