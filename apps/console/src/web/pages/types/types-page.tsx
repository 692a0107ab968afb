import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { RowOf } from '../../api/call.ts';
import { useCall, useList, useSettled } from '../../api/use-call.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { TextField } from '../../components/fields/text-field.tsx';
import { Panel } from '../../components/panel.tsx';
import { EmptyState, PageState } from '../../components/states/page-state.tsx';
import { useMay } from '../../components/states/permissions.tsx';
import { Page } from '../../layout/page.tsx';
import { useChangeSearch } from '../../layout/use-change-search.ts';
import { useFormats, useTexts } from '../../texts/use-texts.ts';
import { DeclarationEditor } from './editor/declaration-editor.tsx';
import { DeclarationFileButtons } from './import-declarations.tsx';
import { typesTexts } from './types-texts.ts';

export function TypesPage(): ReactNode {
  const texts = useTexts(typesTexts);
  const [search, setSearch] = useState('');
  const { edit } = useSearch({ from: '/p/$projectId/types' });
  const navigate = useNavigate();
  const changeSearch = useChangeSearch();
  const types = useList('GET /v1/event-types', { query: { limit: 200 } });
  const create = (
    <Button look="primary" icon="plus" needs="eventTypes:write" onPress={() => changeSearch({ edit: true })}>
      {texts.create}
    </Button>
  );
  if (edit === true)
    return (
      <Page
        title={texts.create}
        actions={
          <Button look="quiet" onPress={() => changeSearch({ edit: undefined })}>
            {texts.back}
          </Button>
        }
      >
        <DeclarationEditor
          name={null}
          declaration={firstDeclaration}
          description={null}
          version={0}
          onDone={(name) =>
            void navigate({ from: '/p/$projectId', to: '/p/$projectId/types/$name', params: { name } })
          }
        />
      </Page>
    );
  return (
    <Page
      actions={
        <>
          <span data-search>
            <TextField
              label={texts.search}
              isLabelHidden
              placeholder={texts.search}
              value={search}
              onChange={setSearch}
              type="search"
              className="w-56"
            />
          </span>
          <DeclarationFileButtons />
          {types.query.data?.length !== 0 && create}
        </>
      }
    >
      <PageState
        query={types.query}
        empty={
          <EmptyState icon="shapes" title={texts.emptyTitle} text={texts.emptyText}>
            {create}
          </EmptyState>
        }
      >
        {(rows) => <FoundTypes rows={rows} more={types.more} search={search.trim()} />}
      </PageState>
    </Page>
  );
}

type TypeRow = RowOf<'GET /v1/event-types'>;

interface FoundTypesProps extends TypeTableProps {
  readonly search: string;
}

/** The loaded types with these words. Of a list that is longer, the server finds them. */
function FoundTypes({ rows, more, search }: FoundTypesProps): ReactNode {
  const wanted = useSettled(search);
  const isAsked = more !== undefined && wanted !== '';
  const found = useList('GET /v1/event-types', { query: { search: wanted } }, { enabled: isAsked });
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const isMatch = ({ name }: TypeRow) => words.every((word) => name.toLowerCase().includes(word));
  if (isAsked && found.query.data !== undefined)
    return <TypeTable rows={found.query.data.filter(isMatch)} more={found.more} />;
  return <TypeTable rows={rows.filter(isMatch)} more={more} />;
}

interface TypeTableProps {
  readonly rows: readonly TypeRow[];
  readonly more: (() => void) | undefined;
}

function TypeTable({ rows, more }: TypeTableProps): ReactNode {
  const texts = useTexts(typesTexts);
  const formats = useFormats();
  const navigate = useNavigate({ from: '/p/$projectId' });
  const may = useMay();
  const amounts = useAmounts();
  const rejectedColumn: Column<TypeRow> = {
    title: texts.rejected,
    width: '110px',
    isNumber: true,
    render: ({ name }) => {
      if (amounts.events === null || amounts.rejected === null) return amounts.missing;
      const [events, rejected] = [amounts.events.get(name) ?? 0, amounts.rejected.get(name) ?? 0];
      if (rejected === 0) return <span className="text-soft">0</span>;
      const [stored, refused] = [formats.number(events), formats.number(rejected)];
      return (
        <span className="text-bad" title={texts.rejectedOf(refused, stored)}>
          {/* A share of nothing that was stored says nothing: the number does. */}
          {events === 0 ? refused : formats.percent(rejected / (rejected + events), 'aligned')}
        </span>
      );
    },
  };
  if (rows.length === 0) return <EmptyState icon="search" title={texts.noMatch} />;
  return (
    <Panel isFlush>
      <DataTable
        label={texts.types}
        rows={rows}
        keyOf={({ name }) => name}
        onOpen={({ name }) => void navigate({ to: '/p/$projectId/types/$name', params: { name } })}
        more={more}
        columns={[
          { title: texts.name, width: 'minmax(180px, 1fr)', look: 'code', render: ({ name }) => name },
          {
            title: texts.description,
            width: 'minmax(160px, 3fr)',
            look: 'soft',
            render: ({ description }) => description,
          },
          {
            title: texts.events,
            width: '110px',
            isNumber: true,
            render: ({ name }) =>
              amounts.events === null ? amounts.missing : formats.number(amounts.events.get(name) ?? 0),
          },
          ...(may('quarantine:read') ? [rejectedColumn] : []),
          { title: texts.versions, width: '90px', isNumber: true, render: ({ versions }) => versions.length },
          {
            title: texts.status,
            width: '130px',
            render: ({ versions, viewFault }) =>
              viewFault === null ? (
                <StatusBadge status={versions.at(-1)?.status ?? 'available'} />
              ) : (
                <Badge tone="bad">{texts.viewFault}</Badge>
              ),
          },
        ]}
      />
    </Panel>
  );
}

export function StatusBadge({
  status,
}: {
  readonly status: 'available' | 'deprecated' | 'retired';
}): ReactNode {
  const texts = useTexts(typesTexts);
  return <Badge tone={status === 'available' ? 'plain' : 'bad'}>{texts[status]}</Badge>;
}

/** Stored and rejected events of each type in the time range: two calls for all rows. Null until they are known. */
function useAmounts() {
  const may = useMay();
  const volume = useCall('POST /v1/analyses/volume', (times) => ({ body: { ...times, per: 'month' } }));
  const counts = useCall(
    'GET /v1/quarantine/counts',
    ({ from, to }) => ({ query: { since: from, until: to, state: 'any' } }),
    { enabled: may('quarantine:read') },
  );
  const isFailed = volume.error !== null || counts.error !== null;
  return {
    /** Shown for a number that is on its way, or that could not be loaded. */
    missing: <span className="text-soft">{isFailed ? '–' : '…'}</span>,
    events: volume.data === undefined ? null : sumsOf(volume.data.results),
    rejected: counts.data === undefined ? null : sumsOf(counts.data.results),
  };
}

function sumsOf(
  rows: readonly { readonly type: string | null; readonly events: number }[],
): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { type, events } of rows) if (type !== null) sums.set(type, (sums.get(type) ?? 0) + events);
  return sums;
}

const firstDeclaration = {
  type: 'object',
  required: [],
  properties: { level: { type: 'integer' } },
};
