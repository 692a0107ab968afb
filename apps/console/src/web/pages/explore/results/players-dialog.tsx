import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { BodyOf, InputOf } from '../../../api/call.ts';
import { useList, useProjectId } from '../../../api/use-call.ts';
import { ListTable } from '../../../components/data-table.tsx';
import { Dialog } from '../../../components/dialogs/dialog.tsx';
import { EmptyState } from '../../../components/states/page-state.tsx';
import { useMay } from '../../../components/states/permissions.tsx';
import { useTime } from '../../../layout/use-time.ts';
import { useFormats, useTexts } from '../../../texts/use-texts.ts';
import { exploreTexts } from '../explore-texts.ts';

type BehindCall = `POST /v1/analyses/${'volume' | 'breakdown' | 'funnel' | 'retention'}/players`;

interface PlayersDialogProps<N extends BehindCall> {
  /** What they are counted in. */
  readonly of: string;
  readonly call: N;
  readonly asked: Omit<BodyOf<N>, 'from' | 'to' | 'timeZone'>;
  readonly onClose: () => void;
}

interface BehindRow {
  readonly accountId: string;
  readonly events: number;
}

/** The players that a figure counts, page by page. */
export function PlayersDialog<N extends BehindCall>(props: PlayersDialogProps<N>): ReactNode {
  const { of, call, asked, onClose } = props;
  const texts = useTexts(exploreTexts);
  const formats = useFormats();
  const projectId = useProjectId();
  const navigate = useNavigate();
  const may = useMay();
  const { times, zone } = useTime();
  const open = (accountId: string) =>
    void navigate({ to: '/p/$projectId/players/$accountId', params: { projectId, accountId } });
  // Resolved once, so that all pages are of one range.
  const [body] = useState(() => ({ ...times(), timeZone: zone, ...asked }));
  const players = useList<BehindCall>(call, { body } as InputOf<BehindCall>[0]);
  const title = texts.behindTitle(of);
  return (
    <Dialog title={title} onClose={onClose} width={640}>
      <ListTable<BehindRow>
        list={players}
        empty={<EmptyState icon="users" title={texts.behindEmpty} />}
        label={title}
        keyOf={({ accountId }) => accountId}
        height={400}
        {...(may('players:read') && { onOpen: ({ accountId }: BehindRow) => open(accountId) })}
        columns={[
          {
            title: texts.account,
            width: 'minmax(240px, 3fr)',
            look: 'code',
            render: ({ accountId }) => accountId,
          },
          { title: texts.events, isNumber: true, render: ({ events }) => formats.number(events) },
        ]}
      />
    </Dialog>
  );
}
