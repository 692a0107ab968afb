import type { ClickHouse } from '../clickhouse.ts';
import { quoteIdentifier } from '../quote.ts';
import { onCluster, type WarehousePlace } from '../table/events-table.ts';
import { maskedDatabase, projectDatabase } from '../views/typed-view.ts';

export interface ViewRemover {
  /** Deletes all views of a project. Resolves when it is done; it can be repeated. Throws a WarehouseFault. */
  removeViews(projectId: string): Promise<void>;
}

export function createViewRemover(reading: {
  readonly clickhouse: ClickHouse;
  readonly place: WarehousePlace;
  readonly timeoutMs: number;
}): ViewRemover {
  const { clickhouse, place, timeoutMs } = reading;
  return {
    async removeViews(projectId) {
      for (const database of [projectDatabase(projectId), maskedDatabase(projectId)]) {
        const sql = `DROP DATABASE IF EXISTS ${quoteIdentifier(database)}${onCluster(place)} SYNC`;
        await clickhouse.command(sql, { timeoutMs });
      }
    },
  };
}
