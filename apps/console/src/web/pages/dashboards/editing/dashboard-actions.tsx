import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Button, IconButton } from '../../../components/button.tsx';
import { MenuButton } from '../../../components/dialogs/menu-button.tsx';
import { useMay } from '../../../components/states/permissions.tsx';
import { useChangeSearch } from '../../../layout/use-change-search.ts';
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
  const removeEntry = {
    label: texts.remove,
    icon: 'trash',
    danger: true,
    onSelect: () => setDialog('remove'),
  } as const;
  return (
    <>
      <RefreshField dashboard={dashboard} />
      <RefreshButton />
      <IconButton look="plain" icon="maximize" label={texts.fullScreen} onPress={onFullScreen} />
      <Button icon="share" needs="queries:write" onPress={() => setDialog('share')}>
        {texts.share}
      </Button>
      <Button icon="pencil" needs="queries:write" onPress={onEdit}>
        {texts.edit}
      </Button>
      <MenuButton
        label={texts.more}
        entries={[
          {
            label: texts.exportAction,
            icon: 'download',
            onSelect: () => exportDashboard(dashboard, queries.data ?? []),
          },
          { label: texts.print, icon: 'file-check', onSelect: () => print() },
          ...(may('queries:write') ? [removeEntry] : []),
        ]}
      >
        <IconButton look="plain" icon="ellipsis" label={texts.more} />
      </MenuButton>
      {dialog === 'share' && <ShareDialog dashboard={dashboard} onClose={() => setDialog(null)} />}
      {dialog === 'remove' && (
        <RemoveDialog
          dashboard={dashboard}
          onClose={() => setDialog(null)}
          onDone={() => void navigate({ to: '/p/$projectId/dashboards' })}
        />
      )}
    </>
  );
}

function RefreshField({ dashboard }: { readonly dashboard: DashboardRow }): ReactNode {
  const { refresh } = useSearch({ from: '/p/$projectId/dashboards/$id' });
  const changeSearch = useChangeSearch();
  return (
    <RefreshSelect
      isLabelHidden
      seconds={refresh ?? dashboard.content.refreshSeconds ?? 0}
      onChange={(chosen) => changeSearch({ refresh: chosen })}
    />
  );
}
