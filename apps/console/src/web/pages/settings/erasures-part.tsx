import { type ReactNode, useState } from 'react';
import type { RowOf } from '../../api/call.ts';
import { useList } from '../../api/use-call.ts';
import { Badge } from '../../components/badge.tsx';
import { type Column, ListPanel } from '../../components/data-table.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { EmptyState } from '../../components/states/page-state.tsx';
import { useFormats, useTexts } from '../../texts/use-texts.ts';
import { Certificate } from '../players/erasure.tsx';
import { VerifyCertificate } from '../players/verify-certificate.tsx';
import { type Names, nameOf, useNames } from './audit/object-of.ts';
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
  const [columns, projectColumns] = useColumns(useNames());
  const [shown, setShown] = useState<DeletedRow | ErasureRow | null>(null);
  return (
    <>
      <ListPanel
        title={texts.erasures}
        actions={<VerifyCertificate />}
        help={texts.erasuresHelp}
        list={erasures}
        empty={<EmptyState icon="trash" title={texts.noErasures} text={texts.noErasuresHelp} />}
        columns={columns}
        keyOf={({ id }) => id}
        onOpen={setShown}
      />
      {(deleted.query.data?.length ?? 0) > 0 && (
        <ListPanel
          title={texts.deletedProjects}
          list={deleted}
          columns={projectColumns}
          keyOf={({ id }) => id}
          onOpen={setShown}
        />
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

/** The columns of the erasures, and of the deleted projects. */
function useColumns(names: Names): readonly [Column<ErasureRow>[], Column<DeletedRow>[]] {
  const texts = useTexts(settingsTexts);
  const formats = useFormats();
  const common: Column<DeletedRow | ErasureRow>[] = [
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
  const id = { width: 'minmax(160px, 2fr)', look: 'code' } as const;
  const by: Column<DeletedRow | ErasureRow> = {
    title: texts.requestedBy,
    width: 'minmax(160px, 1fr)',
    render: ({ requestedBy }) => (requestedBy === byThemselves ? texts.byPlayer : nameOf(requestedBy, names)),
  };
  return [
    [
      ...common,
      {
        title: texts.events,
        width: '210px',
        render: ({ mode }) => (mode === 'mask' ? texts.modeMask : texts.modeRemove),
      },
      { ...id, title: texts.accountHash, render: ({ accountHash }) => accountHash },
      by,
    ],
    [...common, { ...id, title: texts.projectId, render: ({ projectId }) => projectId }, by],
  ];
}
