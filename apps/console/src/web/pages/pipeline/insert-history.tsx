import { type ReactNode, useMemo } from 'react';
import type { AnswerOf } from '../../api/call.ts';
import { fillBuckets } from '../../charts/fill-buckets.ts';
import { TimeSeries } from '../../charts/time-series.tsx';
import { Panel } from '../../components/panel.tsx';
import { useFormats } from '../../layout/use-time.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { nowMs } from '../../time/clock.ts';
import { pipelineTexts } from './pipeline-texts.ts';

interface InsertHistoryProps {
  readonly history: AnswerOf<'GET /v1/pipeline/history'>;
  readonly hours: number;
}

/** What the workers stored of this project, and how long it took. */
export function InsertHistory({ history, hours }: InsertHistoryProps): ReactNode {
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
