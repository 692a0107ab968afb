import { useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AnswerOf, RowOf } from '../../api/call.ts';
import { useCall, useList } from '../../api/use-call.ts';
import { Button } from '../../components/button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Panel } from '../../components/panel.tsx';
import { EmptyState, PageState } from '../../components/states/page-state.tsx';
import { Page } from '../../layout/page.tsx';
import { useChangeSearch } from '../../layout/use-change-search.ts';
import { usePreferences } from '../../look/preferences.ts';
import { faultText, reasonName } from '../../texts/fault-texts.ts';
import { useFormats, useTexts } from '../../texts/use-texts.ts';
import { SumLine } from '../overview/proof-line.tsx';
import { EntryPanel } from './entry-panel.tsx';
import { DiscardButton, DownloadButton, ReplayButton } from './filter-acts.tsx';
import { faultyValue } from './find-pointer.ts';
import { Mend } from './mend.tsx';
import { QuarantineHistory } from './quarantine-history.tsx';
import type { QuarantineFilter, QuarantineSearch } from './quarantine-search.ts';
import { quarantineTexts } from './quarantine-texts.ts';

export function QuarantinePage(): ReactNode {
  const texts = useTexts(quarantineTexts);
  const formats = useFormats();
  const { language } = usePreferences();
  const { kind, type, reason, entry } = useSearch({ from: '/p/$projectId/quarantine' });
  const show: (change: QuarantineSearch) => void = useChangeSearch();
  const counts = useCall(
    'GET /v1/quarantine/counts',
    ({ from, to }) => ({ query: { since: from, until: to } }),
    { everyMs: 10_000 },
  );
  const waiting = waitingOf(counts.data);
  const unsampled = waiting.reduce((sum, row) => sum + row.unsampled, 0);
  const showAll = () => show({ kind: undefined, type: undefined, reason: undefined, entry: undefined });
  const filter = { ...(kind && { kind }), ...(type && { type }), ...(reason && { reason }) };
  const isMended = type !== undefined && kind !== 'dead';
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <Page
      actions={
        <>
          {(isFiltered || waiting.length > 0) && <DownloadButton filter={filter} />}
          {isFiltered && (
            <>
              <span className="foreign max-w-96 truncate text-soft">
                {texts.filter(
                  [kind && texts[kind], type, reason && reasonName(reason, language)]
                    .filter(Boolean)
                    .join(' · '),
                )}
              </span>
              <Button icon="x" onPress={showAll}>
                {texts.all}
              </Button>
              <DiscardButton filter={filter} name={type ?? reason ?? ''} />
              <ReplayButton filter={filter} />
            </>
          )}
        </>
      }
    >
      <QuarantineHistory type={type} reason={reason} />
      <PageState
        query={counts}
        isEmpty={() => waiting.length === 0}
        empty={<EmptyState icon="circle-check" title={texts.emptyTitle} text={texts.emptyText} />}
      >
        {() => (
          <Panel
            title={texts.counts}
            actions={!isFiltered && <span className="text-sm text-soft">{texts.choose}</span>}
            isFlush
          >
            {/* A replay needs the body of an event, and the gateways keep the bodies of a flood only in part. */}
            {unsampled > 0 && (
              <p className="px-3 py-2 text-soft">{texts.unsampledText(formats.number(unsampled))}</p>
            )}
            <Counts rows={waiting} onOpen={show} />
          </Panel>
        )}
      </PageState>
      <ReplaySums filter={filter} />
      <div className={`grid items-start gap-3 ${isMended || entry !== undefined ? 'xl:grid-cols-2' : ''}`}>
        <div className="flex min-w-0 flex-col gap-3">
          <Entries filter={filter} openId={entry} onOpen={(id) => show({ entry: id })} />
          {isMended && entry !== undefined && <EntryPanel id={entry} />}
        </div>
        {!isMended && entry !== undefined && <EntryPanel id={entry} onMend={show} />}
        {isMended && (
          <Mend
            key={type}
            type={type}
            filter={{ ...filter, kind: 'rejected' }}
            onOpen={(id) => show({ entry: id })}
            onMended={showAll}
          />
        )}
      </div>
    </Page>
  );
}

type CountsAnswer = AnswerOf<'GET /v1/quarantine/counts'>;

/** Without the rows of which every event was replayed. */
function waitingOf(counts: CountsAnswer | undefined): CountsAnswer['results'] {
  return (counts?.results ?? []).filter(({ kept, unsampled }) => kept + unsampled > 0);
}

