import type { ClickHouse } from '../clickhouse.ts';
import type { QueryServer } from '../queries/access/query-server.ts';
import type { QueryPermits } from '../queries/permits/query-permits.ts';
import type { QueryPermit } from '../queries/permits/query-semaphore.ts';
import type { QueryResult } from '../queries/queries.ts';
import type { CountTableRows, QueryCost } from '../queries/query-cost.ts';
import { readQueryFault } from '../queries/query-fault.ts';
import { isLost, withEngineBack } from '../queries/with-engine-back.ts';
import { quoteString } from '../quote.ts';
import { envelopeColumns } from '../table/envelope-columns.ts';
import { eventsTable, type WarehousePlace } from '../table/events-table.ts';
import { projectDatabase } from '../views/typed-view.ts';
import { WarehouseFault } from '../warehouse-fault.ts';
import { memberPattern } from './analysis-sql.ts';
import {
  type BreakdownRequest,
  type BreakdownRow,
  breakdownQuery,
  type EventPlayersRequest,
  eventPlayersQuery,
} from './breakdown.ts';
import {
  type FunnelPlayersRequest,
  type FunnelRequest,
  type FunnelRow,
  funnelPlayersQuery,
  funnelQuery,
} from './funnel.ts';
import { type PlayerStreamRequest, type PlayerStreamRow, playerStreamQuery } from './player-stream.ts';
import type { PlayerRow } from './players-behind.ts';
import {
  type RetentionPlayersRequest,
  type RetentionRequest,
  type RetentionRow,
  retentionPlayersQuery,
  retentionQuery,
} from './retention-curve.ts';
import { type SessionLengthRequest, type SessionLengthRow, sessionLengthQuery } from './session-length.ts';
import {
  type DistinctPlayersRequest,
  type DistinctPlayersRow,
  distinctPlayersQuery,
  type VolumeRequest,
  type VolumeRow,
  volumeQuery,
} from './time-series.ts';

/** The caller. The query counts against the budget of the owner. */
export interface AnalysisAsker {
  readonly projectId: string;
  readonly owner?: string | undefined;
  /** Also ends the query at the server. */
  readonly signal?: AbortSignal | undefined;
}

export type AnalysisResult<Row> =
  | {
      readonly kind: 'rows';
      readonly rows: Row[];
      /** The SQL, which a customer's query can run unchanged. */
      readonly sql: string;
      readonly cost: QueryCost;
    }
  | Exclude<QueryResult, { kind: 'rows' }>;

type Analysis<Request, Row> = (asker: AnalysisAsker, request: Request) => Promise<AnalysisResult<Row>>;

export interface AnalysesOptions extends Pick<QueryServer, 'prepare' | 'backWithinMs'> {
  readonly timeoutMs: number;
  /** The permits of customers' queries. */
  readonly permits: QueryPermits;
  readonly countTableRows: CountTableRows;
  readonly now: () => number;
  readonly place: WarehousePlace;
}

const mostSeconds = 30;
const mostRows = 100_000;
const mostMemoryBytes = 1024 * 1024 * 1024;

const settings = {
  readonly: '1',
  date_time_output_format: 'iso',
  max_execution_time: mostSeconds,
  max_result_rows: String(mostRows),
  result_overflow_mode: 'throw',
  max_memory_usage: String(mostMemoryBytes),
  cancel_http_readonly_queries_on_client_close: 1,
} as const;

/** An event is shown as it was sent: its whole numbers are numbers. */
const wholeNumbers = { output_format_json_quote_64bit_integers: 0 } as const;

/** Analyses of one project. Each is one query and rejects only with the reason of the signal. */
export type Analyses = ReturnType<typeof createAnalyses>;

