import { createAnalyses } from './analyses/analyses.ts';
import { type ClickHouse, connectClickHouse } from './clickhouse.ts';
import { createWriter } from './inserts/writer.ts';
import { makeView } from './queries/access/make-view.ts';
import { createPrepareViews } from './queries/access/prepare-views.ts';
import { createProjectUsers } from './queries/access/project-users.ts';
import { findGuard } from './queries/access/query-hindrance.ts';
import { createQueryServer } from './queries/access/query-server.ts';
import { createSchemaDescriber } from './queries/describe-schema.ts';
import { createQueryPermits } from './queries/permits/query-permits.ts';
import { createQueries } from './queries/queries.ts';
import { createCountTableRows } from './queries/query-cost.ts';
import { type QueryLimits, queryLimits } from './queries/query-limits.ts';
import { withEngineBack } from './queries/with-engine-back.ts';
import { createAccountReader } from './reading/account-events.ts';
import { createActivityReader } from './reading/activity.ts';
import { createReader } from './reading/reader.ts';
import { createRecentReader } from './reading/recent-events.ts';
import { createEventSampler } from './reading/sample-events.ts';
import { createEraser } from './removal/eraser.ts';
import { createExpirer } from './removal/expiry.ts';
import type { WarehousePlace } from './table/events-table.ts';
import { type MigrateOptions, migrateWarehouse } from './table/migrate-warehouse.ts';
import { createTypedView, type TypedView } from './views/typed-view.ts';

export interface WarehouseOptions {
  /** http(s)://user:password@host:port of a server, or of any node of the cluster. */
  readonly clickhouseUrl: string;
  /** The name of the cluster in the server's configuration. Null for a single server. */
  readonly cluster?: string | null;
  readonly database?: string;
  readonly maxConnections?: number;
  readonly insertTimeoutMs?: number;
  readonly queryTimeoutMs?: number;
  readonly pingTimeoutMs?: number;
  readonly queryLimits?: Partial<QueryLimits>;
  /**
   * A separate server for customers' queries. It reads the files of the first one on the same machine, and can be ended
   * at any time. The default is the first server.
   */
  readonly queryUrl?: string | null | undefined;
  readonly now?: () => number;
  /** The secret for the passwords of the users that run customers' queries, if the server's configuration has none. */
  readonly querySecret?: string;
  /** Called each time that a query is rejected because the server cannot restrict it to the rows of its project. */
  readonly onHindrance?: (reason: string) => void;
}

const defaultQueryMs = 30_000;
const migrationTimeoutMs = 60_000;
/** Of one query of an export, an erasure or an expiry. It can read a whole project. */
const longQueryTimeoutMs = 300_000;

/** ClickHouse: writes and reads events. It connects at first use; its creator closes it. */
export type Warehouse = ReturnType<typeof createWarehouse>;

export function createWarehouse(options: WarehouseOptions) {
  const { database = 'tickrate', cluster = null } = options;
  const { insertTimeoutMs = 60_000, queryTimeoutMs = defaultQueryMs, pingTimeoutMs = 2_000 } = options;
  const place: WarehousePlace = { database, cluster };
  const clickhouse = connectClickHouse({
    url: options.clickhouseUrl,
    maxConnections: options.maxConnections ?? 10,
  });
  const writer = createWriter(clickhouse, { place, timeoutMs: insertTimeoutMs });
  const reader = createReader(clickhouse, { place, timeoutMs: queryTimeoutMs, pingTimeoutMs });
  const reading = { clickhouse, place, timeoutMs: longQueryTimeoutMs };
  const { users, server, queries, analyses, prepareQueries } = createQuerying(clickhouse, options, place);
  return {
    ...writer,
    ...reader,
    ...createAccountReader(reading),
    ...createRecentReader(reader.query, place),
    ...createActivityReader(reader.query, place),
    ...createExpirer(reading),
    ...createSchemaDescriber(server.querying, { timeoutMs: queryTimeoutMs }),
    ...createEventSampler({ ...reading, timeoutMs: queryTimeoutMs }),
    ...createEraser(reading, { ...writer, ...reader }),
    /**
     * Migrates the database and its tables. Any number of processes can call it, also repeatedly. Throws a
     * WarehouseFault.
     */
    migrate: (migration?: MigrateOptions) =>
      migrateWarehouse(clickhouse, { ...migration, place, timeoutMs: migrationTimeoutMs }),
    /**
     * Creates or replaces the typed view of one event type. Idempotent; the view always exists. Of two concurrent callers
     * the last one wins, so repeat it when more versions are known. Throws a WarehouseFault.
     */
    async applyTypedView(view: TypedView): Promise<void> {
      const definer = await users.definer(view.projectId);
      for (const statement of createTypedView(place, view, definer)) {
        await makeView(clickhouse, statement, migrationTimeoutMs);
      }
    },
    /** Runs a customer's SQL over the rows of one project. Rejects only with the reason of the signal. */
    runQuery: queries.run,
    /**
     * Creates the views and users of a project, and opens its table, as the first query or analysis of the project otherwise
     * does. Throws a WarehouseFault.
     */
    prepareQueries,
    /** Why the server cannot restrict queries to the rows of their project. Null if it can. Throws a WarehouseFault. */
    async findQueryHindrance(): Promise<string | null> {
      const guard = await findGuard(server.querying, { place, timeoutMs: queryTimeoutMs });
      return guard.kind === 'none' ? guard.reason : null;
    },
    analyses,
    /** Aborts nothing: await running calls first. */
    async close(): Promise<void> {
      await Promise.all([clickhouse.close(), server.closeQuerying()]);
    },
  };
}

/** The permission to query, and the server that runs queries. */
function createQuerying(clickhouse: ClickHouse, options: WarehouseOptions, place: WarehousePlace) {
  const limits = { ...queryLimits, ...options.queryLimits };
  const asking = { place, timeoutMs: options.queryTimeoutMs ?? defaultQueryMs, limits };
  const who = {
    ...asking,
    secret: options.querySecret ?? null,
    onHindrance: options.onHindrance ?? (() => undefined),
  };
  const users = createProjectUsers(clickhouse, who);
  const prepareViews = createPrepareViews(clickhouse, { ...asking, users });
  const server = createQueryServer(clickhouse, options, { ...asking, prepareViews });
  const running = { ...asking, ...server, now: options.now ?? Date.now };
  const permits = createQueryPermits(server.querying, running);
  const countTableRows = createCountTableRows(server.querying, running);
  const runners = server.querying === clickhouse ? users : createProjectUsers(server.querying, who);
  const queries = createQueries(server.querying, { ...running, permits, countTableRows, users: runners });
  const analyses = createAnalyses(server.querying, { ...running, permits, countTableRows });
  const prepareQueries = (projectId: string) =>
    withEngineBack({ ...running, isSuspect: () => false }, async () => {
      await server.prepare({ projectId });
      await runners.runner(projectId, 'whole');
      await countTableRows(projectId, 'events');
    });
  return { users, server, queries, analyses, prepareQueries };
}
