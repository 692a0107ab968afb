import type { Readable } from 'node:stream';
import type { ClickHouse } from '../clickhouse.ts';
import type { WarehousePlace } from '../events-table.ts';
import { projectDatabase } from '../typed-view.ts';
import { WarehouseFault } from '../warehouse-fault.ts';
import { confineQuery } from './confine-query.ts';
import { createEventsView } from './events-view.ts';
import type { ProjectUsers } from './project-users.ts';
import { type QueryFault, readQueryFault } from './query-fault.ts';
import { type QueryFormat, queryFormats } from './query-format.ts';
import { type QueryLimits, queryLimits } from './query-limits.ts';
import { createRunAsProject } from './run-as-project.ts';

export interface ProjectQuery {
  readonly projectId: string;
  /** One SELECT, over the project's typed views and `events`. */
  readonly sql: string;
  /** For `{name:Type}` in the SQL. */
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
  readonly format: QueryFormat;
  /** Ends the query at the server too. */
  readonly signal?: AbortSignal | undefined;
}

export type QueryResult =
  /** Whoever gets it reads it to the end or destroys it, which ends the query. A fault midway is an error of the stream. */
  | { readonly kind: 'rows'; readonly contentType: string; readonly stream: Readable }
  | { readonly kind: 'refused'; readonly reason: string; readonly message: string }
  /** The project runs as many queries as it may. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'unavailable' };

export interface Queries {
  /** Runs what a customer wrote. Rejects only with the signal's reason. */
  run(query: ProjectQuery): Promise<QueryResult>;
}

export interface QueriesOptions {
  readonly place: WarehousePlace;
  readonly timeoutMs: number;
  readonly limits?: Partial<QueryLimits> | undefined;
  readonly users: ProjectUsers;
}

const rememberedProjects = 10_000;

export function createQueries(clickhouse: ClickHouse, options: QueriesOptions): Queries {
  const { timeoutMs } = options;
  const limits = { ...queryLimits, ...options.limits };
  const turns = createTurns(limits.mostAtOnce);
  const prepare = createPreparation(clickhouse, options);
  const runAsProject = createRunAsProject(clickhouse, { ...options, limits });

  async function open(query: ProjectQuery): Promise<QueryResult> {
    const { projectId, sql, parameters, signal, format } = query;
    await prepare(projectId);
    const database = projectDatabase(projectId);
    const call = { timeoutMs, parameters, signal };
    const confined = await confineQuery(clickhouse, { sql, database }, call);
    if (confined.kind === 'refused') return confined;
    const { clickhouse: formatName, contentType } = queryFormats[format];
    const answer = await runAsProject(projectId, `${confined.sql}\nFORMAT ${formatName}`, {
      ...call,
      timeoutMs: limits.mostSeconds * 1000 + timeoutMs,
      database,
    });
    if (answer === null) return { kind: 'unavailable' };
    if (answer.kind === 'fault') return readQueryFault(answer.code, answer.message);
    return { kind: 'rows', contentType, stream: answer.stream };
  }

  return {
    async run(query) {
      const release = turns.take(query.projectId);
      if (release === null) return { kind: 'busy' };
      let result: QueryResult | undefined;
      try {
        result = await open(query);
        return result;
      } catch (error) {
        return faultOf(error);
      } finally {
        if (result?.kind === 'rows') result.stream.once('close', release);
        else release();
      }
    },
  };
}

/** Makes the project's database, with `events`, when it is first asked something. */
function createPreparation(clickhouse: ClickHouse, { place, timeoutMs }: QueriesOptions) {
  const prepared = new Set<string>();
  return async (projectId: string): Promise<void> => {
    if (prepared.has(projectId)) return;
    for (const statement of createEventsView(place, projectId)) {
      await clickhouse.command(statement, { timeoutMs });
    }
    if (prepared.size >= rememberedProjects) prepared.clear();
    prepared.add(projectId);
  };
}

/** How many queries each project runs. */
function createTurns(mostAtOnce: number) {
  const running = new Map<string, number>();
  return {
    /** Gives what ends the turn, or null when there is none left. */
    take(projectId: string): (() => void) | null {
      const before = running.get(projectId) ?? 0;
      if (before >= mostAtOnce) return null;
      running.set(projectId, before + 1);
      return () => {
        const left = (running.get(projectId) ?? 0) - 1;
        if (left > 0) running.set(projectId, left);
        else running.delete(projectId);
      };
    },
  };
}

function faultOf(error: unknown): QueryFault {
  if (error instanceof WarehouseFault) return readQueryFault(error.code, error.message);
  throw error;
}