interface CountsProps {
  readonly rows: CountsAnswer['results'];
  readonly onOpen: (search: QuarantineSearch) => void;
}

function Counts({ rows, onOpen }: CountsProps): ReactNode {
  const texts = useTexts(quarantineTexts);
  const formats = useFormats();
  const { language } = usePreferences();
  return (
    <DataTable
      label={texts.counts}
      rows={rows}
      keyOf={(row) => `${row.kind} ${row.type} ${row.version} ${row.reason}`}
      onOpen={(row) =>
        onOpen({ kind: row.kind, type: row.type ?? undefined, reason: row.reason, entry: undefined })
      }
      height={Math.min(12, rows.length + 1) * 28 + 2}
      columns={[
        {
          title: texts.type,
          width: 'minmax(100px, 1fr)',
          look: 'code',
          render: (row) => row.type ?? texts.unknownType,
        },
        {
          isDetail: true,
          title: texts.version,
          width: '80px',
          isNumber: true,
          render: (row) => row.version ?? '–',
        },
        {
          title: texts.reason,
          width: 'minmax(110px, 1fr)',
          render: (row) => reasonName(row.reason, language),
        },
        { title: texts.kind, isDetail: true, width: '110px', render: (row) => texts[row.kind] },
        { title: texts.events, width: '90px', isNumber: true, render: (row) => formats.number(row.events) },
        {
          isDetail: true,
          title: texts.kept,
          width: '90px',
          isNumber: true,
          render: (row) => formats.number(row.kept),
        },
        {
          title: texts.unsampled,
          width: '110px',
          isNumber: true,
          render: (row) => formats.number(row.unsampled),
        },
        { title: texts.last, isDetail: true, width: '190px', render: (row) => formats.time(row.last) },
      ]}
    />
  );
}

/** Where the rejected events of the filter are: in quarantine, on the way, stored. Absent before the first replay. */
function ReplaySums({ filter }: { readonly filter: QuarantineFilter }): ReactNode {
  const texts = useTexts(quarantineTexts);
  const { type, reason } = filter;
  const sums = useCall('GET /v1/quarantine/replays', { query: { type, reason } }, { everyMs: 2_000 });
  if (sums.data === undefined) return null;
  const { waiting, queued, stored, leftOut } = sums.data;
  if (queued + stored + leftOut === 0) return null;
  return (
    <div role="status">
      <SumLine
        label={texts.sums}
        parts={[
          ['', waiting, texts.sumsWaiting],
          ['+', queued, texts.sumsQueued],
          ['+', stored, texts.sumsStored],
          ...(leftOut > 0 ? ([['+', leftOut, texts.sumsLeftOut]] as const) : []),
        ]}
      >
        <div className="min-w-0">
          <h2 className="font-semibold">{texts.sums}</h2>
          <p className="text-sm text-soft">{texts.sumsText}</p>
        </div>
      </SumLine>
    </div>
  );
}

interface EntriesProps {
  readonly filter: QuarantineFilter;
  readonly openId: string | undefined;
  readonly onOpen: (id: string) => void;
}

function Entries({ filter, openId, onOpen }: EntriesProps): ReactNode {
  const texts = useTexts(quarantineTexts);
  const formats = useFormats();
  const { language } = usePreferences();
  const { query, more } = useList('GET /v1/quarantine', { query: filter });
  const typeColumn: Column<RowOf<'GET /v1/quarantine'>> = {
    title: texts.type,
    look: 'code',
    render: ({ type }) => type ?? texts.unknownType,
  };
  return (
    <PageState query={query} empty={null}>
      {(rows) => (
        <Panel title={texts.events} isFlush>
          <DataTable
            label={texts.events}
            rows={rows}
            keyOf={({ id }) => id}
            openKey={openId ?? null}
            onOpen={({ id }) => onOpen(id)}
            more={more}
            height={Math.min(12, rows.length + 1) * 28 + 2}
            columns={[
              { title: texts.time, width: '190px', render: ({ at }) => formats.time(at) },
              ...(filter.type === undefined ? [typeColumn] : []),
              {
                title: texts.member,
                look: 'code',
                render: ({ pointer }) => pointer?.slice(1).replaceAll('/', '.'),
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
                render: (row) => faultText(row, language),
              },
            ]}
          />
        </Panel>
      )}
    </PageState>
  );
}