export function createAnalyses(clickhouse: ClickHouse, options: AnalysesOptions) {
  const ask = <Request, Row>(
    write: (request: Request) => string,
    more: object = {},
  ): Analysis<Request, Row> => {
    return async (asker, request) => {
      const { projectId, owner = projectId } = asker;
      const permit = await options.permits.acquire({ owner, projectId }, asker.signal);
      return permit.kind === 'busy' ? permit : runWith<Row>(permit, { asker, sql: write(request), more });
    };
  };

  /** Frees the permit when the query has ended. */
  async function runWith<Row>(
    permit: QueryPermit,
    { asker, sql, more }: { readonly asker: AnalysisAsker; readonly sql: string; readonly more: object },
  ): Promise<AnalysisResult<Row>> {
    const { projectId, signal } = asker;
    let isSent = false;
    let sentAt = options.now();
    // Counted while the query runs.
    let tableRows: Promise<number> | undefined;
    try {
      const rows = await withEngineBack({ ...options, isSuspect: () => false, signal }, async () => {
        isSent = false;
        await options.prepare({ projectId });
        isSent = true;
        permit.send();
        sentAt = options.now();
        const { place, timeoutMs } = options;
        const call = {
          timeoutMs,
          signal,
          database: projectDatabase(projectId),
          settings: { ...settings, ...more },
        };
        tableRows ??= options.countTableRows(projectId, sql);
        return clickhouse.rows<Row>(`${permit.mark} ${readAtTable(sql, { place, projectId })}`, call);
      });
      permit.release({ hasEnded: true });
      const ms = options.now() - sentAt;
      return { kind: 'rows', rows, sql, cost: { ms, rows: (await tableRows) ?? 0 } };
    } catch (error) {
      permit.release({ hasEnded: !isSent || hasEnded(error) });
      return faultOf(error);
    }
  }

  return {
    /**
     * Returns the IANA name in the spelling of the database, for a name in upper or lower case. Null for an unknown one.
     * Throws a WarehouseFault.
     */
    findTimeZone: createFindTimeZone(clickhouse, options.timeoutMs),
    volume: ask<VolumeRequest, VolumeRow>(volumeQuery),
    distinctPlayers: ask<DistinctPlayersRequest, DistinctPlayersRow>(distinctPlayersQuery),
    sessionLength: ask<SessionLengthRequest, SessionLengthRow>(sessionLengthQuery),
    funnel: ask<FunnelRequest, FunnelRow>(funnelQuery),
    retention: ask<RetentionRequest, RetentionRow>(retentionQuery),
    breakdown: ask<BreakdownRequest, BreakdownRow>(breakdownQuery),
    playerStream: ask<PlayerStreamRequest, PlayerStreamRow>(playerStreamQuery, wholeNumbers),
    eventPlayers: ask<EventPlayersRequest, PlayerRow>(eventPlayersQuery),
    funnelPlayers: ask<FunnelPlayersRequest, PlayerRow>(funnelPlayersQuery),
    retentionPlayers: ask<RetentionPlayersRequest, PlayerRow>(retentionPlayersQuery),
  };
}

function createFindTimeZone(clickhouse: ClickHouse, timeoutMs: number) {
  let known: ReadonlyMap<string, string> | null = null;
  return async (name: string) => {
    if (known === null) {
      const sql = 'SELECT time_zone AS name FROM system.time_zones';
      const rows = await clickhouse.rows<{ name: string }>(sql, { timeoutMs });
      known = new Map(rows.map((row) => [row.name.toLowerCase(), row.name]));
    }
    return known.get(name.toLowerCase()) ?? null;
  };
}

/** True if ClickHouse answered, or if there is no ClickHouse. */
function hasEnded(error: unknown): boolean {
  return error instanceof WarehouseFault && (/^\d+$/.test(error.code) || isLost(error));
}

function faultOf(error: unknown): Exclude<QueryResult, { kind: 'rows' }> {
  if (!(error instanceof WarehouseFault)) throw error;
  return readQueryFault(error.code, error.message, { sql: '', isParsed: false });
}

const names = ['type', ...envelopeColumns.map(({ name }) => name), 'data'];

/**
 * The same query over the table instead of the view `events`, for SQL of this package only. ClickHouse reads the
 * subcolumn of a member only where the table is named: through the view it reads all members of each event.
 */
export function readAtTable(sql: string, { place, projectId }: { place: WarehousePlace; projectId: string }) {
  const aliases = new Map<string, string>();
  const read = sql.replace(memberPattern, (expression) => {
    const alias = aliases.get(expression) ?? `member_${aliases.size + 1}`;
    aliases.set(expression, alias);
    return alias;
  });
  const members = [...aliases].map(
    ([expression, alias]) => `${expression.replace('CAST(data.', 'CAST(e.data.')} AS ${alias}`,
  );
  return `WITH events AS
(
  SELECT ${[...names.map((name) => `e.${name} AS ${name}`), ...members].join(', ')}
  FROM ${eventsTable(place)} AS e
  WHERE e.project = ${quoteString(projectId)}
)
${read}`;
}
