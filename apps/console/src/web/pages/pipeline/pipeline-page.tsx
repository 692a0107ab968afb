import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import type { AnswerOf, RowOf } from '../../api/call.ts';
import { isForbidden } from '../../api/problem.ts';
import { useCall } from '../../api/use-call.ts';
import { fillBuckets } from '../../charts/fill-buckets.ts';
import { TimeSeries } from '../../charts/time-series.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stat } from '../../components/stat.tsx';
import { PageState } from '../../components/states/page-state.tsx';
import { Page } from '../../layout/page.tsx';
import { useHours } from '../../layout/use-time.ts';
import { Icon } from '../../look/icon.tsx';
import { usePreferences } from '../../look/preferences.ts';
import { reasonName } from '../../texts/fault-texts.ts';
import { useFormats, useTexts } from '../../texts/use-texts.ts';
import { nowMs } from '../../time/clock.ts';
import { AttentionList, NothingToMend } from '../overview/attention-list.tsx';
import { ProofLine } from '../overview/proof-line.tsx';
import { DiscardButton, ReplayButton } from '../quarantine/filter-acts.tsx';
import { Installation } from './installation.tsx';
import { pipelineTexts } from './pipeline-texts.ts';

const pollMs = 5_000;
const historyMs = 30_000;

/** Where events are between the gateway and ClickHouse, and what to do when they stay there. */
export function PipelinePage(): ReactNode {
  const hours = useHours();
  const status = useCall('GET /v1/pipeline', undefined, { everyMs: pollMs });
  const history = useCall('GET /v1/pipeline/history', { query: { hours } }, { everyMs: historyMs });
  return (
    <Page>
      <PageState query={status}>
        {(now) => (
          <>
            <ProofLine events={now.events} />
            <Figures status={now} />
            <div className="grid gap-3 xl:grid-cols-2">
              <Alarms />
              <DeadLetters />
            </div>
            <PageState query={history}>{(past) => <InsertHistory history={past} hours={hours} />}</PageState>
            <Installation now={now.installation} samples={history.data?.installation ?? null} />
          </>
        )}
      </PageState>
    </Page>
  );
}

function Figures({ status }: { readonly status: AnswerOf<'GET /v1/pipeline'> }): ReactNode {
  const texts = useTexts(pipelineTexts);
  const formats = useFormats();
  const { inserts, usage } = status;
  const durationOr = (seconds: number | null) => (seconds === null ? '–' : formats.duration(seconds));
  return (
    <div className="flex flex-wrap gap-3">
      <Stat name={texts.stored} value={formats.rate(inserts.eventsPerSecond)} detail={texts.storedDetail} />
      <Stat name={texts.batches} value={formats.number(inserts.inserts)} detail={texts.batchesDetail} />
      <Stat
        name={texts.insertTime}
        value={durationOr(inserts.meanSeconds)}
        detail={
          inserts.p99Seconds === null
            ? texts.insertNone
            : texts.insertTimeDetail(formats.duration(inserts.p99Seconds))
        }
      />
      <Stat
        name={texts.open}
        value={formats.number(inserts.openInserts)}
        detail={
          inserts.oldestOpenSeconds === null
            ? texts.openNone
            : texts.openDetail(formats.duration(inserts.oldestOpenSeconds))
        }
      />
      <Stat
        name={texts.today}
        value={formats.compact(usage.today)}
        detail={texts.todayDetail(formats.compact(usage.thisMonth))}
      />
    </div>
  );
}

function Alarms(): ReactNode {
  const texts = useTexts(pipelineTexts);
  const overview = useCall('GET /v1/overview', undefined, { everyMs: pollMs });
  return (
    <Panel title={texts.alarms}>
      <PageState query={overview} skeletonLines={2}>
        {({ attention }) => <AttentionList items={attention} none={texts.alarmsNone} />}
      </PageState>
    </Panel>
  );
}

