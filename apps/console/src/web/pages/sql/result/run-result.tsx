import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { EmptyState, longMs, Skeleton } from '../../../components/states/page-state.tsx';
import { useFormats } from '../../../layout/use-time.ts';
import { Icon } from '../../../look/icon.tsx';
import { commonTexts } from '../../../texts/common-texts.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { nowMs } from '../../../time/clock.ts';
import { sqlTexts } from '../sql-texts.ts';
import type { Place } from '../statement/locate-fault.ts';
import { Refusal } from './refusal.tsx';
import type { Run } from './use-runs.ts';

// Who opens the page to write a statement does not wait for the table.
const ResultPanel = lazy(async () => ({ default: (await import('./result-panel.tsx')).ResultPanel }));

interface RunResultProps {
  readonly run: Run | undefined;
  readonly name: string;
  readonly place: Place | null;
  readonly onShow: (place: Place) => void;
}

/** What became of the last run of a tab. While one runs, the answer before it stays. */
export function RunResult({ run, name, place, onShow }: RunResultProps): ReactNode {
  const texts = useTexts(sqlTexts);
  if (run === undefined)
    return <EmptyState icon="terminal" title={texts.emptyTitle} text={texts.emptyText} />;
  if (run.kind === 'running')
    return (
      <>
        <Elapsed startedMs={run.startedMs} />
        {run.before?.kind === 'done' && <Answer run={run.before} name={name} />}
      </>
    );
  if (run.kind === 'done') return <Answer run={run} name={name} />;
  if (run.kind === 'failed')
    return <Refusal problem={run.problem} sql={run.sql} place={place} onShow={onShow} />;
  return (
    <p
      role={run.kind === 'brokenOff' ? 'alert' : 'status'}
      className={`flex items-center gap-2 rounded-lg border bg-panel px-3 py-2 ${run.kind === 'brokenOff' ? 'border-bad' : ''}`}
    >
      <Icon name={run.kind === 'brokenOff' ? 'circle-alert' : 'ban'} className="text-soft" />
      {run.kind === 'brokenOff' ? texts.brokenOff : texts.cancelled}
    </p>
  );
}

function Answer(props: { readonly run: Extract<Run, { kind: 'done' }>; readonly name: string }): ReactNode {
  return (
    <Suspense fallback={<Skeleton lines={6} />}>
      <ResultPanel {...props} />
    </Suspense>
  );
}

const tickMs = 500;

function Elapsed({ startedMs }: { readonly startedMs: number }): ReactNode {
  const texts = useTexts(sqlTexts);
  const common = useTexts(commonTexts);
  const formats = useFormats();
  const [now, setNow] = useState(nowMs);
  useEffect(() => {
    const timer = setInterval(() => setNow(nowMs()), tickMs);
    return () => clearInterval(timer);
  }, []);
  const elapsedMs = Math.max(0, now - startedMs);
  return (
    <p className="text-soft">
      {texts.running(formats.number(Math.floor(elapsedMs / 1000)))} {elapsedMs > longMs && common.takesLong}
    </p>
  );
}
