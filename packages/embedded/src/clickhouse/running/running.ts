import { setTimeout } from 'node:timers/promises';
import { Code, fault } from '../answer/http-fault.ts';
import type { Engine } from '../engine/engine.ts';
import { stringLiteral } from '../sql/literal.ts';

/** The running queries, by the clients' ids. */
export interface Running {
  /** Throws 216 if a query with that id is running; with `replace`, if it cannot be ended within seconds. */
  begin(queryId: string, mark: string, options?: { readonly replace: boolean }): Promise<RunningQuery>;
  /** The clients' ids, by the marks that the engine uses for the queries. */
  ids(): ReadonlyMap<string, string>;
  count(): number;
  close(): Promise<void>;
}

export interface RunningQuery {
  /** Asks the engine to end it, repeatedly until `done`: it may not have started yet. */
  cancel(): void;
  done(): void;
}

const AGAIN_MS = 100;
const REPLACED_MS = 5000;

interface Entry {
  readonly query: RunningQuery;
  readonly mark: string;
  readonly ended: Promise<void>;
}

/** The engine identifies a query by the mark in its `log_comment`, not by our id. */
export function createRunning(engine: Engine, mark: string): Running {
  const admin = engine.connect(mark);
  const entries = new Map<string, Entry>();
  // One at a time: a busy engine would receive them faster than it completes them, and they would use all its threads.
  const killing = new Set<string>();
  const kill = (target: string): void => {
    if (killing.has(target)) return;
    killing.add(target);
    const condition = `Settings['log_comment'] = ${stringLiteral(target)}`;
    void admin
      .query(`KILL QUERY WHERE ${condition} ASYNC`, 'Null')
      .catch(() => undefined)
      .finally(() => killing.delete(target));
  };
  const start = (queryId: string, mark: string): RunningQuery => {
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    let timer: NodeJS.Timeout | undefined;
    const query = {
      cancel(): void {
        if (timer !== undefined || entries.get(queryId)?.query !== query) return;
        kill(mark);
        timer = setInterval(() => kill(mark), AGAIN_MS);
      },
      done(): void {
        clearInterval(timer);
        entries.delete(queryId);
        resolve();
      },
    };
    entries.set(queryId, { query, mark, ended });
    return query;
  };
  return {
    async begin(queryId, mark, { replace } = { replace: false }) {
      const other = entries.get(queryId);
      if (other !== undefined && replace) {
        other.query.cancel();
        await within(other.ended, REPLACED_MS);
      }
      if (entries.has(queryId))
        throw fault(Code.sameQueryId, `Query with id = ${queryId} is already running`);
      return start(queryId, mark);
    },
    ids: () => new Map([...entries].map(([queryId, { mark }]) => [mark, queryId])),
    count: () => entries.size,
    close: () => admin.close(),
  };
}

async function within(ended: Promise<void>, ms: number): Promise<void> {
  const stop = new AbortController();
  await Promise.race([ended, setTimeout(ms, undefined, { signal: stop.signal }).catch(() => undefined)]);
  stop.abort();
}
