import { type ReactNode, useMemo } from 'react';
import type { RowOf } from '../../api/call.ts';
import { useCall } from '../../api/use-call.ts';
import { fillBuckets } from '../../charts/fill-buckets.ts';
import { TimeSeries } from '../../charts/time-series.tsx';
import { Panel } from '../../components/panel.tsx';
import { useTime } from '../../layout/use-time.ts';
import { usePreferences } from '../../look/preferences.ts';
import { reasonName } from '../../texts/fault-texts.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { timesOf } from '../../time/time-range.ts';
import { seriesOf, withTotal } from '../explore/results/series-of.ts';
import { quarantineTexts } from './quarantine-texts.ts';

interface QuarantineHistoryProps {
  readonly type: string | undefined;
  readonly reason: string | undefined;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** The server answers no longer range. */
const mostMs = 31 * dayMs;
const mostShown = 7;
const bucketMs = { '10minutes': 600_000, hour: hourMs, day: dayMs } as const;

/** How many events were refused in each bucket, by type and reason. Nothing while there are none. */
export function QuarantineHistory({ type, reason }: QuarantineHistoryProps): ReactNode {
  const texts = useTexts(quarantineTexts);
  const { range, resolve } = useTime();
  const span = () => {
    const { fromMs, toMs } = resolve();
    return { fromMs: Math.max(fromMs, toMs - mostMs), toMs };
  };
  const { fromMs, toMs } = span();
  const per = bucketOf(toMs - fromMs);
  const history = useCall(
    'GET /v1/quarantine/history',
    () => ({ query: { ...timesOf(span()), per, type, reason } }),
    { key: `${range} ${per} ${type} ${reason}`, everyMs: 30_000 },
  );
  const rows = history.data?.results;
  if (rows === undefined || rows.length === 0) return null;
  return (
    <Panel title={texts.history}>
      <p className="text-sm text-soft">{texts.historyText}</p>
      <Chart rows={rows} fromMs={fromMs} toMs={toMs} bucketMs={bucketMs[per]} />
    </Panel>
  );
}

function bucketOf(lengthMs: number): keyof typeof bucketMs {
  if (lengthMs <= dayMs) return '10minutes';
  return lengthMs <= 8 * dayMs ? 'hour' : 'day';
}

interface ChartProps {
  readonly rows: readonly RowOf<'GET /v1/quarantine/history'>[];
  readonly fromMs: number;
  readonly toMs: number;
  readonly bucketMs: number;
}

function Chart({ rows, fromMs, toMs, bucketMs: length }: ChartProps): ReactNode {
  const texts = useTexts(quarantineTexts);
  const { language } = usePreferences();
  const { timesMs, series } = useMemo(() => {
    const points = rows.map(({ at, type, reason, events }) => ({
      at,
      series: `${type ?? texts.unknownType} · ${reasonName(reason, language)}`,
      value: events,
    }));
    const charted = seriesOf(points, fillBuckets(rows, { fromMs, toMs, bucketMs: length }));
    return { ...charted, series: charted.series.slice(0, mostShown).map(withTotal) };
  }, [rows, fromMs, toMs, length, texts, language]);
  return <TimeSeries label={texts.history} isStacked timesMs={timesMs} series={series} height={140} />;
}
