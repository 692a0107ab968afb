import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import type { AnswerOf } from '../../api/call.ts';
import { TimeSeries } from '../../charts/time-series.tsx';
import { Button } from '../../components/button.tsx';
import { SelectField } from '../../components/fields/select-field.tsx';
import { Panel } from '../../components/panel.tsx';
import { useFormats, useTexts } from '../../texts/use-texts.ts';
import { overviewTexts } from './overview-texts.ts';

type Overview = AnswerOf<'GET /v1/overview'>;

const countedTimes = ['occurred', 'received'] as const;
export type CountedTime = (typeof countedTimes)[number];

interface ActivityChartProps {
  readonly overview: Overview;
  readonly hours: number;
  readonly by: CountedTime;
  readonly onBy: (by: CountedTime) => void;
}

/** What the rest of the page leaves of the window, and on a phone not more than its width. */
const height = 'clamp(240px, min(100dvh - 396px, 60vw), 720px)';

export function ActivityChart({
  overview: { at, activity },
  hours,
  by,
  onBy,
}: ActivityChartProps): ReactNode {
  const texts = useTexts(overviewTexts);
  const formats = useFormats();
  const navigate = useNavigate({ from: '/p/$projectId' });
  const openSql = (sql: string) => void navigate({ to: '/p/$projectId/sql', search: { tab: '', sql } });
  const unit = unitOf(activity);
  const last = texts.lastHours(formats.number(hours));
  const title =
    unit === 'minute'
      ? texts.events(last)
      : texts.eventsPerPeriod(formats.number((activity?.bucketSeconds ?? 60) / 60), last);
  return (
    <Panel
      title={title}
      className="self-start"
      actions={
        activity !== null && (
          <>
            <SelectField
              label={texts.countedBy}
              isLabelHidden
              value={by}
              choices={countedTimes}
              labelOf={(each) => texts[each]}
              onChange={onBy}
            />
            <Button
              look="quiet"
              icon="terminal"
              needs="queries:read"
              onPress={() => openSql(activitySql(by, hours, activity.bucketSeconds))}
            >
              {texts.openSql}
            </Button>
          </>
        )
      }
    >
      {activity === null && <p className="text-soft">{texts.notCounted}</p>}
      {activity?.types.length === 0 && <p className="text-soft">{texts.noEvents}</p>}
      {activity !== null && activity.types.length > 0 && (
        <Chart activity={activity} unit={unit} label={title} fromMs={Date.parse(at) - hours * 3_600_000} />
      )}
    </Panel>
  );
}

function activitySql(by: CountedTime, hours: number, bucketSeconds: number): string {
  return `SELECT toStartOfInterval(${by}, INTERVAL ${bucketSeconds} SECOND) AS at, type, count() AS events
FROM events
WHERE ${by} >= now() - INTERVAL ${hours} HOUR
GROUP BY at, type
ORDER BY at, type`;
}

/**
 * A project's first events would be fractions of an event per minute. Counts are shown until a minute has an event on
 * average.
 */
function unitOf(activity: Overview['activity']): 'minute' | 'bucket' {
  if (activity === null) return 'minute';
  const { bucketSeconds, types } = activity;
  const length = types[0]?.perBucket.length ?? 0;
  const most = Math.max(
    0,
    ...Array.from({ length }, (_, index) =>
      types.reduce((sum, { perBucket }) => sum + (perBucket[index] ?? 0), 0),
    ),
  );
  return bucketSeconds > 60 && most * 60 < bucketSeconds ? 'bucket' : 'minute';
}

interface ChartProps {
  readonly unit: 'minute' | 'bucket';
  readonly activity: NonNullable<Overview['activity']>;
  readonly label: string;
  readonly fromMs: number;
}

function Chart({ activity, unit, label, fromMs }: ChartProps): ReactNode {
  const texts = useTexts(overviewTexts);
  const formats = useFormats();
  const { from, bucketSeconds, types } = activity;
  const perUnit = unit === 'minute' ? 60 / bucketSeconds : 1;
  const { timesMs, series } = useMemo(() => {
    const length = types[0]?.perBucket.length ?? 0;
    return {
      timesMs: Array.from({ length }, (_, index) => Date.parse(from) + index * bucketSeconds * 1_000),
      series: types.map(({ type, perBucket, events }) => ({
        name: type ?? texts.otherTypes,
        values: perBucket.map((count) => count * perUnit),
        total: events,
      })),
    };
  }, [from, bucketSeconds, perUnit, types, texts]);
  return (
    <TimeSeries
      label={label}
      isStacked
      isOfPeriods
      fromMs={fromMs}
      timesMs={timesMs}
      series={series}
      height={height}
      format={formats.rate}
    />
  );
}
