import { type ReactNode, useMemo } from 'react';
import { Bars } from '../../../charts/bars.tsx';
import { Funnel } from '../../../charts/funnel.tsx';
import { TimeSeries } from '../../../charts/time-series.tsx';
import { useTime } from '../../../layout/use-time.ts';
import { barsOf, linesOf, numberOf } from '../../../results/chart-of.ts';
import { isNumber, type Shape, shapeOf } from '../../../results/read-result.ts';
import type { Words } from '../../../texts/define-texts.ts';
import { useFormats, useTexts } from '../../../texts/use-texts.ts';
import type { ResolvedRange } from '../../../time/time-range.ts';
import { type FunnelStep, type Per, stepName } from '../../explore/explore-search.ts';
import { exploreTexts } from '../../explore/explore-texts.ts';
import { RetentionMap } from '../../explore/results/retention-map.tsx';
import {
  type Point,
  periodsOf,
  seriesOf,
  sessionSeries,
  sumOf,
  withTotal,
} from '../../explore/results/series-of.ts';
import { dashboardsTexts } from '../dashboards-texts.ts';
import type { TileAnswer } from '../tiles/load-tile.ts';
import type { Tile } from '../use-dashboards.ts';
import { chartsOf } from './charts-of-tile.ts';
import { TileNote } from './tile-note.tsx';
import { TileTable } from './tile-table.tsx';

interface TileChartProps {
  readonly tile: Tile;
  readonly answer: TileAnswer;
  readonly range: ResolvedRange;
  readonly zone: string;
  readonly height: number;
}

/** Draws what was answered as the tile wants it, or as it can be drawn. */
export function TileChart(props: TileChartProps): ReactNode {
  const texts = useTexts(dashboardsTexts);
  const { tile, answer } = props;
  const possible = chartsOf(tile.analysis?.name);
  const chart = possible.find((each) => each === tile.chart) ?? possible[0] ?? 'table';
  if (chart === 'funnel' && answer.of === 'funnel') {
    return <FunnelChart tile={tile} steps={answer.answer.results} />;
  }
  if (chart === 'retention' && answer.of === 'retention') {
    const { results } = answer.answer;
    if (results.length === 0) return <TileNote text={texts.nothing} />;
    return (
      <RetentionMap label={tile.title} per={perOf(tile) === 'week' ? 'week' : 'day'} cohorts={results} />
    );
  }
  if (answer.of === 'volume' || answer.of === 'players') return <OverTimeChart {...props} chart={chart} />;
  return <AnalysisRows {...props} chart={chart} />;
}

type Chart = Tile['chart'];

interface FunnelChartProps {
  readonly tile: Tile;
  readonly steps: readonly { readonly step: number; readonly players: number }[];
}

function FunnelChart({ tile, steps }: FunnelChartProps): ReactNode {
  const texts = useTexts(dashboardsTexts);
  if (steps.every(({ players }) => players === 0)) return <TileNote text={texts.nothing} />;
  const asked = tile.analysis?.parameters as { readonly steps?: readonly FunnelStep[] } | undefined;
  const named = steps.map(({ step, players }) => {
    const is = asked?.steps?.[step - 1];
    return { name: is === undefined ? '' : stepName(is), players };
  });
  return <Funnel label={tile.title} steps={named} />;
}

function perOf(tile: Tile): Per {
  const { per } = (tile.analysis?.parameters ?? {}) as { readonly per?: Per };
  return per ?? 'day';
}

function OverTimeChart(props: TileChartProps & { readonly chart: Chart }): ReactNode {
  const { tile, answer, range, zone, height, chart } = props;
  const texts = useTexts(dashboardsTexts);
  const words = useTexts(exploreTexts);
  const formats = useFormats();
  const per = perOf(tile);
  const points = useMemo(() => pointsOf(answer, words), [answer, words]);
  const charted = useMemo(() => seriesOf(points, periodsOf(range, per, zone)), [points, range, per, zone]);
  if (points.length === 0) return <TileNote text={texts.nothing} />;
  if (chart === 'line') {
    const drawn = charted.series.slice(0, 8);
    // Players cannot be added: one player counts in each period.
    const shown = answer.of === 'players' ? drawn : drawn.map(withTotal);
    return (
      <Plot
        tile={tile}
        height={height}
        timesMs={charted.timesMs}
        series={shown}
        isOfPeriods
        fromMs={range.fromMs}
      />
    );
  }
  const sums = charted.series.map(({ name, values }) => ({ name, value: sumOf(values) }));
  if (chart === 'bar') return <BarChart tile={tile} bars={sums} />;
  if (chart === 'number') {
    return answer.of === 'players' ? (
      <BigNumber
        value={formats.compact(sumOf(charted.series.map(({ values }) => values.at(-1) ?? 0)))}
        unit={texts.playersLast}
      />
    ) : (
      <BigNumber value={formats.compact(sumOf(sums.map(({ value }) => value)))} unit={texts.events} />
    );
  }
  const rows: Shape = {
    columns: [
      { name: words[per], type: per === 'hour' ? 'DateTime' : 'Date' },
      { name: words.series, type: 'String' },
      { name: answer.of === 'players' ? words.players : words.events, type: 'Float64' },
    ],
    rows: points.map(({ at, series, value }) => [at, series, value]),
  };
  return <TileTable label={tile.title} rows={rows} height={height} />;
}

