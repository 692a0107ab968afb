import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { TimeSeries } from '../../../charts/time-series.tsx';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { Panel } from '../../../components/panel.tsx';
import { useTime } from '../../../layout/use-time.ts';
import { useFormats, useTexts } from '../../../texts/use-texts.ts';
import { rangeBefore } from '../../../time/time-range.ts';
import { completeOf, type ExploreSearch, type Per, perOf } from '../explore-search.ts';
import { exploreTexts } from '../explore-texts.ts';
import { AnswerPanel, AnswerState, chartHeight, useAnswer } from './answer-panel.tsx';
import { PlayersDialog } from './players-dialog.tsx';
import { type Point, periodsOf, seriesOf, sumOf, withTotal } from './series-of.ts';

interface CountsResultProps {
  readonly analysis: 'volume' | 'players';
  readonly question: ExploreSearch;
}

export function CountsResult({ analysis, question }: CountsResultProps): ReactNode {
  const counted = useAnswer(analysis, question, { compare: question.compare });
  return (
    <AnswerState query={counted}>
      {(answer) => <Counts analysis={analysis} question={question} {...answer} />}
    </AnswerState>
  );
}

/** A row of events has their type and their count. */
interface CountRow extends SplitRow {
  readonly at: string;
  readonly type?: string;
  readonly events?: number;
  readonly players?: number;
}

interface CountsProps extends CountsResultProps {
  readonly results: readonly CountRow[];
  /** With a comparison. */
  readonly before?: { readonly results: readonly CountRow[] } | undefined;
  readonly sql?: string | undefined;
}

/** Figures over time: a chart, and the sum of each series in a table. */
function Counts({ analysis, question, results, before, sql }: CountsProps): ReactNode {
  const texts = useTexts(exploreTexts);
  /** The players behind a series, or behind all of them. */
  const [behind, setBehind] = useState<CountRow | 'all' | null>(null);
  const { types, split, by } = question;
  // Events can be added, but not distinct players.
  const hasSums = analysis === 'volume';
  const nameOf = useCallback(
    (row: CountRow) => {
      const value = row.isRest === true ? texts.rest : (row.split ?? texts.without);
      if (row.type === undefined) return split === '' ? texts.players : value;
      return split === '' ? row.type : `${row.type}: ${value}`;
    },
    [split, texts],
  );
  const points = useMemo(() => {
    const pointsOf = (rows: readonly CountRow[]) =>
      rows.map((row) => ({ at: row.at, series: nameOf(row), value: row.events ?? row.players ?? 0 }));
    return { now: pointsOf(results), before: before && pointsOf(before.results) };
  }, [results, before, nameOf]);
  const chart = useCharted(points, perOf(analysis, question.per));
  const shown = useMemo(
    () => chart.series.slice(0, 12).map((one) => (hasSums ? withTotal(one) : one)),
    [chart, hasSums],
  );
  const { sums } = chart;
  const columns = useSumColumns(hasSums, before !== undefined);
  // The players behind a period are those of the events that happened in it.
  const isListed = hasSums ? by !== 'received' : split !== '';
  const open = ({ name }: SumRow) => setBehind(results.find((row) => nameOf(row) === name) ?? null);
  const title = hasSums ? texts.volume : texts.players;
  return (
    <>
      <AnswerPanel
        title={title}
        sql={sql}
        name={hasSums ? 'events' : 'players'}
        heads={['at', 'series', 'value']}
        rows={points.now.map(({ at, series, value }) => [at, series, value])}
        onPlayers={hasSums ? undefined : () => setBehind('all')}
      >
        <TimeSeries
          label={title}
          timesMs={chart.timesMs}
          series={shown}
          fromMs={chart.fromMs}
          height={chartHeight}
          isOfPeriods
        />
      </AnswerPanel>
      {((hasSums && sums.length > 1) || isListed) && (
        <Panel isFlush>
          <DataTable
            label={title}
            columns={columns}
            rows={sums}
            keyOf={({ name }) => name}
            {...(isListed && { onOpen: open })}
          />
        </Panel>
      )}
      {behind !== null && (
        <PlayersDialog
          of={behind === 'all' ? texts.players : nameOf(behind)}
          call="POST /v1/analyses/volume/players"
          asked={{
            types: behind === 'all' || behind.type === undefined ? [...types] : [behind.type],
            where: completeOf(question.where),
            ...(behind !== 'all' && split !== '' && { part: partOf(split, results, behind) }),
          }}
          onClose={() => setBehind(null)}
        />
      )}
    </>
  );
}

interface Points {
  readonly now: readonly Point[];
  readonly before: readonly Point[] | undefined;
}

function useCharted({ now: points, before }: Points, per: Per) {
  const texts = useTexts(exploreTexts);
  const { resolve, zone } = useTime();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a relative range is resolved again with each answer
  return useMemo(() => {
    const range = resolve();
    const { timesMs, series } = seriesOf(points, periodsOf(range, per, zone));
    const earlier = before && seriesOf(before, periodsOf(rangeBefore(range), per, zone)).series;
    const sums = series.map(({ name, values }) => ({
      name,
      sum: sumOf(values),
      most: Math.max(...values.map(Number)),
      before: earlier && sumOf(earlier.find((each) => each.name === name)?.values ?? []),
    }));
    const compared = (earlier ?? []).map(({ name: of, values }) => ({
      name: texts.before(of),
      values: timesMs.map((_, index) => values[index] ?? null),
    }));
    return { timesMs, series: [...series, ...compared], sums, fromMs: range.fromMs };
  }, [points, before, per, zone, texts]);
}

type SumRow = ReturnType<typeof useCharted>['sums'][number];

function useSumColumns(hasSums: boolean, isCompared: boolean): Column<SumRow>[] {
  const texts = useTexts(exploreTexts);
  const formats = useFormats();
  const changeColumn: Column<SumRow> = {
    title: texts.stepChange,
    isNumber: true,
    width: '200px',
    render: ({ sum, before }) => (before ? texts.change(signed(formats.percent(sum / before - 1))) : '–'),
  };
  return [
    {
      title: texts.series,
      width: 'minmax(160px, 1fr)',
      render: ({ name }) => <span title={name}>{name}</span>,
    },
    {
      title: hasSums ? texts.events : texts.mostInPeriod,
      width: hasSums ? '120px' : '180px',
      isNumber: true,
      render: ({ sum, most }) => formats.number(hasSums ? sum : most),
    },
    ...(isCompared && hasSums ? [changeColumn] : []),
  ];
}

function signed(percent: string): string {
  return percent.startsWith('-') || percent.startsWith('−') ? percent : `+${percent}`;
}

export interface SplitRow {
  readonly split?: string | null;
  readonly isRest?: boolean;
}

/** The events that a row of a split counts. The rest are those with none of the values of the other rows. */
export function partOf(member: string, rows: readonly SplitRow[], row: SplitRow) {
  if (row.isRest !== true) return { member, values: [row.split ?? null], isRest: false };
  const values = rows.flatMap(({ split, isRest }) => (isRest === true ? [] : [split ?? null]));
  return { member, values: [...new Set(values)], isRest: true };
}
