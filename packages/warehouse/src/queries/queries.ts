import type { Readable } from 'node:stream';
import type { ClickHouse } from '../clickhouse.ts';
import type { WarehousePlace } from '../events-table.ts';
import { projectDatabase } from '../typed-view.ts';
import { WarehouseFault } from '../warehouse-fault.ts';
import { type Confinement, confineQuery } from './confine-query.ts';
import { createEventsView } from './events-view.ts';
import type { ProjectUsers } from './project-users.ts';
import { type QueryFault, readQueryFault } from './query-fault.ts';
import { type QueryFormat, queryFormats } from './query-format.ts';
import { type QueryLimits, queryLimits } from './query-limits.ts';
import { createQueryTurns, type QueryTurn } from './query-turns.ts';
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
  const { place, timeoutMs } = options;
  const limits = { ...queryLimits, ...options.limits };
  const turns = createQueryTurns(clickhouse, { place, timeoutMs, mostAtOnce: limits.mostAtOnce });
  const prepare = createPreparation(clickhouse, options);
  const runAsProject = createRunAsProject(clickhouse, { ...options, limits });

  async function confine({ projectId, sql, parameters, signal }: ProjectQuery): Promise<Confinement> {
    await prepare(projectId);
    const database = projectDatabase(projectId);
    return confineQuery(clickhouse, { sql, database }, { timeoutMs, parameters, signal });
  }

  async function open({ projectId, parameters, signal, format }: ProjectQuery, sql: string) {
    const { clickhouse: formatName, contentType } = queryFormats[format];
    const answer = await runAsProject(projectId, `${sql}\nFORMAT ${formatName}`, {
      ...{ parameters, signal },
      timeoutMs: limits.mostSeconds * 1000 + timeoutMs,
      database: projectDatabase(projectId),
    });
    if (answer === null) return { kind: 'unavailable' } as const;
    if (answer.kind === 'fault') return readQueryFault(answer.code, answer.message);
    return { kind: 'rows', contentType, stream: answer.stream } as const;
  }

  /** Gives the turn back when it is known that the query has ended. */
  async function run(query: ProjectQuery, turn: QueryTurn): Promise<QueryResult> {
    let isSent = false;
    try {
      const confined = await confine(query);
      isSent = confined.kind === 'allowed';
      const result =
        confined.kind === 'allowed' ? await open(query, `${turn.mark} ${confined.sql}`) : confined;
      if (result.kind !== 'rows') turn.release({ hasEnded: true });
      else result.stream.once('close', () => turn.release({ hasEnded: result.stream.readableEnded }));
      return result;
    } catch (error) {
      const isLate = isSent && error instanceof WarehouseFault && error.code === 'TIMEOUT';
      const isLeft = isSent && query.signal?.aborted === true;
      turn.release({ hasEnded: !isLate && !isLeft });
      return isLate ? lateFault : faultOf(error);
    }
  }

  return {
    async run(query) {
      const turn = turns.take(query.projectId);
      return turn === null ? { kind: 'busy' } : run(query, turn);
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

/** Of a query that the server did not end when its time was over. */
const lateFault = readQueryFault('159', '');

function faultOf(error: unknown): QueryFault {
  if (error instanceof WarehouseFault) return readQueryFault(error.code, error.message);
  throw error;
}
