import type { ReactNode } from 'react';
import type { AnswerOf } from '../../api/call.ts';
import { useList } from '../../api/use-call.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Panel } from '../../components/panel.tsx';
import { PageState } from '../../components/states/page-state.tsx';
import { useFormats } from '../../layout/use-time.ts';
import { usePreferences } from '../../look/preferences.ts';
import { faultText } from '../../texts/fault-texts.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { faultyValue } from './find-pointer.ts';
import type { QuarantineFilter } from './quarantine-search.ts';
import { quarantineTexts } from './quarantine-texts.ts';

interface EntriesProps {
  readonly filter: QuarantineFilter;
  readonly openId: string | undefined;
  readonly onOpen: (id: string) => void;
}

/** The kept events, newest first. */
export function Entries({ filter, openId, onOpen }: EntriesProps): ReactNode {
  const texts = useTexts(quarantineTexts);
  const formats = useFormats();
  const { language } = usePreferences();
  const { query, more } = useList('GET /v1/quarantine', { query: filter });
  const typeColumn = {
    title: texts.type,
    render: ({ type }: AnswerOf<'GET /v1/quarantine'>['results'][number]) => (
      <span className="foreign font-mono text-sm">{type ?? texts.unknownType}</span>
    ),
  };
  return (
    <PageState query={query} empty={null}>
      {(rows) => (
        <Panel title={texts.entries} isFlush>
          <DataTable
            label={texts.entries}
            rows={rows}
            keyOf={({ id }) => id}
            openKey={openId ?? null}
            onOpen={({ id }) => onOpen(id)}
            more={more}
            height={Math.min(12, rows.length + 1) * 28 + 2}
            columns={[
              { title: texts.at, width: '190px', render: ({ at }) => formats.time(at) },
              ...(filter.type === undefined ? [typeColumn] : []),
              {
                title: texts.member,
                render: ({ pointer }) => (
                  <code className="foreign font-mono text-sm">{pointer?.slice(1).replaceAll('/', '.')}</code>
                ),
              },
              {
                title: texts.value,
                render: (row) => (
                  <code className="foreign font-mono text-sm text-bad">{faultyValue(row)}</code>
                ),
              },
              {
                title: texts.message,
                width: 'minmax(160px, 2fr)',
                render: (row) => <span className="foreign">{faultText(row, language)}</span>,
              },
            ]}
          />
        </Panel>
      )}
    </PageState>
  );
}
