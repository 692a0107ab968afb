import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import UPlot from 'uplot';
import { useTime } from '../layout/use-time.ts';
import { type DrawnScheme, useDrawnScheme } from '../look/preferences.ts';
import { commonTexts } from '../texts/common-texts.ts';
import { useFormats, useTexts } from '../texts/use-texts.ts';
import { nowMs } from '../time/clock.ts';
import {
  hasOnlyCounts,
  numberAxis,
  timeAxis,
  type Unit,
  unitSteps,
  wholeSteps,
  writeMarks,
} from './axis-marks.ts';
import { colourOf, dashOf, legendLine, resolveColour } from './chart-colours.ts';
import { findPartial, isolatedPoints } from './marked-points.ts';

export interface Series {
  readonly name: string;
  /** One per time. Null is a gap. */
  readonly values: readonly (number | null)[];
  /** Shown while the cursor is at no time. The default is the last value, and nothing if values are sums of periods. */
  readonly total?: number;
}

interface TimeSeriesProps {
  /** For screen readers: what is drawn. */
  readonly label: string;
  /** UNIX milliseconds, or numbers if `xKind` says so; ascending. */
  readonly timesMs: readonly number[];
  readonly series: readonly Series[];
  /** For parts of a whole: bars on top of each other, instead of lines. */
  readonly isStacked?: boolean;
  /** Of the plot, in pixels or as a CSS length. In a column that is higher, the plot takes what is left. */
  readonly height?: number | string;
  readonly format?: (value: number) => string;
  /** The unit of the values: the marks of the axis are at round numbers of it. The default is a number without unit. */
  readonly unit?: Unit;
  /** Values are sums of periods that start at these times. The last one is faded until it is over. */
  readonly isOfPeriods?: boolean;
  /** Where the counted range begins: a first period that starts earlier is faded too. */
  readonly fromMs?: number;
  /** `date`: days without a time of day. `number`: no times, such as the hours of a day. */
  readonly xKind?: 'time' | 'date' | 'number';
}

/** Lines or bars over time, or lines over numbers. Over time, a drag selects a time range for the whole page; all charts share one cursor. */
export function TimeSeries(props: TimeSeriesProps): ReactNode {
  const {
    label,
    timesMs,
    series,
    isStacked = false,
    height = 180,
    format,
    isOfPeriods = false,
    xKind = 'time',
  } = props;
  const texts = useTexts(commonTexts);
  const formats = useFormats();
  const [at, setAt] = useState<number | null>(null);
  const partial = isOfPeriods ? findPartial(timesMs, { fromMs: props.fromMs, nowMs: nowMs() }) : [];
  const place = usePlot({ ...props, partial }, setAt);
  const write = format ?? formats.compact;
  const shownOf = ({ values, total }: Series) => {
    if (at !== null) return values[at];
    return total ?? (isOfPeriods ? null : values.findLast((value) => value !== null));
  };
  const hasTotals = series.some(({ total }) => total !== undefined);
  // Of periods without totals, nothing is shown.
  const legend = hasTotals || isOfPeriods ? hasTotals && texts.legendTotals : texts.legendLatest;
  return (
    <figure aria-label={label} className="flex min-w-0 flex-1 flex-col gap-1">
      {/* The plot has no part in the height of its place, or it could not become lower again. */}
      <div className="relative min-w-0 flex-1" style={{ minHeight: height }}>
        <div ref={place} className="absolute inset-0" />
      </div>
      <figcaption className="flex min-h-5 flex-wrap items-center gap-x-4 gap-y-0.5 text-sm">
        {at === null && legend !== false && <span className="text-soft max-sm:basis-full">{legend}</span>}
        {series.map((one, index) => {
          const value = shownOf(one) ?? null;
          return (
            <span key={one.name} className="flex min-w-0 items-center gap-1.5">
              <span
                aria-hidden="true"
                className={isStacked ? 'size-2.5 rounded-sm' : 'h-0.5 w-3'}
                style={{ background: isStacked ? colourOf(index) : legendLine(index) }}
              />
              <span className="foreign max-w-64 truncate text-soft">{one.name}</span>
              {value !== null ? <span>{write(value)}</span> : at !== null && <span>–</span>}
            </span>
          );
        })}
        {at !== null && <span className="ml-auto text-soft">{formats[xKind](timesMs[at] ?? 0)}</span>}
        {(at === null ? partial.length > 0 : partial.includes(at)) && (
          <span className={at === null ? 'ml-auto text-soft' : 'text-soft'}>{texts.partial}</span>
        )}
      </figcaption>
    </figure>
  );
}

interface PlotProps extends TimeSeriesProps {
  readonly partial: readonly number[];
}

