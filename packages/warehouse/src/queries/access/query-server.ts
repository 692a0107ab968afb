import { type ClickHouse, connectClickHouse } from '../../clickhouse.ts';
import type { WarehousePlace } from '../../table/events-table.ts';
import type { ProjectQuery } from '../queries.ts';
import { createMirrorTables } from './mirror-tables.ts';
import type { PrepareViews } from './prepare-views.ts';
import { viewDatabase } from './project-access.ts';

const idleMs = 120_000;

interface QueryServerOptions {
  readonly queryUrl?: string | null | undefined;
  readonly maxConnections?: number | undefined;
}

interface QueryServerDeps {
  readonly place: WarehousePlace;
  readonly timeoutMs: number;
  readonly prepareViews: PrepareViews;
}

export type QueryServer = ReturnType<typeof createQueryServer>;

/** The server for customers' queries: a separate one that mirrors the first, or the first itself. */
export function createQueryServer(
  storing: ClickHouse,
  { queryUrl, maxConnections = 10 }: QueryServerOptions,
  { place, timeoutMs, prepareViews }: QueryServerDeps,
) {
  const makeViews = ({ projectId, masked }: Pick<ProjectQuery, 'projectId' | 'masked'>) =>
    masked === undefined ? prepareViews.whole(projectId) : prepareViews.masked(projectId, masked);
  if (typeof queryUrl !== 'string') {
    return { querying: storing, prepare: makeViews, backWithinMs: 0, closeQuerying: async () => undefined };
  }
  const querying = connectClickHouse({ url: queryUrl, maxConnections });
  const mirrorTables = createMirrorTables({ source: storing, target: querying, place, timeoutMs, idleMs });
  return {
    querying,
    /** The longest time between its end and its next start; 0 if nothing restarts it. */
    backWithinMs: 8_000,
    /** Creates the views that a query reads. Throws a WarehouseFault. */
    async prepare(query: Pick<ProjectQuery, 'projectId' | 'masked'>): Promise<void> {
      await makeViews(query);
      await mirrorTables(viewDatabase(query.projectId, query.masked === undefined ? 'whole' : 'masked'));
    },
    closeQuerying: () => querying.close(),
  };
}
