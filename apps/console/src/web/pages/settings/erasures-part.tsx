import { type ReactNode, useState } from 'react';
import type { RowOf } from '../../api/call.ts';
import { useList } from '../../api/use-call.ts';
import { Badge } from '../../components/badge.tsx';
import { type Column, DataTable, ListTable } from '../../components/data-table.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { Panel } from '../../components/panel.tsx';
import { EmptyState } from '../../components/states/page-state.tsx';
import { useFormats } from '../../layout/use-time.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Certificate } from '../players/erasure.tsx';
import { VerifyCertificate } from '../players/verify-certificate.tsx';
import { type Names, nameOf } from './audit/object-of.ts';
import { useNames } from './audit/use-names.ts';
import { settingsTexts } from './settings-texts.ts';

/** How an erasure names the player who asked for it. */
const byThemselves = 'the account';

type ErasureRow = RowOf<'GET /v1/erasures'>;
type DeletedRow = RowOf<'GET /v1/deleted-projects'>;

/** Every erasure of the project, and the projects that this person deleted, with their certificates. */
export function ErasuresPart(): ReactNode {
  const texts = useTexts(settingsTexts);
  const erasures = useList('GET /v1/erasures');
  const deleted = useList('GET /v1/deleted-projects');
  const names = useNames();
  const columns = useErasureColumns(names);
  const projectColumns = useDeletedColumns(names);
  const [shown, setShown] = useState<DeletedRow | ErasureRow | null>(null);
  return (
    <>
      <Panel title={texts.erasures} isFlush actions={<VerifyCertificate />}>
        <p className="px-3 pb-2 text-soft">{texts.erasuresHelp}</p>
        <ListTable
          list={erasures}
          empty={<EmptyState icon="trash" title={texts.noErasures} text={texts.noErasuresHelp} />}
          label={texts.erasures}
          columns={columns}
          keyOf={({ id }) => id}
          onOpen={setShown}
        />
      </Panel>
      {(deleted.query.data?.length ?? 0) > 0 && (
        <Panel title={texts.deletedProjects} isFlush>
          <DataTable
            label={texts.deletedProjects}
            columns={projectColumns}
            rows={deleted.query.data ?? []}
            keyOf={({ id }) => id}
            onOpen={setShown}
            more={deleted.more}
          />
        </Panel>
      )}
      <Dialog title={texts.certificate} isOpen={shown !== null} onClose={() => setShown(null)} width={640}>
        {shown?.fault != null && <p className="foreign text-bad">{shown.fault}</p>}
        {shown?.certificate == null ? (
          <p>{texts.noCertificate}</p>
        ) : (
          <Certificate certificate={shown.certificate} id={shown.id} />
        )}
      </Dialog>
    </>
  );
}

function useDeletedColumns(names: Names): Column<DeletedRow>[] {
  const texts = useTexts(settingsTexts);
  return [
    ...useCommonColumns(),
    {
      title: texts.projectId,
      width: 'minmax(160px, 2fr)',
      look: 'code',
      render: ({ projectId }) => projectId,
    },
    {
      title: texts.requestedBy,
      width: 'minmax(160px, 1fr)',
      render: ({ requestedBy }) => nameOf(requestedBy, names),
    },
  ];
}

function useCommonColumns(): Column<DeletedRow | ErasureRow>[] {
  const texts = useTexts(settingsTexts);
  const formats = useFormats();
  return [
    { title: texts.requested, width: '190px', render: ({ requested }) => formats.time(requested) },
    {
      title: texts.state,
      width: '120px',
      render: ({ state }) => (
        <Badge tone={state === 'done' ? 'accent' : 'plain'}>
          {state === 'done' ? texts.erased : texts.erasing}
        </Badge>
      ),
    },
  ];
}

function useErasureColumns(names: Names): Column<ErasureRow>[] {
  const texts = useTexts(settingsTexts);
  return [
    ...useCommonColumns(),
    {
      title: texts.events,
      width: '210px',
      render: ({ mode }) => (mode === 'mask' ? texts.modeMask : texts.modeRemove),
    },
    {
      title: texts.accountHash,
      width: 'minmax(160px, 2fr)',
      look: 'code',
      render: ({ accountHash }) => accountHash,
    },
    {
      title: texts.requestedBy,
      width: 'minmax(160px, 1fr)',
      render: ({ requestedBy }) =>
        requestedBy === byThemselves ? texts.byPlayer : nameOf(requestedBy, names),
    },
  ];
}
