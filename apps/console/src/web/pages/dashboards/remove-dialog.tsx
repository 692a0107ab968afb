import type { ReactNode } from 'react';
import { useAct } from '../../api/use-call.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { showToast } from '../../components/dialogs/toasts.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { dashboardsTexts } from './dashboards-texts.ts';
import type { DashboardRow } from './range-of-dashboard.ts';

interface RemoveDialogProps {
  /** Null while it is closed. */
  readonly dashboard: DashboardRow | null;
  readonly onClose: () => void;
  readonly onDone?: () => void;
}

export function RemoveDialog({ dashboard, onClose, onDone }: RemoveDialogProps): ReactNode {
  const texts = useTexts(dashboardsTexts);
  const remove = useAct('DELETE /v1/dashboards/{id}', {
    changes: ['GET /v1/dashboards', 'GET /v1/dashboards/{id}', 'GET /v1/shares'],
    onDone: ({ name }) => {
      showToast(texts.removed(name));
      onClose();
      onDone?.();
    },
  });
  return (
    <ConfirmDialog
      title={texts.removeTitle}
      name={dashboard?.name ?? ''}
      action={texts.remove}
      isOpen={dashboard !== null}
      onClose={onClose}
      onConfirm={() => dashboard !== null && remove.mutate({ params: { id: dashboard.id } })}
      act={remove}
    >
      {texts.removeText}
    </ConfirmDialog>
  );
}
