import { type ReactNode, useMemo } from 'react';
import type { AnswerOf } from '../../api/call.ts';
import { TimeSeries } from '../../charts/time-series.tsx';
import { Panel } from '../../components/panel.tsx';
import { useFormats } from '../../layout/use-time.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { overviewTexts } from './overview-texts.ts';

type Overview = AnswerOf<'GET /v1/overview'>;

interface ActivityChartProps {
  readonly overview: Overview;
  readonly hours: number;
}

/** Stored events per minute by type, on top of each other. */
export function ActivityChart({ overview: { activity }, hours }: ActivityChartProps): ReactNode {
  const texts = useTexts(overviewTexts);
  const formats = useFormats();
  const title = texts.events(formats.number(hours));
  return (
    <Panel title={title} className="self-start">
      {activity === null && <p className="text-soft">{texts.notCounted}</p>}
      {activity?.types.length === 0 && <p className="text-soft">{texts.noEvents}</p>}
      {activity !== null && activity.types.length > 0 && <Chart activity={activity} label={title} />}
    </Panel>
  );
}

interface ChartProps {
  readonly activity: NonNullable<Overview['activity']>;
  readonly label: string;
}

function Chart({ activity, label }: ChartProps): ReactNode {
  const texts = useTexts(overviewTexts);
  const formats = useFormats();
  const { from, bucketSeconds, types } = activity;
  const { timesMs, series } = useMemo(() => {
    const length = types[0]?.perBucket.length ?? 0;
    return {
      timesMs: Array.from({ length }, (_, index) => Date.parse(from) + index * bucketSeconds * 1_000),
      series: types.map(({ type, perBucket, events }) => ({
        name: type ?? texts.otherTypes,
        values: perBucket.map((count) => (count * 60) / bucketSeconds),
        total: events,
      })),
    };
  }, [from, bucketSeconds, types, texts]);
  return (
    <TimeSeries
      label={label}
      look="stacked"
      isOfPeriods
      timesMs={timesMs}
      series={series}
      height={260}
      format={formats.rate}
    />
  );
}