function pointsOf(
  answer: TileAnswer,
  words: { readonly [K in 'players' | 'rest' | 'without']: string },
): Point[] {
  const splitOf = ({ split, isRest }: { split?: string | null; isRest?: boolean }) =>
    isRest === true ? words.rest : (split ?? words.without);
  if (answer.of === 'volume') {
    const { results } = answer.answer;
    const isOneType = new Set(results.map(({ type }) => type)).size < 2;
    return results.map((row) => {
      const isSplit = row.split !== undefined || row.isRest !== undefined;
      const parts = [...(isSplit && isOneType ? [] : [row.type]), ...(isSplit ? [splitOf(row)] : [])];
      return { at: row.at, series: parts.join(': '), value: row.events };
    });
  }
  if (answer.of !== 'players') return [];
  return answer.answer.results.map((row) => {
    const isSplit = row.split !== undefined || row.isRest !== undefined;
    return { at: row.at, series: isSplit ? splitOf(row) : words.players, value: row.players };
  });
}

/** Queries, breakdowns and lengths of sessions; funnels and retention as tables. */
function AnalysisRows(props: TileChartProps & { readonly chart: Chart }): ReactNode {
  const words = useTexts(exploreTexts);
  const { answer, chart, tile, height } = props;
  const texts = useTexts(dashboardsTexts);
  const formats = useFormats();
  const rows = useMemo(() => rowsOf(answer, words), [answer, words]);
  if (answer.of === 'session-length' && chart !== 'table') {
    const charted = sessionSeries(answer.answer.results, words);
    if (charted.timesMs.length === 0) return <TileNote text={texts.nothing} />;
    if (chart === 'number') {
      const last = charted.series[0]?.values.at(-1) ?? 0;
      return <BigNumber value={formats.duration(last)} unit={texts.medianLast} />;
    }
    return (
      <Plot tile={tile} height={height} {...charted} isOfPeriods format={formats.duration} unit="seconds" />
    );
  }
  return <RowsChart {...props} rows={rows} />;
}

function rowsOf(answer: TileAnswer, words: ReturnType<typeof useTexts<Words<typeof exploreTexts>>>): Shape {
  if (answer.of === 'query') return shapeOf(answer.answer);
  const number = (name: string) => ({ name, type: 'Float64' });
  if (answer.of === 'breakdown') {
    return {
      columns: [{ name: words.value, type: 'String' }, number(words.events), number(words.playersColumn)],
      rows: answer.answer.results.map(({ value, events, players }) => [value, events, players]),
    };
  }
  if (answer.of === 'funnel') {
    return {
      columns: [number(words.steps), number(words.playersColumn)],
      rows: answer.answer.results.map(({ step, players }) => [step, players]),
    };
  }
  if (answer.of === 'retention') {
    const { results } = answer.answer;
    const most = Math.max(0, ...results.map(({ returned }) => returned.length));
    const periods = Array.from({ length: most }, (_, index) => number(words.periodDay(String(index + 1))));
    return {
      columns: [{ name: words.cohort, type: 'Date' }, number(words.playersColumn), ...periods],
      rows: results.map(({ cohort, players, returned }) => [cohort, players, ...returned]),
    };
  }
  if (answer.of === 'session-length') {
    return {
      columns: [{ name: words.day, type: 'Date' }, ...[words.sessions, words.mean, words.median].map(number)],
      rows: answer.answer.results.map((row) => [row.at, row.sessions, row.meanSeconds, row.medianSeconds]),
    };
  }
  return { columns: [], rows: [] };
}

function RowsChart(
  props: Pick<TileChartProps, 'tile' | 'height'> & { readonly chart: Chart; readonly rows: Shape },
): ReactNode {
  const { tile, height, chart, rows } = props;
  const texts = useTexts(dashboardsTexts);
  const words = useTexts(exploreTexts);
  const formats = useFormats();
  const { zone } = useTime();
  const reading = useMemo(() => ({ zone, formats, without: words.without }), [zone, formats, words]);
  const lines = useMemo(() => (chart === 'line' ? linesOf(rows, reading) : null), [chart, rows, reading]);
  if (rows.rows.length === 0) return <TileNote text={texts.nothing} />;
  if (chart === 'bar') {
    if (!rows.columns.some(({ type }) => isNumber(type))) return <TileNote text={texts.notDrawable} />;
    return <BarChart tile={tile} bars={barsOf(rows, reading)} />;
  }
  if (chart === 'number') {
    const number = numberOf(rows);
    if (number === null) return <TileNote text={texts.notDrawable} />;
    return <BigNumber value={formats.compact(number.value)} unit={number.name} />;
  }
  if (chart !== 'line') return <TileTable label={tile.title} rows={rows} height={height} />;
  if (lines === null) return <TileNote text={texts.notDrawable} />;
  const { xs, xKind, series } = lines;
  return <Plot tile={tile} height={height} timesMs={xs} series={series} xKind={xKind} />;
}

interface BarChartProps {
  readonly tile: Tile;
  readonly bars: readonly { readonly name: string; readonly value: number }[];
}

const mostBars = 100;

function BarChart({ tile, bars }: BarChartProps): ReactNode {
  return (
    <section aria-label={tile.title} tabIndex={0} className="h-full overflow-auto">
      <Bars label={tile.title} bars={bars.slice(0, mostBars)} />
    </section>
  );
}

function BigNumber({ value, unit }: { readonly value: string; readonly unit: string }): ReactNode {
  return (
    <div className="flex h-full flex-col justify-center">
      <span className="text-2xl font-semibold">{value}</span>
      <span className="foreign truncate text-sm text-soft">{unit}</span>
    </div>
  );
}

const leastPlot = 60;

type PlotProps = Pick<TileChartProps, 'tile' | 'height'> &
  Omit<Parameters<typeof TimeSeries>[0], 'label' | 'height'>;

/** The plot takes what its legend leaves of the tile. */
function Plot({ tile, height, ...drawn }: PlotProps): ReactNode {
  return (
    <div className="flex flex-col" style={{ height }}>
      <TimeSeries {...drawn} label={tile.title} height={leastPlot} />
    </div>
  );
}