/** Accepted events that ClickHouse refused: sent again or discarded, by type and reason. */
function DeadLetters(): ReactNode {
  const texts = useTexts(pipelineTexts);
  const counts = useCall('GET /v1/quarantine/counts', { query: { kind: 'dead' } }, { everyMs: 10_000 });
  return (
    <Panel title={texts.dead}>
      {isForbidden(counts.error) ? (
        <p className="flex items-center gap-2 text-soft">
          <Icon name="lock" />
          {texts.deadForbidden}
        </p>
      ) : (
        <PageState query={counts} skeletonLines={2} empty={<NothingToMend text={texts.deadNone} />}>
          {({ results }) => (
            <div className="flex flex-col gap-2">
              <p className="text-soft">{texts.deadText}</p>
              <ul className="flex flex-col divide-y divide-line">
                {results.map((row) => (
                  <DeadRow key={`${row.type} ${row.version} ${row.reason}`} row={row} />
                ))}
              </ul>
            </div>
          )}
        </PageState>
      )}
    </Panel>
  );
}

function DeadRow({ row }: { readonly row: RowOf<'GET /v1/quarantine/counts'> }): ReactNode {
  const texts = useTexts(pipelineTexts);
  const formats = useFormats();
  const { language } = usePreferences();
  const { type, reason, events, last } = row;
  const words = { ...texts, discardText: texts.discardText(formats.number(events)) };
  const filter = { kind: 'dead', reason, ...(type !== null && { type }) } as const;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-1.5">
      <Link
        to="/p/$projectId/quarantine"
        from="/p/$projectId"
        search={filter}
        title={texts.details}
        className="flex min-w-0 flex-1 basis-56 flex-col hover:underline"
      >
        <span className="foreign">
          <span className="font-mono text-sm">{type ?? texts.unknownType}</span> ·{' '}
          {reasonName(reason, language)}
        </span>
        <span className="text-soft">
          {texts.deadEvents(formats.number(events))}, {texts.deadSince(formats.time(last))}
        </span>
      </Link>
      {/* Without a type, the filter would hold for the other types with this reason too. */}
      {type !== null && (
        <span className="flex gap-2">
          <ReplayButton filter={filter} words={words} />
          <DiscardButton filter={filter} name={type} words={words} />
        </span>
      )}
    </li>
  );
}

interface InsertHistoryProps {
  readonly history: AnswerOf<'GET /v1/pipeline/history'>;
  readonly hours: number;
}

/** What the workers stored of this project, and how long it took. */
function InsertHistory({ history, hours }: InsertHistoryProps): ReactNode {
  const texts = useTexts(pipelineTexts);
  const formats = useFormats();
  const { timesMs, events, total, seconds } = useMemo(() => seriesOf(history, hours), [history, hours]);
  const shown = texts.lastHours(formats.number(hours));
  const none = <p className="text-soft">{texts.noInserts}</p>;
  const isEmpty = timesMs.length === 0;
  const eventSeries = useMemo(() => [{ name: texts.events, values: events, total }], [events, total, texts]);
  const timeSeries = useMemo(() => [{ name: texts.mean, values: seconds }], [seconds, texts]);
  const charts = [
    { label: texts.eventsOverTime(shown), series: eventSeries, isOfPeriods: true, format: formats.whole },
    {
      label: texts.timeOverTime(shown),
      series: timeSeries,
      isOfPeriods: false,
      format: formats.duration,
      unit: 'seconds' as const,
    },
  ];
  return (
    <div className="grid gap-3 xl:grid-cols-2">
      {charts.map((chart) => (
        <Panel key={chart.label} title={chart.label}>
          {isEmpty ? none : <TimeSeries timesMs={timesMs} {...chart} />}
        </Panel>
      ))}
    </div>
  );
}

function seriesOf({ inserts, bucketSeconds }: InsertHistoryProps['history'], hours: number) {
  const toMs = nowMs();
  const timesMs = fillBuckets(inserts, {
    fromMs: toMs - hours * 3_600_000,
    toMs,
    bucketMs: bucketSeconds * 1000,
  });
  const rows = new Map(inserts.map((row) => [Date.parse(row.at), row]));
  const perMinute = bucketSeconds / 60;
  return {
    timesMs,
    total: inserts.reduce((sum, row) => sum + row.events, 0),
    events: timesMs.map((at) => (rows.get(at)?.events ?? 0) / perMinute),
    seconds: timesMs.map((at) => rows.get(at)?.meanSeconds ?? null),
  };
}
