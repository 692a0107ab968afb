import { Readable } from 'node:stream';
import { type Connection, ID_SETTING, queryRows } from '../engine/engine.ts';
import type { Spool } from '../request/spool.ts';
import { stringLiteral } from '../sql/literal.ts';
import { PROCESSES } from '../sql/process-reads.ts';
import type { Running } from './running.ts';

export interface FillDeps {
  readonly running: Running;
  readonly spool: Spool;
  readonly newId: () => string;
  /** The id of the server's own statements: only they see the rows of the table. */
  readonly ownId: string;
}

type Settings = Readonly<Record<string, string>>;

interface Row {
  readonly query: string;
  readonly Settings?: Settings;
}

/**
 * Fills a temporary table with the running queries, in the words of the clients: their ids and their SQL. Returns a
 * function that removes the table.
 */
export async function fillProcesses(
  deps: FillDeps,
  connection: Connection,
  queryId: string,
): Promise<() => Promise<void>> {
  const drop = async (): Promise<void> => {
    await connection.query(`DROP TEMPORARY TABLE IF EXISTS ${PROCESSES}`, 'Null');
  };
  await connection.query(
    `CREATE TEMPORARY TABLE ${PROCESSES} AS system.${PROCESSES} ENGINE = Memory`,
    'Null',
  );
  try {
    const mark = deps.newId();
    const rows = await readRows(deps, connection, mark);
    const own = rows.find(({ query }) => query.includes(mark));
    const shown = rows.flatMap((row) => shownRow(deps, row, row === own ? queryId : undefined) ?? []);
    await store(deps.spool, connection, shown);
    return drop;
  } catch (error) {
    await drop();
    throw error;
  }
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

async function store(spool: Spool, connection: Connection, rows: readonly object[]): Promise<void> {
  if (rows.length === 0) return;
  const lines = rows.map((row) => Buffer.from(`${JSON.stringify(row)}\n`));
  const file = await spool.store(Readable.from(lines));
  try {
    const source = `FROM INFILE ${stringLiteral(file.path)} FORMAT JSONEachRow`;
    await connection.write(`INSERT INTO ${PROCESSES} ${source}`);
  } finally {
    await file.remove();
  }
}
