import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type BodyOf, call } from '../../../api/call.ts';
import type { ListPage } from '../../../api/every-page.ts';
import { useProjectId } from '../../../api/use-project-id.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { Dialog } from '../../../components/dialogs/dialog.tsx';
import { EmptyState, Failed, Skeleton } from '../../../components/states/page-state.tsx';
import { useMay } from '../../../components/states/permissions.tsx';
import { useFormats } from '../../../layout/use-time.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { exploreTexts } from '../explore-texts.ts';

type BehindCall =
  | 'POST /v1/analyses/volume/players'
  | 'POST /v1/analyses/breakdown/players'
  | 'POST /v1/analyses/funnel/players'
  | 'POST /v1/analyses/retention/players';

interface PlayersDialogProps<N extends BehindCall> {
  readonly title: string;
  readonly call: N;
  /** Asked once, so that all pages are of one range. */
  readonly body: () => BodyOf<N>;
  readonly onClose: () => void;
}

interface BehindRow {
  readonly accountId: string;
  readonly events: number;
}

/** The players that a figure counts, page by page. */
export function PlayersDialog<N extends BehindCall>(props: PlayersDialogProps<N>): ReactNode {
  const { title, call: name, body, onClose } = props;
  const texts = useTexts(exploreTexts);
  const formats = useFormats();
  const projectId = useProjectId();
  const navigate = useNavigate();
  const may = useMay();
  const open = (accountId: string) =>
    void navigate({ to: '/p/$projectId/players/$accountId', params: { projectId, accountId } });
  const players = useInfiniteQuery({
    queryKey: [projectId, name, title],
    initialPageParam: null as { readonly body: object; readonly cursor: string } | null,
    queryFn: async ({ signal, pageParam }) => {
      const asked = pageParam?.body ?? (body() as object);
      const sent = pageParam === null ? asked : { ...asked, cursor: pageParam.cursor };
      const send = call as unknown as (name: BehindCall, input: object) => Promise<ListPage<BehindRow>>;
      return { asked, ...(await send(name, { body: sent, signal, projectId })) };
    },
    getNextPageParam: ({ asked, next }) => (next === null ? undefined : { body: asked, cursor: next }),
    gcTime: 0,
  });
  const rows = players.data?.pages.flatMap(({ results }) => results);
  return (
    <Dialog title={title} isOpen onClose={onClose} width={640}>
      {players.error !== null && <Failed error={players.error} onRetry={() => void players.refetch()} />}
      {rows === undefined && players.error === null && <Skeleton lines={6} />}
      {rows?.length === 0 && <EmptyState icon="users" title={texts.behindEmpty} />}
      {rows !== undefined && rows.length > 0 && (
        <DataTable
          label={title}
          rows={rows}
          keyOf={({ accountId }) => accountId}
          height={400}
          {...(may('players:read') && { onOpen: ({ accountId }: BehindRow) => open(accountId) })}
          columns={[
            {
              title: texts.account,
              width: 'minmax(240px, 3fr)',
              render: ({ accountId }) => <span className="font-mono text-sm">{accountId}</span>,
            },
            { title: texts.events, isNumber: true, render: ({ events }) => formats.number(events) },
          ]}
          more={players.hasNextPage ? () => void players.fetchNextPage() : undefined}
        />
      )}
    </Dialog>
  );
}
