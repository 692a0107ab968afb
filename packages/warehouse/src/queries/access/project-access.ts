import { createHash, hkdfSync } from 'node:crypto';
import { quoteIdentifier, quoteString } from '../../quote.ts';
import { eventsTable, onCluster, storedTable, type WarehousePlace } from '../../table/events-table.ts';
import { maskedDatabase, projectDatabase } from '../../views/typed-view.ts';
import { limitSettings, type QueryLimits } from '../query-limits.ts';

export interface ProjectUser {
  readonly username: string;
  readonly password: string;
}

/** Whether the caller has the scope for personal data. Without it, a query runs over views without that data. */
export type Sight = 'whole' | 'masked';

/** The user for all processes of a project at one server. */
const mostAtOnce = 16;
const mostQueriesAnHour = 20_000;
const mostSecondsAnHour = 14_400;

/** The database of views that a query uses. */
export function viewDatabase(projectId: string, sight: Sight): string {
  return sight === 'whole' ? projectDatabase(projectId) : maskedDatabase(projectId);
}

/** Equal in every process with the secret. The server logs the name, but never the password. */
export function projectUser(
  place: WarehousePlace,
  { projectId, sight }: { readonly projectId: string; readonly sight: Sight },
  secret: string,
): ProjectUser {
  return derivedUser(`${place.database}_${viewDatabase(projectId, sight)}`, secret);
}

/** Derives the user that checks with which user the other servers of the cluster run queries. */
export function probeUser(place: WarehousePlace, secret: string): ProjectUser {
  return derivedUser(`${place.database}_probe`, secret);
}

function derivedUser(username: string, secret: string): ProjectUser {
  const key = hkdfSync('sha256', secret, '', `clickhouse user ${username}`, 32);
  return { username, password: Buffer.from(key).toString('base64url') };
}

/** The definer of a project's views, for the table of events. Nobody can sign in as this user. */
export function definerName(place: WarehousePlace, projectId: string): string {
  return `${place.database}_rows_${projectDatabase(projectId)}`;
}

/** The only settings of customers' queries, in every configuration. */
export function profileSettings(limits: QueryLimits): Readonly<Record<string, string | number>> {
  return { ...limitSettings(limits), allow_ddl: 0, max_concurrent_queries_for_user: mostAtOnce };
}

/** The rows of the tables of events that a project's users see. */
export function projectFilter(projectId: string): string {
  return `project = ${quoteString(projectId)}`;
}

/** The tables of the views. All columns: a grant on some of them does not cover the members of `data`. */
export function definerGrants(place: WarehousePlace): string {
  return eventTables(place)
    .map((table) => `SELECT ON ${table}`)
    .join(', ');
}

/**
 * The project's views only. On a cluster, also the table of each server: it is queried with the signed-in user, and
 * shows that user the rows of the project.
 */
export function projectGrants(place: WarehousePlace, projectId: string, sight: Sight): string {
  const views = `SELECT ON ${quoteIdentifier(viewDatabase(projectId, sight))}.*`;
  return place.cluster === null ? views : `${views}, SELECT ON ${storedName(place)}`;
}

/**
 * Statements that must run before the user of any project. They can be repeated, also concurrently by two processes.
 * The policy for other users is created before the policy of any project: with one policy on a table, some servers show
 * nothing to users without a policy.
 */
export function createSharedAccess(place: WarehousePlace): string[] {
  const shared = sharedName(place);
  return [
    `CREATE ROLE IF NOT EXISTS ${shared}${onCluster(place)}`,
    ...policies(place, { name: restName(place), filter: '1', to: `ALL EXCEPT ${shared}` }),
  ];
}

/** The profile and the quota of all users that run queries. */
export function createQueryProfile(place: WarehousePlace, limits: QueryLimits): string[] {
  const on = onCluster(place);
  const shared = sharedName(place);
  const settings = Object.entries(profileSettings(limits)).map(
    ([name, value]) => `${name} = ${typeof value === 'number' ? value : quoteString(value)} CONST`,
  );
  const quota = `${shared}${on} KEYED BY user_name FOR INTERVAL 1 hour MAX queries = ${mostQueriesAnHour}, execution_time = ${mostSecondsAnHour} TO ${shared}`;
  return [
    `CREATE SETTINGS PROFILE IF NOT EXISTS ${shared}${on}`,
    `ALTER SETTINGS PROFILE ${shared}${on} SETTINGS ${settings.join(', ')}`,
    `CREATE QUOTA IF NOT EXISTS ${quota}`,
    `ALTER QUOTA ${quota}`,
  ];
}

/** The user whose rights the project's views have. It sees only the rows of the project. */
export function createDefiner(place: WarehousePlace, projectId: string): string[] {
  const name = quoteIdentifier(definerName(place, projectId));
  // Without any host, and with a password hash that matches no known password.
  const closed = `IDENTIFIED WITH sha256_hash BY ${quoteString('0'.repeat(64))} HOST NONE GRANTEES NONE`;
  return userStatements(place, { projectId, name, what: closed, grants: definerGrants(place) });
}

/** The user that runs the queries of one project. Its grants come last, so it never reads without its policy. */
export function createProjectAccess(
  place: WarehousePlace,
  { projectId, sight }: { readonly projectId: string; readonly sight: Sight },
  user: ProjectUser,
): string[] {
  const profile = `SETTINGS PROFILE ${quoteString(nameOfShared(place))}`;
  return userStatements(place, {
    projectId,
    name: quoteIdentifier(user.username),
    what: `${identified(user)} ${profile} GRANTEES NONE`,
    grants: projectGrants(place, projectId, sight),
  });
}

/** Can query the other servers of the cluster, and reads no table. */
export function createProbe(place: WarehousePlace, user: ProjectUser): string[] {
  const name = quoteIdentifier(user.username);
  const on = onCluster(place);
  return [
    `CREATE USER IF NOT EXISTS ${name}${on} ${identified(user)} GRANTEES NONE`,
    `ALTER USER ${name}${on} ${identified(user)} GRANTEES NONE`,
    `GRANT${on} REMOTE, CREATE TEMPORARY TABLE ON *.* TO ${name}`,
  ];
}

/** The server receives and logs only the hash of a password. */
function identified({ password }: ProjectUser): string {
  const hash = createHash('sha256').update(password).digest('hex');
  return `IDENTIFIED WITH sha256_hash BY ${quoteString(hash)}`;
}

function userStatements(
  place: WarehousePlace,
  user: { readonly projectId: string; readonly name: string; readonly what: string; readonly grants: string },
): string[] {
  const { projectId, name, what, grants } = user;
  const on = onCluster(place);
  return [
    `CREATE USER IF NOT EXISTS ${name}${on} ${what}`,
    `ALTER USER ${name}${on} ${what}`,
    `GRANT${on} ${sharedName(place)} TO ${name}`,
    ...policies(place, { name, filter: projectFilter(projectId), to: name }),
    `GRANT${on} ${grants} TO ${name} WITH REPLACE OPTION`,
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
  return [...new Set([eventsTable(place), storedName(place)])];
}

function storedName(place: WarehousePlace): string {
  return `${quoteIdentifier(place.database)}.${storedTable(place)}`;
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
