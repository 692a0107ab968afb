import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import UPlot from 'uplot';
import { useFormats, useTime } from '../layout/use-time.ts';
import { usePreferences } from '../look/preferences.ts';
import { commonTexts } from '../texts/common-texts.ts';
import { useTexts } from '../texts/use-texts.ts';
import { nowMs } from '../time/clock.ts';
import { dashOf, resolveColour, seriesColours } from './chart-colours.ts';
import { findUnfinished, isolatedPoints } from './marked-points.ts';
import { writeMarks } from './write-marks.ts';

export interface Series {
  readonly name: string;
  /** One per time. Null is a gap. */
  readonly values: readonly (number | null)[];
  /** Shown while the cursor is at no time. The default is the last value, and nothing if values are sums of periods. */
  readonly total?: number;
}

type Look = 'line' | 'bars' | 'stacked';

interface TimeSeriesProps {
  /** For screen readers: what is drawn. */
  readonly label: string;
  /** UNIX milliseconds, ascending. */
  readonly timesMs: readonly number[];
  readonly series: readonly Series[];
  /** `stacked` is for parts of a whole: bars on top of each other. */
  readonly look?: Look;
  readonly height?: number;
  readonly format?: (value: number) => string;
  /** Values are sums of periods that start at these times. The last one is faded until it is over. */
  readonly isOfPeriods?: boolean;
}

/** Lines or bars over time. A drag selects a time range for the whole page; all charts share one cursor. */
export function TimeSeries(props: TimeSeriesProps): ReactNode {
  const { label, timesMs, series, look, height = 180, format, isOfPeriods = false } = props;
  const texts = useTexts(commonTexts);
  const formats = useFormats();
  const [at, setAt] = useState<number | null>(null);
  const unfinished = isOfPeriods ? findUnfinished(timesMs, nowMs()) : null;
  const place = usePlot({ ...props, unfinished }, height, setAt);
  const write = format ?? formats.compact;
  const shownOf = ({ values, total }: Series) => {
    if (at !== null) return values[at];
    return total ?? (isOfPeriods ? null : values.at(-1));
  };
  return (
    <figure aria-label={label} className="flex min-w-0 flex-col gap-1">
      <div ref={place} className="min-w-0" style={{ height }} />
      <figcaption className="flex min-h-5 flex-wrap gap-x-4 gap-y-0.5 text-sm">
        {series.map((one, index) => {
          const value = shownOf(one) ?? null;
          return (
            <span key={one.name} className="flex min-w-0 items-center gap-1.5">
              <span
                aria-hidden="true"
                className={look === 'stacked' ? 'size-2.5 rounded-sm' : 'h-0.5 w-3'}
                style={{ background: `var(${seriesColours[index % seriesColours.length]})` }}
              />
              <span className="foreign max-w-48 truncate text-soft">{one.name}</span>
              {value !== null ? <span>{write(value)}</span> : at !== null && <span>–</span>}
            </span>
          );
        })}
        {at !== null && <span className="ml-auto text-soft">{formats.time(timesMs[at] ?? 0)}</span>}
        {unfinished !== null && (at === null || at === unfinished) && (
          <span className={at === null ? 'ml-auto text-soft' : 'text-soft'}>{texts.unfinished}</span>
        )}
      </figcaption>
    </figure>
  );
}

interface PlotProps extends TimeSeriesProps {
  readonly unfinished: number | null;
}

function usePlot(props: PlotProps, height: number, onCursor: (index: number | null) => void) {
  const { timesMs, series, look = 'line', format } = props;
  const { zone, zoom } = useTime();
  const { theme } = usePreferences();
  const formats = useFormats();
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot | null>(null);
  const { unfinished } = props;
  const latest = useRef({ zoom, onCursor, unfinished });
  latest.current = { zoom, onCursor, unfinished };
  const data = useMemo<UPlot.AlignedData>(
    () => [
      timesMs.map((at) => at / 1000),
      ...(look === 'stacked' ? stack(series) : series.map(({ values }) => [...values])),
    ],
    [timesMs, series, look],
  );
  const names = JSON.stringify(series.map(({ name }) => name));
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the theme draws again, in its colours
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const write = (marks: readonly number[]) => writeMarks(marks, format ?? formats.compact, formats);
    const options = plotOptions({
      names: JSON.parse(names),
      size: { width: element.clientWidth, height },
      look,
      zone,
      write,
      clock: { day: formats.day, clock: formats.clock },
      unfinished: () => latest.current.unfinished,
      onCursor: (index) => latest.current.onCursor(index),
      onSelect: (fromMs, toMs) => latest.current.zoom({ fromMs, toMs }),
    });
    const made = new UPlot(options, [[]], element);
    plot.current = made;
    const resize = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }));
    resize.observe(element);
    return () => {
      resize.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [names, look, zone, height, theme, format, formats]);
  // The old data stays on the screen until the new is there.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new plot gets the data too
  useEffect(() => plot.current?.setData(data), [data, names, look, zone, height, theme, format, formats]);
  return place;
}

