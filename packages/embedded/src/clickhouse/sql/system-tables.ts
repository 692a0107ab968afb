import { nameOf, type Token } from './lexer.ts';

/** The id of the client's query, also where the engine chooses one. */
const QUERY_ID = "() -> getSetting('chdb_client_name')";

/** The only functions that this server replaces: `file()` reads a file, and the others show what a client may not see. */
export const REPLACED_FUNCTIONS: Readonly<Record<string, string>> = {
  file: "path -> throwIf(1, 'The function file() is not supported')",
  getServerSetting: "name -> throwIf(1, 'The function getServerSetting() is not supported')",
  ...Object.fromEntries(
    'queryID query_id currentQueryID current_query_id initialQueryID initial_query_id'
      .split(' ')
      .map((name) => [name, QUERY_ID]),
  ),
};

const replaced = Object.keys(REPLACED_FUNCTIONS).map((name) => `'${name}'`);

/** Quote statements of other clients, or ids and files of this server. For `models`, the engine starts a program. */
const UNSUPPORTED = [
  'asynchronous_inserts',
  'errors',
  'models',
  'query_cache',
  'query_condition_cache',
  'schema_inference_cache',
  'stack_trace',
];

/** Everybody signs in as `default`. The other user is the server's own. */
const OWN_USER = "user_name IS NULL OR user_name = 'default'";

/** The temporary tables of all requests are in this database. The engine protects it, but not from `merge()`. */
export const TEMPORARY_DATABASE = '_temporary_and_external_tables';

/** They describe the parts and works of every table, also of temporary ones. Those are not in a database of their client. */
const OF_TABLES =
  'background_schedule_pool constraints data_skipping_indices detached_parts detached_tables dropped_tables dropped_tables_parts hypothetical_indexes merges moves mutations part_moves_between_shards parts parts_columns projection_parts projection_parts_columns projections replicas replication_queue';

/** The one list of what a client does not see of `system`: the rows that the engine shows, by table. */
export const SHOWN_ROWS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(UNSUPPORTED.map((table) => [table, '0'])),
  ...Object.fromEntries(OF_TABLES.split(' ').map((table) => [table, `database != '${TEMPORARY_DATABASE}'`])),
  functions: `origin != 'SQLUserDefined' OR name NOT IN (${replaced.join(', ')})`,
  grants: OWN_USER,
  // Those of the tables of events remain: the product finds out there whether they exist.
  row_policies: "database != 'system'",
  // Paths of this server, and those that only another server has.
  server_settings: "NOT startsWith(value, '/')",
  settings: "name != 'chdb_client_name'",
  settings_profile_elements: OWN_USER,
  users: "name = 'default'",
};

/** Names that make the engine start a program where `system` is the current database. */
export function unsupportedInSystem(found: readonly Token[]): string | undefined {
  const i = found.findIndex((token, at) => isProgramRead(token, found[at + 1]));
  return i < 0 ? undefined : `${nameOf(found[i])} in the database system`;
}

function isProgramRead(token: Token, next: Token | undefined): boolean {
  const name = nameOf(token);
  return name === 'models' || (name?.toLowerCase() === 'merge' && next?.text === '(');
}

/** The engine would show no rows. An error is clearer where a statement names the table. */
export function unsupportedTable(found: readonly Token[], i: number): string | undefined {
  const table = nameOf(found[i]);
  if (table === undefined || !UNSUPPORTED.includes(table)) return undefined;
  return found[i - 1]?.text === '.' && nameOf(found[i - 2]) === 'system' ? `system.${table}` : undefined;
}
