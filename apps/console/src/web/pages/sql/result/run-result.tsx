import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import type { Problem } from '../../../api/problem.ts';
import { Button } from '../../../components/button.tsx';
import { EmptyState, longMs, ProblemNote, Skeleton } from '../../../components/states/page-state.tsx';
import { Icon } from '../../../look/icon.tsx';
import { usePreferences } from '../../../look/preferences.ts';
import { useFormats, useTexts } from '../../../texts/use-texts.ts';
import { nowMs } from '../../../time/clock.ts';
import { sqlTexts } from '../sql-texts.ts';
import type { Place } from '../statement/locate-fault.ts';
import { faultAdvice, faultIn } from './fault-advice.ts';
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
  const formats = useFormats();
  const [now, setNow] = useState(nowMs);
  useEffect(() => {
    const timer = setInterval(() => setNow(nowMs()), tickMs);
    return () => clearInterval(timer);
  }, []);
  const elapsedMs = Math.max(0, now - startedMs);
  return (
    <p className="text-soft">
      {texts.running(formats.number(Math.floor(elapsedMs / 1000)))} {elapsedMs > longMs && texts.takesLong}
    </p>
  );
}

interface RefusalProps {
  readonly problem: Problem;
  readonly sql: string;
  readonly place: Place | null;
  readonly onShow: (place: Place) => void;
}

/** Why a statement did not run: what the server says, where in the statement, and what to do. */
function Refusal({ problem, sql, place, onShow }: RefusalProps): ReactNode {
  const texts = useTexts(sqlTexts);
  const advice = useTexts(faultAdvice);
  const fault = faultIn(problem.data);
  const { language } = usePreferences();
  if (fault === null) return <OtherProblem problem={problem} />;
  const sentence = (
    <span lang="en" className="foreign">
      {sentenceOf(fault.message)}
    </span>
  );
  return (
    <div role="alert" className="flex gap-2 rounded-lg border border-bad bg-panel px-3 py-2">
      <Icon name="circle-alert" className="mt-0.5 text-bad" />
      <div className="flex min-w-0 flex-col gap-1">
        <span className="foreign font-medium">
          {language === 'en' ? sentence : advice[fault.reason]}
          <span className="ml-2 font-mono text-sm font-normal text-soft">{problem.code}</span>
        </span>
        {/* The server writes English. */}
        {language === 'en' ? (
          <span>{advice[fault.reason]}</span>
        ) : (
          <span className="text-soft">{sentence}</span>
        )}
        {place !== null && (
          <span className="flex flex-wrap items-center gap-x-3">
            <span className="text-soft">{placeText(sql, place, texts.faultPlace)}</span>
            <code className="foreign max-w-80 truncate rounded-sm bg-raised px-1 font-mono text-sm">
              {sql.slice(place.from, place.to)}
            </code>
            <Button look="quiet" icon="arrow-up" onPress={() => onShow(place)}>
              {texts.showPlace}
            </Button>
          </span>
        )}
      </div>
    </div>
  );
}

/** With a capital letter, unless it begins with a name of the statement, such as `file()`. */
function sentenceOf(message: string): string {
  return /^[a-z]+ /.test(message) ? message[0]?.toUpperCase() + message.slice(1) : message;
}

function OtherProblem({ problem }: { readonly problem: Problem }): ReactNode {
  const texts = useTexts(sqlTexts);
  const { reason, retryAfterSeconds } = problem;
  return (
    <div className="flex flex-col gap-2">
      <ProblemNote problem={problem} />
      {reason === 'temporarilyUnavailable' && <p className="text-soft">{texts.unavailable}</p>}
      {reason === 'rateLimited' && (
        <p className="text-soft">
          {texts.busy} {retryAfterSeconds !== null && texts.busyUntil(String(retryAfterSeconds))}
        </p>
      )}
    </div>
  );
}

function placeText(sql: string, { from }: Place, write: (line: string, column: string) => string): string {
  const before = sql.slice(0, from).split('\n');
  return write(String(before.length), String((before.at(-1) ?? '').length + 1));
}
