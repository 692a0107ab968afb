import type { ReactNode } from 'react';
import { Bars } from '../../../charts/bars.tsx';
import { TimeSeries } from '../../../charts/time-series.tsx';
import { useFormats } from '../../../layout/use-time.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { sqlTexts } from '../sql-texts.ts';
import type { Chart } from './chart-of.ts';

/** Loaded when a result allows a chart. */
export function ResultChart({ chart }: { readonly chart: Chart }): ReactNode {
  const texts = useTexts(sqlTexts);
  const formats = useFormats();
  if (chart.kind === 'line')
    return <TimeSeries label={texts.result} timesMs={chart.timesMs} series={chart.series} height={280} />;
  if (chart.kind === 'bars') return <Bars label={chart.name} bars={chart.bars} />;
  return (
    <p className="flex flex-col py-4">
      <span className="foreign text-soft">{chart.name}</span>
      <span className="text-2xl font-semibold">{formats.number(chart.value)}</span>
    </p>
  );
}
