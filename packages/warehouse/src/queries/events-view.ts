import { envelopeColumns } from '../envelope-columns.ts';
import { eventsTable, onCluster, type WarehousePlace } from '../events-table.ts';
import { quoteIdentifier, quoteString } from '../quote.ts';
import { projectDatabase } from '../typed-view.ts';

/**
 * What makes `events` in the project's own database: all its events, of every type. An event type that is called `events`
 * has its typed view there instead.
 */
export function createEventsView(place: WarehousePlace, projectId: string): string[] {
  const on = onCluster(place);
  const database = quoteIdentifier(projectDatabase(projectId));
  const columns = ['type', ...envelopeColumns.map(({ name }) => name), 'data'];
  return [
    `CREATE DATABASE IF NOT EXISTS ${database}${on}`,
    `CREATE VIEW IF NOT EXISTS ${database}.events${on} SQL SECURITY INVOKER AS SELECT ${columns.join(', ')}
FROM ${eventsTable(place)} AS e WHERE e.project = ${quoteString(projectId)}`,
  ];
}
