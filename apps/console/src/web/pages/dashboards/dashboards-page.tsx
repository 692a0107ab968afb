import { type ReactNode, useState } from 'react';
import { useAct } from '../../api/use-call.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Dialog, DialogEnd } from '../../components/dialogs/dialog.tsx';
import { showToast } from '../../components/dialogs/toasts.tsx';
import { TextField } from '../../components/fields/text-field.tsx';
import { FileButton } from '../../components/file-button.tsx';
import { Form } from '../../components/form.tsx';
import { Panel } from '../../components/panel.tsx';
import { EmptyState, PageState, ProblemNote } from '../../components/states/page-state.tsx';
import { Page } from '../../layout/page.tsx';
import { useFormats, useTexts } from '../../texts/use-texts.ts';
import { readDashboardFile } from './dashboard-file.ts';
import { dashboardsTexts } from './dashboards-texts.ts';
import { RemoveDialog } from './remove-dialog.tsx';
import { type DashboardRow, useEvery, useOpenDashboard } from './use-dashboards.ts';

export function DashboardsPage(): ReactNode {
  const texts = useTexts(dashboardsTexts);
  const dashboards = useEvery('GET /v1/dashboards');
  const [isCreating, setCreating] = useState(false);
  const [removed, setRemoved] = useState<DashboardRow | null>(null);
  const open = useOpenDashboard();
  const create = (
    <Button look="primary" icon="plus" needs="queries:write" onPress={() => setCreating(true)}>
      {texts.create}
    </Button>
  );
  return (
    <Page
      actions={
        <>
          <ImportButton />
          {dashboards.data?.length !== 0 && create}
        </>
      }
    >
      <PageState
        query={dashboards}
        empty={
          <EmptyState icon="layers" title={texts.emptyTitle} text={texts.emptyText}>
            {create}
          </EmptyState>
        }
      >
        {(rows) => <DashboardTable rows={rows} onOpen={open} onRemove={setRemoved} />}
      </PageState>
      <Dialog title={texts.create} isOpen={isCreating} onClose={() => setCreating(false)}>
        <CreateForm onClose={() => setCreating(false)} onDone={open} />
      </Dialog>
      {removed !== null && <RemoveDialog dashboard={removed} onClose={() => setRemoved(null)} />}
    </Page>
  );
}

interface DashboardTableProps {
  readonly rows: readonly DashboardRow[];
  readonly onOpen: (dashboard: DashboardRow) => void;
  readonly onRemove: (dashboard: DashboardRow) => void;
}

function DashboardTable({ rows, onOpen, onRemove }: DashboardTableProps): ReactNode {
  const texts = useTexts(dashboardsTexts);
  const formats = useFormats();
  const description: Column<DashboardRow> = {
    title: texts.description,
    width: 'minmax(160px, 3fr)',
    look: 'soft',
    render: ({ content }) => content.description ?? '',
  };
  return (
    <Panel isFlush>
      <DataTable
        label={texts.dashboards}
        rows={rows}
        keyOf={({ id }) => id}
        onOpen={onOpen}
        columns={[
          {
            title: texts.name,
            width: 'minmax(200px, 2fr)',
            render: (row) => (
              <button
                type="button"
                className="foreign max-w-full truncate font-medium hover:underline"
                onClick={() => onOpen(row)}
              >
                {row.name}
              </button>
            ),
          },
          ...(rows.some(({ content }) => content.description !== undefined) ? [description] : []),
          {
            title: texts.tiles,
            width: '90px',
            isNumber: true,
            render: ({ content }) => formats.number(content.tiles.length),
          },
          { title: texts.created, width: '190px', render: ({ created }) => formats.time(created) },
          {
            title: '',
            width: '56px',
            render: (row) => (
              // A press on the button must not open the row below it.
              // biome-ignore lint/a11y/noStaticElementInteractions: it only holds the click of its button
              <div onClick={(event) => event.stopPropagation()}>
                <IconButton
                  icon="trash"
                  needs="queries:write"
                  className="-my-1"
                  label={texts.removeNamed(row.name)}
                  onPress={() => onRemove(row)}
                />
              </div>
            ),
          },
        ]}
      />
    </Panel>
  );
}

interface CreateFormProps {
  readonly onClose: () => void;
  readonly onDone: (dashboard: DashboardRow) => void;
}

function CreateForm({ onClose, onDone }: CreateFormProps): ReactNode {
  const texts = useTexts(dashboardsTexts);
  const [name, setName] = useState('');
  const create = useAct('POST /v1/dashboards', { changes: ['GET /v1/dashboards'], onDone });
  return (
    <Form onSubmit={() => create.mutate({ body: { name: name.trim(), content: { tiles: [] } } })}>
      <TextField label={texts.name} value={name} onChange={setName} autoFocus maxLength={200} />
      <DialogEnd action={texts.createAction} isDisabled={name.trim() === ''} act={create} onClose={onClose} />
    </Form>
  );
}

function ImportButton(): ReactNode {
  const texts = useTexts(dashboardsTexts);
  const [isWrong, setWrong] = useState(false);
  const create = useAct('POST /v1/dashboards', {
    changes: ['GET /v1/dashboards'],
    onDone: ({ name }) => showToast(texts.imported(name)),
  });
  const read = (text: string) => {
    const body = readDashboardFile(text);
    setWrong(body === null);
    if (body !== null) create.mutate({ body });
  };
  return (
    <>
      {isWrong && (
        <span role="alert" className="text-bad">
          {texts.importWrong}
        </span>
      )}
      <ProblemNote problem={create.error} />
      <FileButton label={texts.importAction} needs="queries:write" onText={read} />
    </>
  );
}
