import { createHash, hkdfSync } from 'node:crypto';
import { eventsTable, onCluster, storedTable, type WarehousePlace } from '../events-table.ts';
import { quoteIdentifier, quoteString } from '../quote.ts';
import { projectDatabase } from '../typed-view.ts';
import { limitSettings, type QueryLimits } from './query-limits.ts';

export interface ProjectUser {
  readonly username: string;
  readonly password: string;
}

/** Of all processes of a project, at one server. */
const mostAtOnce = 16;
const mostQueriesAnHour = 20_000;
const mostSecondsAnHour = 14_400;

/** The same in every process that has the secret. The name is told by the server's logs, the password by nothing. */
export function projectUser(place: WarehousePlace, projectId: string, secret: string): ProjectUser {
  const username = `${place.database}_${projectDatabase(projectId)}`;
  const key = hkdfSync('sha256', secret, '', `clickhouse user ${username}`, 32);
  return { username, password: Buffer.from(key).toString('base64url') };
}

/** What customers' queries run with, whichever way it is set: beside it nothing can be. */
export function profileSettings(limits: QueryLimits): Readonly<Record<string, string | number>> {
  return { ...limitSettings(limits), allow_ddl: 0, max_concurrent_queries_for_user: mostAtOnce };
}

/** Which rows of the tables of events a project's user sees. */
export function projectFilter(projectId: string): string {
  return `project = ${quoteString(projectId)}`;
}

/**
 * The project's views, which run with the rights of whoever asks, and what they read. Of the table all columns: a grant
 * on some of them does not reach the members of `data`.
 */
export function projectGrants(place: WarehousePlace, projectId: string): string {
  const events = eventTables(place).map((table) => `SELECT ON ${table}`);
  return [`SELECT ON ${quoteIdentifier(projectDatabase(projectId))}.*`, ...events].join(', ');
}

/**
 * What all projects share, in order; may be repeated, and run by two processes at once. The policy for the rest comes
 * before that of any project: with one policy on a table, some servers show nothing of it to whoever has none.
 */
export function createSharedAccess(place: WarehousePlace, limits: QueryLimits): string[] {
  const on = onCluster(place);
  const shared = sharedName(place);
  const settings = Object.entries(profileSettings(limits)).map(
    ([name, value]) => `${name} = ${typeof value === 'number' ? value : quoteString(value)} CONST`,
  );
  const quota = `${shared}${on} KEYED BY user_name FOR INTERVAL 1 hour MAX queries = ${mostQueriesAnHour}, execution_time = ${mostSecondsAnHour} TO ${shared}`;
  return [
    `CREATE SETTINGS PROFILE IF NOT EXISTS ${shared}${on}`,
    `ALTER SETTINGS PROFILE ${shared}${on} SETTINGS ${settings.join(', ')}`,
    `CREATE ROLE IF NOT EXISTS ${shared}${on}`,
    `CREATE QUOTA IF NOT EXISTS ${quota}`,
    `ALTER QUOTA ${quota}`,
    ...policies(place, { name: restName(place), filter: '1', to: `ALL EXCEPT ${shared}` }),
  ];
}

/** The user of one project. What it may read comes last, so that it never reads without its policy. */
export function createProjectAccess(place: WarehousePlace, projectId: string, user: ProjectUser): string[] {
  const on = onCluster(place);
  const name = quoteIdentifier(user.username);
  const shared = sharedName(place);
  // The server gets to know, and to log, no more than this.
  const hash = createHash('sha256').update(user.password).digest('hex');
  const identified = `IDENTIFIED WITH sha256_hash BY ${quoteString(hash)}`;
  const what = `${identified} SETTINGS PROFILE ${quoteString(nameOfShared(place))} GRANTEES NONE`;
  return [
    `CREATE USER IF NOT EXISTS ${name}${on} ${what}`,
    `ALTER USER ${name}${on} ${what}`,
    `GRANT${on} ${shared} TO ${name}`,
    ...policies(place, { name, filter: projectFilter(projectId), to: name }),
    `GRANT${on} ${projectGrants(place, projectId)} TO ${name} WITH REPLACE OPTION`,
  ];
}

function policies(
  place: WarehousePlace,
  { name, filter, to }: { readonly name: string; readonly filter: string; readonly to: string },
): string[] {
  return eventTables(place).flatMap((table) => {
    const policy = `${name} ON ${table}${onCluster(place)} FOR SELECT USING ${filter} TO ${to}`;
    return [`CREATE ROW POLICY IF NOT EXISTS ${policy}`, `ALTER ROW POLICY ${policy}`];
  });
}

function eventTables(place: WarehousePlace): string[] {
  const stored = `${quoteIdentifier(place.database)}.${storedTable(place)}`;
  return [...new Set([eventsTable(place), stored])];
}

function nameOfShared(place: WarehousePlace): string {
  return `${place.database}_queries`;
}

function sharedName(place: WarehousePlace): string {
  return quoteIdentifier(nameOfShared(place));
}

function restName(place: WarehousePlace): string {
  return quoteIdentifier(`${place.database}_rest`);
}
