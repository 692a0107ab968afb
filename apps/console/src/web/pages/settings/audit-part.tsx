import { type ReactNode, useState } from 'react';
import type { RowOf } from '../../api/call.ts';
import { useList } from '../../api/use-call.ts';
import { Badge } from '../../components/badge.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { EmptyState, PageState } from '../../components/page-state.tsx';
import { Panel } from '../../components/panel.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useFormats } from '../../layout/use-time.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { settingsTexts } from './settings-texts.ts';

type Act = RowOf<'GET /v1/audit'>;

/** Who changed what, and who signed in. */
export function AuditPart(): ReactNode {
  const texts = useTexts(settingsTexts);
  const formats = useFormats();
  const [act, setAct] = useState('');
  const [shown, setShown] = useState<Act | null>(null);
  const acts = useList('GET /v1/audit', { query: { limit: 100, ...(act !== '' && { act }) } });
  const columns: Column<Act>[] = [
    { id: 'at', title: texts.at, width: '190px', render: ({ at }) => formats.time(at) },
    { id: 'act', title: texts.act, width: 'minmax(160px, 1fr)', render: (row) => row.act },
    {
      id: 'actor',
      title: texts.actor,
      width: 'minmax(200px, 2fr)',
      render: ({ actor }) => <span className="font-mono text-sm">{actor ?? '–'}</span>,
    },
    {
      id: 'address',
      title: texts.address,
      width: '140px',
      render: ({ clientAddress }) => <span className="font-mono text-sm">{clientAddress}</span>,
    },
    {
      id: 'outcome',
      title: texts.outcome,
      width: '150px',
      render: ({ outcome }) => <Badge tone={outcome === 'done' ? 'plain' : 'bad'}>{outcome ?? '–'}</Badge>,
    },
  ];
  return (
    <Panel
      title={texts.audit}
      isFlush
      actions={
        <TextField
          label={texts.filterAct}
          isLabelHidden
          placeholder={texts.anyAct}
          value={act}
          onChange={setAct}
          className="w-56"
          data-search
        />
      }
    >
      <PageState
        query={acts.query}
        isEmpty={(rows) => rows.length === 0}
        empty={<EmptyState icon="search" title={texts.noActs} />}
      >
        {(rows) => (
          <DataTable
            label={texts.audit}
            columns={columns}
            rows={rows}
            keyOf={({ id }) => id}
            onOpen={setShown}
            hasMore={acts.hasMore}
            onMore={() => void acts.loadMore()}
          />
        )}
      </PageState>
      <Dialog title={shown?.act ?? ''} isOpen={shown !== null} onClose={() => setShown(null)} width={640}>
        <CodeBlock label={texts.details} code={JSON.stringify(shown, null, 2)} isWrapped />
      </Dialog>
    </Panel>
  );
}
