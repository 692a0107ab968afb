import { Readable } from 'node:stream';
import { type Connection, ID_SETTING, queryRows } from '../engine/engine.ts';
import { stringLiteral } from '../sql/literal.ts';
import { PROCESSES } from '../sql/process-reads.ts';
import type { Running } from './running.ts';
import type { TemporaryTables } from './temporary-tables.ts';

export interface FillDeps {
  readonly running: Running;
  readonly newId: () => string;
  /** The id of the server's own statements: only they see the rows of the table. */
  readonly ownId: string;
}

type Settings = Readonly<Record<string, string>>;

interface Row {
  readonly query: string;
  readonly Settings?: Settings;
}

/** Fills a temporary table with the running queries, in the words of the clients: their ids and their SQL. */
export async function fillProcesses(deps: FillDeps, tables: TemporaryTables, queryId: string): Promise<void> {
  await tables.create(PROCESSES, `AS system.${PROCESSES} ENGINE = Memory`);
  const mark = deps.newId();
  const rows = await readRows(deps, tables.connection, mark);
  const own = rows.find(({ query }) => query.includes(mark));
  const shown = rows.flatMap((row) => shownRow(deps, row, row === own ? queryId : undefined) ?? []);
  const lines = shown.map((row) => Buffer.from(`${JSON.stringify(row)}\n`));
  if (lines.length > 0) await tables.insert(PROCESSES, 'JSONEachRow', Readable.from(lines));
}

/** So that the parser of JSON keeps large integers. */
const READING: Settings = { output_format_json_quote_64bit_integers: '1' };

/** On the client's connection, so that its permissions apply. The row with the mark becomes that of its own query. */
function readRows({ ownId }: FillDeps, connection: Connection, mark: string): Promise<Row[]> {
  const own = { ...READING, [ID_SETTING]: ownId };
  const settings = Object.entries(own).map(([name, value]) => `${name} = ${stringLiteral(value)}`);
  const sql = `SELECT * FROM system.${PROCESSES} /* ${mark} */ SETTINGS ${settings.join(', ')}`;
  return queryRows(connection, sql, 'JSONEachRow');
}

/** Undefined for a statement of the server. */
function shownRow({ running }: FillDeps, row: Row, own: string | undefined): object | undefined {
  const { [ID_SETTING]: carried, ...settings } = row.Settings ?? {};
  const id = own ?? carried ?? '';
  const query = running.text(id);
  if (query === undefined) return undefined;
  const shown = ofClient(settings, own === undefined ? ALWAYS : { ...ALWAYS, ...READING });
  return { ...row, query_id: id, initial_query_id: id, query, is_internal: 0, Settings: shown };
}

/** What this server and the library set on every connection. */
const ALWAYS: Settings = {
  allow_introspection_functions: '0',
  async_insert: '0',
  implicit_select: '0',
  output_format_arrow_use_native_writer: '0',
  serialize_query_plan: '0',
  storage_file_read_method: 'mmap',
};

function ofClient(settings: Settings, server: Settings): Settings {
  return Object.fromEntries(Object.entries(settings).filter(([name, value]) => server[name] !== value));
}
