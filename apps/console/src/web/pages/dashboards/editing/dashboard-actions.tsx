import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { call } from '../../../api/call.ts';
import { isRefused } from '../../../api/problem.ts';
import { useAct, useList } from '../../../api/use-call.ts';
import { Badge } from '../../../components/badge.tsx';
import { Button, IconButton } from '../../../components/button.tsx';
import { CodeBlock } from '../../../components/code-block.tsx';
import { Dialog } from '../../../components/dialogs/dialog.tsx';
import { MenuButton } from '../../../components/dialogs/menu-button.tsx';
import { showToast } from '../../../components/dialogs/toasts.tsx';
import { SelectField } from '../../../components/fields/select-field.tsx';
import { PageState, ProblemNote } from '../../../components/states/page-state.tsx';
import { useMay } from '../../../components/states/permissions.tsx';
import { useDescribeRange } from '../../../layout/header/range-picker.tsx';
import { useChangeSearch } from '../../../layout/use-change-search.ts';
import { useFormats, useTexts } from '../../../texts/use-texts.ts';
import { nowMs } from '../../../time/clock.ts';
import { exportDashboard } from '../dashboard-file.ts';
import { dashboardsTexts } from '../dashboards-texts.ts';
import { RefreshButton } from '../refresh-button.tsx';
import { RemoveDialog } from '../remove-dialog.tsx';
import { type DashboardRow, sharedTimesOf, useEvery } from '../use-dashboards.ts';
import { RefreshSelect } from './refresh-select.tsx';

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

interface ShareDialogProps {
  readonly dashboard: DashboardRow;
  readonly onClose: () => void;
}

/** Creates, lists and revokes links with which anyone can read the dashboard. */
function ShareDialog({ dashboard, onClose }: ShareDialogProps): ReactNode {
  const texts = useTexts(dashboardsTexts);
  const [days, setDays] = useState(30);
  const create = useAct('POST /v1/dashboards/{id}/shares', { changes: ['GET /v1/shares'] });
  const { range, zone } = sharedTimesOf(dashboard.content);
  const describeRange = useDescribeRange(zone);
  const token = create.data?.token;
  return (
    <Dialog title={texts.shareTitle} onClose={onClose} width={640}>
      <p className="text-soft">{texts.shareText}</p>
      <p>{texts.shareTimes(describeRange(range), zone)}</p>
      <div className="flex items-end gap-2">
        <SelectField
          label={texts.validFor}
          value={days}
          choices={[1, 7, 30, 90, 365]}
          labelOf={(each) => texts.days(String(each))}
          onChange={setDays}
          className="w-40"
        />
        <Button
          look="primary"
          icon="link"
          isDisabled={create.isPending}
          onPress={() => create.mutate({ params: { id: dashboard.id }, body: { days } })}
        >
          {texts.createLink}
        </Button>
      </div>
      <ProblemNote problem={create.error} />
      {token !== undefined && (
        <div className="flex flex-col gap-1">
          <span className="font-medium">{texts.newLink}</span>
          <CodeBlock label={texts.copyLink} code={`${location.origin}/shared#${token}`} />
          <span className="text-sm text-soft">{texts.linkOnce}</span>
          <HiddenTiles dashboard={dashboard} token={token} />
        </div>
      )}
      <Links dashboardId={dashboard.id} />
    </Dialog>
  );
}

/** The tiles that the link does not show, as a reader of it would find. */
function HiddenTiles({
  dashboard,
  token,
}: Pick<ShareDialogProps, 'dashboard'> & { readonly token: string }): ReactNode {
  const texts = useTexts(dashboardsTexts);
  const { data: titles = [] } = useQuery({
    queryKey: ['hidden tiles', token],
    queryFn: async ({ signal }) => {
      const hidden: string[] = [];
      for (const [tile, { title }] of dashboard.content.tiles.entries()) {
        const asked = call('POST /v1/shared/tiles/{tile}', { params: { tile }, body: { token }, signal });
        await asked.catch((error: unknown) => isRefused(error) && hidden.push(title));
      }
      return hidden;
    },
  });
  return titles.length > 0 && <p role="alert">{texts.hiddenTiles(titles.join(', '))}</p>;
}

function Links({ dashboardId }: { readonly dashboardId: string }): ReactNode {
  const texts = useTexts(dashboardsTexts);
  const formats = useFormats();
  const links = useList('GET /v1/shares', { query: { limit: 200 } });
  const revoke = useAct('DELETE /v1/shares/{id}', {
    changes: ['GET /v1/shares'],
    onDone: () => showToast(texts.revoked),
  });
  return (
    <section aria-label={texts.links} className="flex flex-col gap-1">
      <h3 className="font-medium">{texts.links}</h3>
      <ProblemNote problem={revoke.error} />
      <PageState
        query={links.query}
        isEmpty={(rows) => !rows.some((each) => each.dashboardId === dashboardId)}
        empty={<p className="text-soft">{texts.noLinks}</p>}
        skeletonLines={2}
      >
        {(rows) => (
          <ul className="flex flex-col divide-y rounded-md border">
            {rows
              .filter((each) => each.dashboardId === dashboardId)
              .map(({ id, created, expires }) => (
                <li key={id} className="flex flex-wrap items-center gap-x-3 px-3 py-1">
                  <span className="flex-1 whitespace-nowrap">{formats.time(created)}</span>
                  {Date.parse(expires) < nowMs() ? (
                    <Badge>{texts.expired}</Badge>
                  ) : (
                    <span className="text-soft">
                      {texts.expires} {formats.time(expires)}
                    </span>
                  )}
                  <Button
                    look="quiet"
                    aria-label={texts.revokeNamed(formats.time(created))}
                    isDisabled={revoke.isPending}
                    onPress={() => revoke.mutate({ params: { id } })}
                  >
                    {texts.revoke}
                  </Button>
                </li>
              ))}
          </ul>
        )}
      </PageState>
    </section>
  );
}
