import type { Engine } from '../engine/engine.ts';
import { stringLiteral } from '../sql/literal.ts';
import { Code, fault } from './http-fault.ts';

/** The queries that are being answered, by the id that clients know them by. */
export interface Running {
  /** Throws 216 when that id runs already. */
  begin(queryId: string, mark: string): RunningQuery;
  markOf(queryId: string): string | undefined;
  count(): number;
  close(): Promise<void>;
}

export interface RunningQuery {
  /** Asks the engine to end it, again and again until `done`: it may not have begun yet. */
  cancel(): void;
  done(): void;
}

const AGAIN_MS = 100;

/** The engine knows a query by the mark in its `log_comment`, and not by our id. */
export function createRunning(engine: Engine, mark: string): Running {
  const admin = engine.connect(mark);
  const marks = new Map<string, string>();
  // One at a time: when the engine is busy they would pile up faster than it takes them, and hold all its threads.
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
  return {
    begin(queryId, target) {
      if (marks.has(queryId)) throw fault(Code.sameQueryId, `Query with id = ${queryId} is already running`);
      marks.set(queryId, target);
      let timer: NodeJS.Timeout | undefined;
      return {
        cancel() {
          if (timer !== undefined || marks.get(queryId) !== target) return;
          kill(target);
          timer = setInterval(() => kill(target), AGAIN_MS);
        },
        done() {
          clearInterval(timer);
          marks.delete(queryId);
        },
      };
    },
    markOf: (queryId) => marks.get(queryId),
    count: () => marks.size,
    close: () => admin.close(),
  };
}
