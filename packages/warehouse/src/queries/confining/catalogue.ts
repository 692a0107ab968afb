import { quoteString } from '../../quote.ts';
import type { DescribedTable } from '../describe-schema.ts';

/** What a driver finds in the tables of `system` and in functions about the server. */
export interface Catalogue {
  /** The database in which the tables are said to be. */
  readonly database: string;
  readonly tables: readonly DescribedTable[];
  /** The name of the caller. */
  readonly user: string;
  /** Of ClickHouse. */
  readonly version: string;
}

/**
 * Replaces the tables of `system` that list databases, tables and columns by such lists of the project's own, and functions
 * about the server by constants. It runs before all checks, so the result is checked. Other tables of `system` stay, and
 * are refused. Null if there are so many of these tables that the result would be long.
 */
export function withCatalogue(sql: string, catalogue: Catalogue): string | null {
  const values = valuesOf(catalogue);
  const tables = sql.includes('system.') ? tablesOf(catalogue) : {};
  const aliases = new Map(Array.from(sql.matchAll(aliased), ([, name = '', alias = '']) => [name, alias]));
  let count = 0;
  const replaced = sql.replace(sqlParts, (part: string, ...found: (string | undefined)[]) => {
    const [name, behind = '', call] = found;
    if (call !== undefined) return quoteString(values[call.toLowerCase()] ?? '');
    if (name === undefined) return part;
    const alias = aliases.get(name) ?? `system_${name}`;
    if (behind === '.') return `${alias}.`;
    count += 1;
    if (count > mostTables) return part;
    return `(${tables[name]})${behind === '' ? ` AS ${alias}` : behind}`;
  });
  return count > mostTables ? null : replaced;
}

/** Each contains the whole list. Drivers read three at most. */
export const mostTables = 8;

const listedTables = 'databases|tables|columns|settings';
const aliased = new RegExp(`\\bsystem\\.(${listedTables}) AS (\\w+)`, 'g');
const functionsOfServer =
  'version|displayName|(?:server)?[tT]ime[zZ]one|currentDatabase|currentUser|user|host[nN]ame';

/** A text or a quoted name, which stay, or a table of `system` with what is behind it, or the call of a function. */
const sqlParts = new RegExp(
  `'(?:[^'\\\\]|\\\\.)*'|\`(?:[^\`\\\\]|\\\\.)*\`|\\bsystem\\.(${listedTables})\\b(\\.| AS\\b|)|\\b(${functionsOfServer})\\(\\)`,
  'gs',
);

function valuesOf({ database, user, version }: Catalogue): Readonly<Record<string, string>> {
  return {
    version,
    displayname: 'Tickrate',
    servertimezone: 'UTC',
    timezone: 'UTC',
    currentdatabase: database,
    currentuser: user,
    user,
    hostname: 'tickrate',
  };
}

function tablesOf({ database, tables }: Catalogue): Readonly<Record<string, string>> {
  const own = `${quoteString(database)} AS database`;
  const columns = tables.flatMap(({ name, columns: each }) =>
    each.map((column, at) => [name, column.name, column.type, column.comment, String(at + 1)]),
  );
  return {
    databases: `SELECT ${quoteString(database)} AS name, ${own}, 'Atomic' AS engine, ${texts('data_path metadata_path engine_full comment')}`,
    tables: listed(
      tables.map(({ name, comment }) => [name, comment]),
      `${own}, v[1] AS name, v[1] AS table, v[2] AS comment, 'View' AS engine, toUInt8(0) AS is_temporary, CAST([], 'Array(String)') AS data_paths, ${texts('engine_full create_table_query as_select partition_key sorting_key primary_key sampling_key storage_policy metadata_path')}, ${unknown('total_rows total_bytes')}`,
    ),
    columns: listed(
      columns,
      `${own}, v[1] AS table, v[2] AS name, v[3] AS type, v[4] AS comment, toUInt64(v[5]) AS position, ${texts('default_kind default_expression compression_codec')}, ${flags('is_in_partition_key is_in_sorting_key is_in_primary_key is_in_sampling_key')}, ${unknown('character_octet_length numeric_precision numeric_precision_radix numeric_scale datetime_precision')}`,
    ),
    settings: listed(
      [],
      `v[1] AS name, v[1] AS value, v[1] AS description, v[1] AS type, ${flags('readonly changed')}`,
    ),
  };
}

const texts = (names: string) => each(names, "''");
const flags = (names: string) => each(names, 'toUInt8(0)');
const unknown = (names: string) => each(names, "CAST(NULL, 'Nullable(UInt64)')");

function each(names: string, value: string): string {
  return names
    .split(' ')
    .map((name) => `${value} AS ${name}`)
    .join(', ');
}

/** One constant, however many rows it has: the tree of the query stays small. */
function listed(rows: readonly (readonly string[])[], columns: string): string {
  const json = quoteString(JSON.stringify(rows));
  return `SELECT ${columns} FROM (SELECT arrayJoin(JSONExtract(${json}, 'Array(Array(String))')) AS v)`;
}
