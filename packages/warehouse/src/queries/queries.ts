import type { Readable } from 'node:stream';
import type { ClickHouse } from '../clickhouse.ts';
import type { WarehousePlace } from '../events-table.ts';
import type { TypedView } from '../typed-view.ts';
import { WarehouseFault } from '../warehouse-fault.ts';
import { type Confinement, confineQuery } from './confine-query.ts';
import type { PrepareViews } from './prepare-views.ts';
import { type Sight, viewDatabase } from './project-access.ts';
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
  /** All types of the project, when who asks may not see personal data: then there are none in what the query reads. */
  readonly masked?: readonly TypedView[] | undefined;
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
  readonly prepareViews: PrepareViews;
}

export function createQueries(clickhouse: ClickHouse, options: QueriesOptions): Queries {
  const { place, timeoutMs, prepareViews: prepare } = options;
  const limits = { ...queryLimits, ...options.limits };
  const turns = createQueryTurns(clickhouse, { place, timeoutMs, mostAtOnce: limits.mostAtOnce });
  const runAsProject = createRunAsProject(clickhouse, { ...options, limits });

  async function confine({ projectId, sql, parameters, signal, masked }: ProjectQuery): Promise<Confinement> {
    await (masked === undefined ? prepare.whole(projectId) : prepare.masked(projectId, masked));
    const [written, database] = [viewDatabase(projectId, 'whole'), viewDatabase(projectId, sightOf(masked))];
    return confineQuery(clickhouse, { sql, written, database }, { timeoutMs, parameters, signal });
  }

  async function open(
    { projectId, parameters, signal, format, masked, sql: asked }: ProjectQuery,
    sql: string,
  ) {
    const { clickhouse: formatName, contentType } = queryFormats[format];
    const asker = { projectId, sight: sightOf(masked) };
    const answer = await runAsProject(asker, `${sql}\nFORMAT ${formatName}`, {
      ...{ parameters, signal },
      timeoutMs: limits.mostSeconds * 1000 + timeoutMs,
    });
    if (answer === null) return { kind: 'unavailable' } as const;
    if (answer.kind === 'fault') return readQueryFault(answer.code, answer.message, asked);
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

function sightOf(masked: ProjectQuery['masked']): Sight {
  return masked === undefined ? 'whole' : 'masked';
}

/** Of a query that the server did not end when its time was over. */
const lateFault = readQueryFault('159', '', '');

function faultOf(error: unknown): QueryFault {
  if (error instanceof WarehouseFault) return readQueryFault(error.code, error.message, '');
  throw error;
}