/** The highest bars first: each one is drawn over the one before. */
function stack(series: readonly Series[]): number[][] {
  const heights: number[][] = [];
  for (const { values } of series) {
    const below = heights.at(-1);
    heights.push(values.map((value, index) => (value ?? 0) + (below?.[index] ?? 0)));
  }
  return heights.toReversed();
}

interface PlotOptions {
  readonly names: readonly string[];
  readonly size: { readonly width: number; readonly height: number };
  readonly look: Look;
  readonly zone: string;
  readonly write: (marks: readonly number[]) => string[];
  readonly clock: { day(at: number): string; clock(at: number): string };
  readonly unfinished: () => number | null;
  readonly onCursor: (index: number | null) => void;
  readonly onSelect: (fromMs: number, toMs: number) => void;
}

const dayMs = 86_400_000;

/** Room for whole bars at both ends. Around a single time there is an hour on each side, not years. */
function timeRange(
  points: number,
  { min, max, look }: { readonly min: number; readonly max: number; readonly look: PlotOptions['look'] },
): [number, number] {
  if (points < 2 || min === max) return [min - 3_600, max + 3_600];
  const half = look !== 'line' ? (max - min) / (points - 1) / 2 : 0;
  return [min - half, max + half];
}

/** Covers what leads to the unfinished period, so that it does not look like a fall. */
function fade(plot: UPlot, look: PlotOptions['look'], unfinished: number | null): void {
  const [times] = plot.data;
  const at = unfinished === null ? undefined : times[unfinished];
  if (unfinished === null || at === undefined) return;
  const before = times[unfinished - 1] ?? at;
  const left = plot.valToPos(look !== 'line' ? (at + before) / 2 : before, 'x', true);
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.globalAlpha = 0.7;
  ctx.fillStyle = resolveColour('--panel');
  ctx.fillRect(left, bbox.top, bbox.left + bbox.width - left, bbox.height);
  ctx.restore();
}

function plotOptions(given: PlotOptions): UPlot.Options {
  const { names, size, look, zone, write, clock, onCursor, onSelect } = given;
  const soft = resolveColour('--soft');
  const axis = {
    stroke: soft,
    font: '11px ui-sans-serif, system-ui, sans-serif',
    grid: { stroke: resolveColour('--line'), width: 1 },
    ticks: { show: false },
  };
  return {
    ...size,
    tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1000), zone),
    legend: { show: false },
    cursor: {
      sync: { key: 'page' },
      drag: { x: true, y: false, setScale: false },
      points: { size: 6, show: look !== 'stacked' },
    },
    scales: {
      x: { range: (plot, min, max) => timeRange(plot.data[0].length, { min, max, look }) },
      y: { range: (_, __, max) => [0, max > 0 ? max * 1.08 : 1] },
    },
    axes: [
      {
        ...axis,
        size: 24,
        values: (_, splits) => {
          const spanMs = ((splits.at(-1) ?? 0) - (splits[0] ?? 0)) * 1000;
          return splits.map((at) =>
            spanMs > 2 * dayMs ? clock.day(at * 1000) : clock.clock(at * 1000).slice(0, 5),
          );
        },
      },
      { ...axis, size: 52, values: (_, splits) => write(splits) },
    ],
    series: [
      {},
      ...names.map((label, index) => {
        const place = look === 'stacked' ? names.length - 1 - index : index;
        const stroke = resolveColour(seriesColours[place % seriesColours.length] ?? '--series-1');
        const bars = look !== 'line' ? UPlot.paths.bars?.({ size: [0.8, 48] }) : undefined;
        return {
          label,
          stroke,
          width: look === 'line' ? 1.5 : 0,
          dash: dashOf(index),
          points: {
            show: false,
            size: 6,
            filter: (plot: UPlot, at: number) =>
              look === 'line' ? isolatedPoints([...(plot.data[at] ?? [])]) : [],
          },
          ...(bars && { paths: bars, fill: stroke }),
        };
      }),
    ],
    hooks: {
      draw: [(plot) => fade(plot, look, given.unfinished())],
      setCursor: [({ cursor }) => onCursor(cursor.idx ?? null)],
      setSelect: [
        (plot) => {
          const { left, width } = plot.select;
          if (width < 4) return;
          onSelect(plot.posToVal(left, 'x') * 1000, plot.posToVal(left + width, 'x') * 1000);
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        },
      ],
    },
  };
}
