import type { Readable } from 'node:stream';
import type { ClickHouse } from '../clickhouse.ts';
import type { TypedView } from '../views/typed-view.ts';
import { WarehouseFault } from '../warehouse-fault.ts';
import { type Sight, viewDatabase } from './access/project-access.ts';
import type { ProjectUsers } from './access/project-users.ts';
import type { Catalogue } from './confining/catalogue.ts';
import { type Confinement, confineQuery } from './confining/confine-query.ts';
import type { QueryPermits } from './permits/query-permits.ts';
import type { QueryPermit } from './permits/query-semaphore.ts';
import type { CountTableRows, QueryCost } from './query-cost.ts';
import { type QueryFault, readQueryFault } from './query-fault.ts';
import { type QueryFormat, queryFormats, type ResultFormat } from './query-format.ts';
import type { QueryLimits } from './query-limits.ts';
import { createRunAsProject } from './run-as-project.ts';
import { isLost, withEngineBack } from './with-engine-back.ts';

export interface ProjectQuery {
  readonly projectId: string;
  /** The owner whose budget the query uses, over all projects of that owner. The default is the project. */
  readonly owner?: string | undefined;
  /** One SELECT, over the project's typed views and `events`. */
  readonly sql: string;
  /** Values for `{name:Type}` in the SQL. */
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
  readonly format: QueryFormat | ResultFormat;
  /** What the query finds in the tables of `system`. The default refuses them. */
  readonly catalogue?: Omit<Catalogue, 'database' | 'version'> | undefined;
  /** All types of the project, if the caller lacks the scope for personal data: the views then omit such data. */
  readonly masked?: readonly TypedView[] | undefined;
  /** Also ends the query at the server. */
  readonly signal?: AbortSignal | undefined;
}

export type QueryResult =
  /**
   * The receiver reads it to the end or destroys it, which ends the query. A failure during the answer is a stream
   * error.
   */
  | {
      readonly kind: 'rows';
      readonly contentType: string;
      readonly stream: Readable;
      /** Null if the answer is too large to know it at its beginning. */
      readonly resultRows: number | null;
      readonly cost: () => Promise<QueryCost>;
    }
  | { readonly kind: 'refused'; readonly reason: string; readonly message: string }
  /** The owner has reached its limit of concurrent queries, or used its budget of query seconds. */
  | { readonly kind: 'busy'; readonly retryAfterSeconds: number }
  | { readonly kind: 'unavailable' };

export interface QueriesOptions {
  readonly timeoutMs: number;
  readonly limits: QueryLimits;
  readonly permits: QueryPermits;
  readonly countTableRows: CountTableRows;
  readonly users: ProjectUsers;
  /** Creates the views that a query reads, before each query. Throws a WarehouseFault. */
  readonly prepare: (query: Pick<ProjectQuery, 'projectId' | 'masked'>) => Promise<void>;
  readonly backWithinMs: number;
  readonly now: () => number;
}

export function createQueries(clickhouse: ClickHouse, options: QueriesOptions) {
  const { limits, permits, countTableRows, timeoutMs, now } = options;
  const runAsProject = createRunAsProject(clickhouse, options);
  const confine = createConfine(clickhouse, options);
  const limitMs = limits.mostSeconds * 1000;

  async function open(
    { projectId, parameters, signal, format, masked, sql: asked }: ProjectQuery,
    sql: string,
  ) {
    const { clickhouse: formatName, contentType } =
      typeof format === 'string' ? queryFormats[format] : format;
    const asker = { projectId, sight: sightOf(masked) };
    const cost = costOf({ projectId, sql, sentAt: now() });
    const answer = await runAsProject(asker, `${sql}\nFORMAT ${formatName}`, {
      parameters,
      signal,
      timeoutMs: limitMs + timeoutMs,
    });
    if (answer === null) return { kind: 'unavailable' } as const;
    if (answer.kind === 'fault') return shownFault(answer.code, answer.message, asked);
    const { stream, resultRows } = answer;
    return { kind: 'rows', contentType, stream, resultRows, cost } as const;
  }

  /** Counted while the query runs. */
  function costOf({
    projectId,
    sql,
    sentAt,
  }: Readonly<Record<'projectId' | 'sql', string>> & { readonly sentAt: number }) {
    const rows = countTableRows(projectId, sql);
    return async () => ({ ms: now() - sentAt, rows: await rows });
  }

  /** Frees the permit when the query has ended. */
  async function run(query: ProjectQuery, permit: QueryPermit): Promise<QueryResult> {
    let sentAt: number | null = null;
    const isSuspect = () => sentAt !== null && now() - sentAt >= limitMs + suspectMs;
    try {
      const result = await withEngineBack({ ...options, isSuspect, signal: query.signal }, async () => {
        sentAt = null;
        const confined = await confine(query);
        if (confined.kind !== 'allowed') return confined;
        sentAt = now();
        permit.send();
        return open(query, `${permit.mark} ${confined.sql}`);
      });
      if (result.kind !== 'rows') permit.release({ hasEnded: true });
      else result.stream.once('close', () => permit.release(endOf(result.stream, isSuspect())));
      return result;
    } catch (error) {
      const isLate = isSuspect() && (isLost(error) || isTimeout(error));
      permit.release({ hasEnded: sentAt === null || !(isLate || query.signal?.aborted === true), isLate });
      return isLate ? lateFault : faultOf(error);
    }
  }

  return {
    /** Runs a customer's SQL. Rejects only with the reason of the signal. */
    async run(query: ProjectQuery): Promise<QueryResult> {
      const owner = query.owner ?? query.projectId;
      const permit = await permits.acquire({ owner, projectId: query.projectId }, query.signal);
      return permit.kind === 'busy' ? permit : run(query, permit);
    },
  };
}

/** An answer that stops long after the limit was cut off with the engine, or its query is still running. */
function endOf({ readableEnded }: Readable, isSuspect: boolean) {
  return { hasEnded: readableEnded, isLate: isSuspect && !readableEnded };
}

function sightOf(masked: ProjectQuery['masked']): Sight {
  return masked === undefined ? 'whole' : 'masked';
}

function createConfine(clickhouse: ClickHouse, { prepare, timeoutMs }: QueriesOptions) {
  let version: string | undefined;
  const readVersion = async () => {
    const [row] = await clickhouse.rows<{ version: string }>('SELECT version() AS version', { timeoutMs });
    return row?.version ?? '';
  };
  return async (query: ProjectQuery): Promise<Confinement> => {
    await prepare(query);
    const { projectId, sql, parameters, signal, masked } = query;
    const [written, database] = [viewDatabase(projectId, 'whole'), viewDatabase(projectId, sightOf(masked))];
    const { catalogue: listed } = query;
    version ??= listed && (await readVersion());
    const catalogue = listed && { ...listed, database: written, version: version ?? '' };
    return confineQuery(clickhouse, { sql, written, database, catalogue }, { timeoutMs, parameters, signal });
  };
}

/** The longest time after its limit until an interruptible query ends. A separate server ends other queries later. */
const suspectMs = 500;

function isTimeout(error: unknown): boolean {
  return error instanceof WarehouseFault && error.code === 'TIMEOUT';
}

/** For a query that the server did not end at its time limit. */
const lateFault = shownFault('159', '');

function faultOf(error: unknown): QueryResult {
  if (error instanceof WarehouseFault) return shownFault(error.code, error.message);
  throw error;
}

function shownFault(code: string, message: string, sql = ''): QueryFault {
  return readQueryFault(code, message, { sql, isParsed: false });
}
