import { quoteIdentifier, quoteString } from '../../quote.ts';
import { envelopeColumns, personalColumns, readColumn } from '../../table/envelope-columns.ts';
import { eventsTable, onCluster, type WarehousePlace } from '../../table/events-table.ts';
import { createDatabase, projectDatabase, securityOf } from '../../views/typed-view.ts';

const names = envelopeColumns.map(({ name }) => name);

function selected(columns: readonly string[]): string {
  return columns.map((name) => `${readColumn('e', name)} AS ${name}`).join(', ');
}

/**
 * The project's events with the name of their project. Tests read it to prove what the user of a project can see. Names
 * of types start with a letter, so no type has this name.
 */
function allEventsName(projectId: string): string {
  return `${quoteIdentifier(projectDatabase(projectId))}._events`;
}

/**
 * The statements that create `events` in the project's database: all its events of every type. No type has that name.
 */
export function createEventsView(place: WarehousePlace, projectId: string, definer: string | null): string[] {
  const on = onCluster(place);
  const database = projectDatabase(projectId);
  const { before, altered } = securityOf(definer);
  const select = (columns: readonly string[]) =>
    `SELECT ${selected(columns)} FROM ${eventsTable(place)} AS e WHERE e.project = ${quoteString(projectId)}`;
  const view = `${quoteIdentifier(database)}.events${on}`;
  return [
    createDatabase(place, database),
    `CREATE VIEW IF NOT EXISTS ${view} ${before} AS ${select(['type', ...names, 'data'])}`,
    // Updates a view that was created when the server could not have users.
    `ALTER TABLE ${view} MODIFY ${altered}`,
    `CREATE OR REPLACE VIEW ${allEventsName(projectId)}${on} ${before} AS ${select(['project', 'type', ...names, 'data'])}`,
  ];
}

/** `events` without personal data: it omits `data` if any type of the project has personal members. */
export function createMaskedEventsView(
  place: WarehousePlace,
  { projectId, database, hasPersonal }: { projectId: string; database: string; hasPersonal: boolean },
  definer: string | null,
): string[] {
  const kept = names.filter((name) => !personalColumns.has(name));
  const columns = ['type', ...kept, ...(hasPersonal ? [] : ['data'])];
  return [
    createDatabase(place, database),
    `CREATE OR REPLACE VIEW ${quoteIdentifier(database)}.events${onCluster(place)} ${securityOf(definer).before} AS SELECT ${selected(columns)}
FROM ${eventsTable(place)} AS e WHERE e.project = ${quoteString(projectId)}`,
  ];
}
