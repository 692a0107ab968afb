import type { ClickHouse } from '../clickhouse.ts';
import { quoteIdentifier, quoteString } from '../quote.ts';
import { onCluster, type WarehousePlace } from '../table/events-table.ts';
import { maskedDatabase, projectDatabase } from '../views/typed-view.ts';
import { runMutation } from './run-mutation.ts';

export interface ProjectRemover {
  /**
   * Deletes all events and views of a project. Resolves when it is done; it can be repeated. No batch with such events may
   * be in delivery, because delivery counts rows. Throws a WarehouseFault.
   */
  removeProject(projectId: string): Promise<void>;
}

export function createProjectRemover(reading: {
  readonly clickhouse: ClickHouse;
  readonly place: WarehousePlace;
  readonly timeoutMs: number;
}): ProjectRemover {
  const { clickhouse, place, timeoutMs } = reading;
  return {
    async removeProject(projectId) {
      const condition = `project = ${quoteString(projectId)}`;
      await runMutation(reading, { command: `DELETE WHERE ${condition}`, marks: [condition] });
      for (const database of [projectDatabase(projectId), maskedDatabase(projectId)]) {
        const sql = `DROP DATABASE IF EXISTS ${quoteIdentifier(database)}${onCluster(place)} SYNC`;
        await clickhouse.command(sql, { timeoutMs });
      }
    },
  };
}
