import { useMutation } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { callForAnswer } from '../../../api/call.ts';
import { type Problem, toProblem } from '../../../api/problem.ts';
import { withQueryPermit } from '../../../api/query-permits.ts';
import { useProjectId } from '../../../api/use-call.ts';
import { type QueryAnswer, readAnswer } from '../../../results/read-result.ts';
import { nowMs } from '../../../time/clock.ts';
import type { parameterValues } from '../statement/parameters.ts';

export interface Statement {
  readonly sql: string;
  readonly parameters: ReturnType<typeof parameterValues>;
}

export type Run = Statement &
  (
    | { readonly kind: 'running'; readonly startedMs: number; readonly before: Run | null }
    | { readonly kind: 'done'; readonly answer: QueryAnswer; readonly ms: number }
    | { readonly kind: 'failed'; readonly problem: Problem }
    | { readonly kind: 'brokenOff' }
    | { readonly kind: 'cancelled' }
  );

export interface RunEnd {
  readonly sql: string;
  readonly outcome: 'done' | 'failed' | 'cancelled';
  readonly ms: number;
  readonly rows: number | null;
}

/** The runs of all tabs, each by its tab. Leaving the page ends them all, in ClickHouse too. */
export function useRuns(onEnd: (end: RunEnd) => void) {
  const projectId = useProjectId();
  const [runs, setRuns] = useState<ReadonlyMap<string, Run>>(new Map());
  const aborts = useRef(new Map<string, AbortController>());
  // A mutation, so that a session that ended is noticed as everywhere.
  const { mutateAsync } = useMutation({
    mutationFn: ({ sql, parameters, signal }: Statement & { readonly signal: AbortSignal }) =>
      withQueryPermit(signal, () =>
        callForAnswer('POST /v1/query', { body: { sql, parameters, format: 'JSON' }, projectId, signal }),
      ),
  });
  const set = useCallback((tabId: string, next: (before: Run | undefined) => Run) => {
    setRuns((before) => new Map(before).set(tabId, next(before.get(tabId))));
  }, []);
  const start = async (tabId: string, statement: Statement) => {
    aborts.current.get(tabId)?.abort();
    const abort = new AbortController();
    aborts.current.set(tabId, abort);
    const startedMs = nowMs();
    set(tabId, (before) => ({
      ...statement,
      kind: 'running',
      startedMs,
      before: before?.kind === 'running' ? before.before : (before ?? null),
    }));
    const { signal } = abort;
    const ended = await endOf(() => mutateAsync({ ...statement, signal }), signal);
    // Another run of the tab has begun: it is the one that counts.
    if (aborts.current.get(tabId) !== abort) return;
    aborts.current.delete(tabId);
    const ms = nowMs() - startedMs;
    const run: Run = ended.kind === 'done' ? { ...statement, ...ended, ms } : { ...statement, ...ended };
    set(tabId, () => run);
    const rows = run.kind === 'done' ? run.answer.rows.length : null;
    const outcome = run.kind === 'done' || run.kind === 'cancelled' ? run.kind : 'failed';
    onEnd({ sql: statement.sql, outcome, ms, rows });
  };
  const cancel = useCallback((tabId: string) => aborts.current.get(tabId)?.abort(), []);
  useEffect(() => {
    const running = aborts.current;
    return () => {
      for (const abort of running.values()) abort.abort();
    };
  }, []);
  return { runs, start, cancel };
}

type Ended =
  | { readonly kind: 'done'; readonly answer: QueryAnswer }
  | { readonly kind: 'failed'; readonly problem: Problem }
  | { readonly kind: 'brokenOff' | 'cancelled' };

async function endOf(send: () => Promise<Response>, signal: AbortSignal): Promise<Ended> {
  const sent = await send().catch(toProblem);
  if (signal.aborted) return { kind: 'cancelled' };
  if (!(sent instanceof Response)) return { kind: 'failed', problem: sent };
  try {
    return { kind: 'done', answer: await readAnswer(sent) };
  } catch {
    return { kind: signal.aborted ? 'cancelled' : 'brokenOff' };
  }
}
