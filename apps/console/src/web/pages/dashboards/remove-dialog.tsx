import type { ReactNode } from 'react';
import { useAct } from '../../api/use-call.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { showToast } from '../../components/dialogs/toasts.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { dashboardsTexts } from './dashboards-texts.ts';
import type { DashboardRow } from './use-dashboards.ts';

interface RemoveDialogProps {
  readonly dashboard: DashboardRow;
  readonly onClose: () => void;
  readonly onDone?: () => void;
}

export function RemoveDialog({ dashboard, onClose, onDone }: RemoveDialogProps): ReactNode {
  const texts = useTexts(dashboardsTexts);
  const remove = useAct('DELETE /v1/dashboards/{id}', {
    changes: ['GET /v1/dashboards', 'GET /v1/dashboards/{id}', 'GET /v1/shares'],
    onDone: ({ name }) => {
      showToast(texts.removed(name));
      onDone?.();
    },
  });
  return (
    <ConfirmDialog
      title={texts.removeTitle}
      name={dashboard.name}
      action={texts.remove}
      act={remove}
      input={{ params: { id: dashboard.id } }}
      onClose={onClose}
    >
      {texts.removeText}
    </ConfirmDialog>
  );
}
