import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { MenuButton } from '../../../components/dialogs/menu-button.tsx';
import { useMay } from '../../../components/states/permissions.tsx';
import { useTexts } from '../../../texts/use-texts.ts';
import { exportDashboard } from '../dashboard-file.ts';
import { dashboardsTexts } from '../dashboards-texts.ts';
import type { DashboardRow } from '../range-of-dashboard.ts';
import { RefreshButton } from '../refresh-button.tsx';
import { RemoveDialog } from '../remove-dialog.tsx';
import { useEvery } from '../use-dashboards.ts';
import { RefreshSelect } from './refresh-select.tsx';
import { ShareDialog } from './share-dialog.tsx';

interface DashboardActionsProps {
  readonly dashboard: DashboardRow;
  readonly onEdit: () => void;
  readonly onFullScreen: () => void;
}

/** What can be done with a dashboard that is not being edited. */
export function DashboardActions({ dashboard, onEdit, onFullScreen }: DashboardActionsProps): ReactNode {
  const texts = useTexts(dashboardsTexts);
  const [dialog, setDialog] = useState<'share' | 'remove' | null>(null);
  const queries = useEvery('GET /v1/saved-queries');
  const navigate = useNavigate({ from: '/p/$projectId' });
  const may = useMay();
  const act = (id: string) => {
    if (id === 'print') print();
    else if (id === 'export') exportDashboard(dashboard, queries.data ?? []);
    else setDialog('remove');
  };
  return (
    <>
      <RefreshField dashboard={dashboard} />
      <RefreshButton />
      <Button icon="maximize" aria-label={texts.fullScreen} onPress={onFullScreen} />
      <Button icon="share" needs="queries:write" onPress={() => setDialog('share')}>
        {texts.share}
      </Button>
      <Button icon="pencil" needs="queries:write" onPress={onEdit}>
        {texts.edit}
      </Button>
      <MenuButton
        label={texts.more}
        entries={[
          { id: 'export', label: texts.exportAction, icon: 'download' },
          { id: 'print', label: texts.print, icon: 'file-check' },
          ...(may('queries:write')
            ? [{ id: 'remove', label: texts.remove, icon: 'trash', danger: true } as const]
            : []),
        ]}
        onAction={act}
      >
        <Button icon="ellipsis" aria-label={texts.more} />
      </MenuButton>
      {dialog === 'share' && <ShareDialog dashboard={dashboard} onClose={() => setDialog(null)} />}
      <RemoveDialog
        dashboard={dialog === 'remove' ? dashboard : null}
        onClose={() => setDialog(null)}
        onDone={() => void navigate({ to: '/p/$projectId/dashboards' })}
      />
    </>
  );
}

function RefreshField({ dashboard }: { readonly dashboard: DashboardRow }): ReactNode {
  const { refresh } = useSearch({ from: '/p/$projectId/dashboards/$id' });
  const navigate = useNavigate();
  return (
    <RefreshSelect
      isLabelHidden
      seconds={refresh ?? dashboard.content.refreshSeconds ?? 0}
      onChange={(chosen) =>
        void navigate({ to: '.', search: (search: object) => ({ ...search, refresh: chosen }) })
      }
    />
  );
}