function usePlot(props: PlotProps, onCursor: (index: number | null) => void) {
  const { timesMs, series, isStacked = false, format, unit, xKind = 'time' } = props;
  const { zone, zoom } = useTime();
  const scheme = useDrawnScheme();
  const formats = useFormats();
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot | null>(null);
  const { partial } = props;
  const latest = useRef({ zoom, onCursor, partial });
  latest.current = { zoom, onCursor, partial };
  const data = useMemo<UPlot.AlignedData>(
    () => [
      timesMs.map((at) => (xKind === 'number' ? at : at / 1000)),
      ...(isStacked ? stack(series) : series.map(({ values }) => [...values])),
    ],
    [timesMs, series, isStacked, xKind],
  );
  const names = JSON.stringify(series.map(({ name }) => name));
  const steps = stepsOf(series, unit);
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const write = (marks: readonly number[]) => writeMarks(marks, format ?? formats.compact, formats);
    const options = plotOptions({
      names: JSON.parse(names),
      size: sizeOf(element, scheme),
      isStacked,
      zone,
      steps,
      write,
      xAxis: xKind === 'number' ? numberAxis(formats.compact) : timeAxis(formats),
      isOfTime: xKind !== 'number',
      partial: () => latest.current.partial,
      onCursor: (index) => latest.current.onCursor(index),
      onSelect: (fromMs, toMs) => latest.current.zoom({ fromMs, toMs }),
    });
    const made = new UPlot(options, [[]], element);
    plot.current = made;
    const resize = new ResizeObserver(() => made.setSize(sizeOf(element, scheme)));
    resize.observe(element);
    return () => {
      resize.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [names, steps, isStacked, zone, scheme, format, formats, xKind]);
  // The old data stays on the screen until the new is there.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new plot gets the data too
  useEffect(
    () => plot.current?.setData(data),
    [...[data, names, steps, isStacked, zone, scheme, format, formats, xKind]],
  );
  return place;
}

function stepsOf(series: readonly Series[], unit: Unit | undefined): number[] | undefined {
  if (unit !== undefined) return unitSteps[unit];
  return hasOnlyCounts(series) ? wholeSteps : undefined;
}

/** In pixels: what A4 and Letter leave for a tile. The page is laid out for the paper after it was drawn. */
const paperWidth = 640;

function sizeOf({ clientWidth, clientHeight }: Element, scheme: DrawnScheme): PlotOptions['size'] {
  const width = scheme === 'paper' ? Math.min(paperWidth, clientWidth) : clientWidth;
  return { width, height: clientHeight };
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
  readonly isStacked: boolean;
  readonly zone: string;
  /** The distances between the marks of the values, or those of plain numbers. */
  readonly steps: number[] | undefined;
  readonly write: (marks: readonly number[]) => string[];
  readonly xAxis: UPlot.Axis;
  readonly isOfTime: boolean;
  readonly partial: () => readonly number[];
  readonly onCursor: (index: number | null) => void;
  readonly onSelect: (fromMs: number, toMs: number) => void;
}

/** A bar stands on its period, so the last one needs room. A single time has an hour on each side, and a single number 1. */
function rangeOf(
  xs: ArrayLike<number>,
  [min, max]: readonly [number, number],
  { isOfTime, isStacked }: PlotOptions,
): [number, number] {
  const around = isOfTime ? 3_600 : 1;
  // The plot has widened what it gives for a single one: to years for a time.
  const only = xs[0] ?? min;
  if (xs.length < 2) return [only - around, only + around];
  return [min, isStacked ? max + (max - min) / (xs.length - 1) : max];
}

/** Covers the periods that are counted in part and the lines to them, so that they do not look like a rise or a fall. */
function fade(plot: UPlot, { isStacked, partial }: PlotOptions): void {
  const [times] = plot.data;
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.globalAlpha = 0.7;
  ctx.fillStyle = resolveColour('var(--panel)');
  for (const index of partial()) {
    const [before, at = 0, after] = [times[index - 1], times[index], times[index + 1]];
    // From a pixel before: a bar may begin between two.
    const left = plot.valToPos((isStacked ? null : before) ?? at, 'x', true) - 1;
    const right = after === undefined ? bbox.left + bbox.width : plot.valToPos(after, 'x', true) - 1;
    ctx.fillRect(left, bbox.top, right - left, bbox.height);
  }
  ctx.restore();
}

function plotOptions(given: PlotOptions): UPlot.Options {
  const { names, size, isStacked, zone, steps, write, xAxis, isOfTime, onCursor, onSelect } = given;
  const soft = resolveColour('var(--soft)');
  const axis = {
    stroke: soft,
    font: '11px ui-sans-serif, system-ui, sans-serif',
    grid: { stroke: resolveColour('var(--line)'), width: 1 },
    ticks: { show: false },
  };
  return {
    ...size,
    tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1000), zone),
    legend: { show: false },
    cursor: {
      ...(isOfTime && { sync: { key: 'page' } }),
      drag: { x: isOfTime, y: false, setScale: false },
      points: { size: 6, show: !isStacked },
    },
    scales: {
      x: { time: isOfTime, range: (plot, min, max) => rangeOf(plot.data[0], [min, max], given) },
      y: { range: (_, __, max) => [0, max > 0 ? max * 1.08 : 1] },
    },
    axes: [
      { ...axis, size: 24, ...xAxis },
      {
        ...axis,
        ...(steps && { incrs: steps }),
        // Eight marks at most, however high the plot is.
        space: ({ height }) => Math.max(30, height / 8),
        size: 52,
        values: (_, splits) => write(splits),
      },
    ],
    series: [
      {},
      ...names.map((label, index) => {
        const place = isStacked ? names.length - 1 - index : index;
        const stroke = resolveColour(colourOf(place));
        const bars = isStacked ? UPlot.paths.bars?.({ size: [0.86, 240], align: 1 }) : undefined;
        return {
          label,
          stroke,
          width: isStacked ? 0 : 1.5,
          dash: dashOf(index),
          points: {
            show: false,
            size: 6,
            filter: (plot: UPlot, at: number) =>
              isStacked ? [] : isolatedPoints([...(plot.data[at] ?? [])]),
          },
          ...(bars && { paths: bars, fill: stroke }),
        };
      }),
    ],
    hooks: {
      draw: [(plot) => fade(plot, given)],
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
