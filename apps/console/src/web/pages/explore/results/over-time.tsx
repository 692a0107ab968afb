import { type ReactNode, useMemo } from 'react';
import { TimeSeries } from '../../../charts/time-series.tsx';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { Panel } from '../../../components/panel.tsx';
import { useFormats, useTime } from '../../../layout/use-time.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { rangeBefore } from '../../../time/time-range.ts';
import type { Per } from '../explore-search.ts';
import { exploreTexts } from '../explore-texts.ts';
import { AnswerPanel, chartHeight } from './answer-panel.tsx';
import { type Point, periodsOf, seriesOf, sumOf } from './series-of.ts';

interface OverTimeProps {
  readonly title: string;
  readonly name: string;
  readonly per: Per;
  readonly points: readonly Point[];
  /** With a comparison. */
  readonly before: readonly Point[] | undefined;
  readonly sql: string | undefined;
  /** The values can be added: events, but not distinct players. */
  readonly hasSums: boolean;
  readonly onPlayers: ((series: string) => void) | undefined;
  /** For the players of all series together. */
  readonly onAllPlayers: (() => void) | undefined;
}

interface SumRow {
  readonly name: string;
  readonly sum: number;
  readonly most: number;
  readonly before: number | null;
}

/** Figures over time: a chart, and the sum of each series in a table. */
export function OverTime(props: OverTimeProps): ReactNode {
  const { title, name, per, points, before, sql, hasSums, onPlayers, onAllPlayers } = props;
  const texts = useTexts(exploreTexts);
  const formats = useFormats();
  const { resolve, zone } = useTime();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a relative range is resolved again with each answer
  const charted = useMemo(() => {
    const range = resolve();
    const now = seriesOf(points, periodsOf(range, per, zone));
    const { fromMs } = range;
    if (before === undefined) return { ...now, fromMs };
    const earlier = seriesOf(before, periodsOf(rangeBefore(range), per, zone));
    const series = earlier.series.map(({ name: of, values }) => ({
      name: texts.before(of),
      values: now.timesMs.map((_, index) => values[index] ?? null),
    }));
    return { timesMs: now.timesMs, series: [...now.series, ...series], fromMs };
  }, [points, before, per, zone, texts]);
  const shown = useMemo(
    () => charted.series.slice(0, 12).map((one) => (hasSums ? { ...one, total: sumOf(one.values) } : one)),
    [charted, hasSums],
  );
  const sums = useMemo(() => sumsOf(points, before), [points, before]);
  const columns: Column<SumRow>[] = [
    {
      title: texts.series,
      width: 'minmax(160px, 1fr)',
      render: (row) => (
        <span className="foreign" title={row.name}>
          {row.name}
        </span>
      ),
    },
    {
      title: hasSums ? texts.events : texts.mostInPeriod,
      width: hasSums ? '120px' : '180px',
      isNumber: true,
      render: (row) => formats.number(hasSums ? row.sum : row.most),
    },
    ...(before === undefined || !hasSums
      ? []
      : [
          {
            title: texts.changeColumn,
            isNumber: true,
            width: '200px',
            render: ({ sum, before: earlier }: SumRow) =>
              earlier === null || earlier === 0
                ? '–'
                : texts.change(signed(formats.percent(sum / earlier - 1))),
          },
        ]),
  ];
  return (
    <>
      <AnswerPanel
        title={title}
        sql={sql}
        name={name}
        heads={['at', 'series', 'value']}
        rows={points.map(({ at, series, value }) => [at, series, value])}
        onPlayers={onAllPlayers}
      >
        <TimeSeries label={title} {...charted} series={shown} height={chartHeight} isOfPeriods />
      </AnswerPanel>
      {((hasSums && sums.length > 1) || onPlayers !== undefined) && (
        <Panel isFlush>
          <DataTable
            label={title}
            columns={columns}
            rows={sums}
            keyOf={(row) => row.name}
            {...(onPlayers !== undefined && { onOpen: (row: SumRow) => onPlayers(row.name) })}
          />
        </Panel>
      )}
    </>
  );
}

function signed(percent: string): string {
  return percent.startsWith('-') || percent.startsWith('−') ? percent : `+${percent}`;
}

function sumsOf(points: readonly Point[], before: readonly Point[] | undefined): SumRow[] {
  const sums = sumByName(points);
  const earlier = before === undefined ? null : sumByName(before);
  return [...sums]
    .map(([name, sum]) => ({
      name,
      sum,
      before: earlier === null ? null : (earlier.get(name) ?? 0),
      most: Math.max(...points.filter(({ series }) => series === name).map(({ value }) => value)),
    }))
    .toSorted((a, b) => b.sum - a.sum);
}

function sumByName(points: readonly Point[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { series, value } of points) sums.set(series, (sums.get(series) ?? 0) + value);
  return sums;
}
