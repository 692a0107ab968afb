import { type ReactNode, useRef } from 'react';
import { useSize } from '../components/use-size.ts';
import { useFormats } from '../layout/use-time.ts';
import { colourOf, dashOf, legendLine } from './chart-colours.ts';

interface LinesProps {
  readonly label: string;
  /** Ascending. */
  readonly xs: readonly number[];
  readonly series: readonly { readonly name: string; readonly values: readonly (number | null)[] }[];
  readonly height: number;
}

const left = 52;
const bottom = 24;
const top = 6;
const right = 10;

/** Lines over numbers, such as the hours of a day. Over time, see TimeSeries. */
export function Lines({ label, xs, series, height }: LinesProps): ReactNode {
  const formats = useFormats();
  const place = useRef<HTMLDivElement>(null);
  const width = useSize(place)?.width ?? 0;
  const first = xs[0] ?? 0;
  const span = (xs.at(-1) ?? 1) - first || 1;
  const largest = Math.max(...series.flatMap(({ values }) => values.map((value) => value ?? 0)), 1e-9);
  const step = niceStep(largest, 4);
  const most = step * Math.ceil(largest / step);
  const atX = (x: number) => left + ((x - first) / span) * Math.max(0, width - left - right);
  const atY = (y: number) => top + (1 - y / most) * (height - top - bottom);
  const stepX = niceStep(span, Math.max(2, Math.floor((width - left) / 56)));
  const marks = Array.from(
    { length: Math.floor(span / stepX) + 1 },
    (_, index) => (Math.ceil(first / stepX) + index) * stepX,
  ).filter((x) => x <= first + span);
  return (
    <figure aria-label={label} className="flex min-w-0 flex-col gap-1">
      <div ref={place} className="min-w-0" style={{ height }}>
        {width > 0 && (
          <svg width={width} height={height} aria-hidden="true" className="block text-xs">
            {Array.from({ length: Math.round(most / step) + 1 }, (_, index) => index * step).map((y) => (
              <g key={y}>
                <line x1={left} x2={width - right} y1={atY(y)} y2={atY(y)} stroke="var(--line)" />
                <text x={left - 8} y={atY(y) + 4} textAnchor="end" fill="var(--soft)">
                  {formats.compact(y)}
                </text>
              </g>
            ))}
            {marks.map((x) => (
              <text key={x} x={atX(x)} y={height - 6} textAnchor="middle" fill="var(--soft)">
                {formats.compact(x)}
              </text>
            ))}
            {series.map(({ name, values }, index) => (
              <path
                key={name}
                d={pathOf(xs, values, { atX, atY })}
                fill="none"
                stroke={colourOf(index)}
                strokeWidth={1.5}
                strokeDasharray={dashOf(index).join(' ')}
              />
            ))}
          </svg>
        )}
      </div>
      <figcaption className="flex min-h-5 flex-wrap gap-x-4 gap-y-0.5 text-sm">
        {series.map(({ name }, index) => (
          <span key={name} className="flex min-w-0 items-center gap-1.5">
            <span aria-hidden="true" className="h-0.5 w-3" style={{ background: legendLine(index) }} />
            <span className="foreign max-w-48 truncate text-soft">{name}</span>
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

interface Scales {
  readonly atX: (x: number) => number;
  readonly atY: (y: number) => number;
}

function pathOf(xs: readonly number[], values: readonly (number | null)[], { atX, atY }: Scales): string {
  let isOpen = false;
  return values
    .map((value, index) => {
      const command = isOpen ? 'L' : 'M';
      isOpen = value !== null;
      return value === null ? '' : `${command}${atX(xs[index] ?? 0).toFixed(1)} ${atY(value).toFixed(1)}`;
    })
    .join('');
}

/** About so many steps: each 1, 2 or 5 times a power of ten. */
function niceStep(span: number, count: number): number {
  const rough = span / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * ([1, 2, 5].find((each) => each * power >= rough) ?? 10);
}
