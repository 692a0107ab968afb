import { type ReactNode, useMemo } from 'react';
import { Bars } from '../../../charts/bars.tsx';
import { TimeSeries } from '../../../charts/time-series.tsx';
import { useTime } from '../../../layout/use-time.ts';
import { barsOf, type Chart, linesOf, numberOf } from '../../../results/chart-of.ts';
import type { Shape } from '../../../results/read-result.ts';
import { useFormats, useTexts } from '../../../texts/use-texts.ts';
import { sqlTexts } from '../sql-texts.ts';

interface ResultChartProps {
  readonly chart: Exclude<Chart, 'table'>;
  readonly answer: Shape;
}

/** Loaded when a result allows a chart. */
export function ResultChart({ chart, answer }: ResultChartProps): ReactNode {
  const texts = useTexts(sqlTexts);
  const formats = useFormats();
  const { zone } = useTime();
  const reading = useMemo(() => ({ zone, formats, without: '–' }), [zone, formats]);
  const lines = useMemo(() => (chart === 'line' ? linesOf(answer, reading) : null), [chart, answer, reading]);
  if (lines !== null)
    return (
      <TimeSeries
        label={texts.result}
        timesMs={lines.xs}
        series={lines.series}
        xKind={lines.xKind}
        height={280}
      />
    );
  const number = numberOf(answer);
  if (chart === 'bar') return <Bars label={number?.name ?? texts.result} bars={barsOf(answer, reading)} />;
  return (
    <p className="flex flex-col py-4">
      <span className="foreign text-soft">{number?.name}</span>
      <span className="text-2xl font-semibold">{formats.number(number?.value ?? 0)}</span>
    </p>
  );
}
