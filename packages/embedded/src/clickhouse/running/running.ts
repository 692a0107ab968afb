import { setTimeout } from 'node:timers/promises';
import { Code, fault } from '../answer/http-fault.ts';
import { type Engine, ID_SETTING } from '../engine/engine.ts';
import { stringLiteral } from '../sql/literal.ts';

export interface RunningQuery {
  /** Asks the engine to end it, repeatedly until `done`: it may not have started yet. */
  cancel(): void;
  done(): void;
}

const AGAIN_MS = 100;
const REPLACED_MS = 5000;

interface Entry {
  readonly query: RunningQuery;
  readonly text: string;
  readonly ended: Promise<void>;
}

/** The running queries, by the clients' ids. */
export type Running = ReturnType<typeof createRunning>;

export function createRunning(engine: Engine) {
  const own = engine.connect();
  const entries = new Map<string, Entry>();
  // One at a time: a busy engine would receive them faster than it completes them, and they would use all its threads.
  const killing = new Set<string>();
  const kill = (target: string): void => {
    if (killing.has(target)) return;
    killing.add(target);
    const condition = `Settings['${ID_SETTING}'] = ${stringLiteral(target)}`;
    void own
      .query(`KILL QUERY WHERE ${condition} ASYNC`, 'Null')
      .catch(() => undefined)
      .finally(() => killing.delete(target));
  };
  const start = (queryId: string, text: string): RunningQuery => {
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    let timer: NodeJS.Timeout | undefined;
    const query = {
      cancel(): void {
        if (timer !== undefined || entries.get(queryId)?.query !== query) return;
        kill(queryId);
        timer = setInterval(() => kill(queryId), AGAIN_MS);
      },
      done(): void {
        clearInterval(timer);
        entries.delete(queryId);
        resolve();
      },
    };
    entries.set(queryId, { query, text, ended });
    return query;
  };
  return {
    /** Throws 216 if a query with that id is running; with `replace`, if it cannot be ended within seconds. */
    async begin(
      queryId: string,
      text: string,
      { replace }: { readonly replace: boolean } = { replace: false },
    ): Promise<RunningQuery> {
      const other = entries.get(queryId);
      if (other !== undefined && replace) {
        other.query.cancel();
        await within(other.ended, REPLACED_MS);
      }
      if (entries.has(queryId))
        throw fault(Code.sameQueryId, `Query with id = ${queryId} is already running`);
      return start(queryId, text);
    },
    /** Asks the engine to end the query. Resolves when it has ended, at once if no query with that id is running. */
    async kill(queryId: string): Promise<void> {
      const entry = entries.get(queryId);
      entry?.query.cancel();
      await entry?.ended;
    },
    /** The SQL as the client sent it. Undefined if no query with that id is running. */
    text: (queryId: string) => entries.get(queryId)?.text,
    close: () => own.close(),
  };
}

async function within(ended: Promise<void>, ms: number): Promise<void> {
  const stop = new AbortController();
  await Promise.race([ended, setTimeout(ms, undefined, { signal: stop.signal }).catch(() => undefined)]);
  stop.abort();
}
