import { Readable } from 'node:stream';
import type { Connection } from '../engine/engine.ts';
import { ID_SETTING } from '../engine/engine.ts';
import { EngineError } from '../engine/engine-error.ts';
import type { Spool } from '../request/spool.ts';
import { stringLiteral } from '../sql/literal.ts';
import type { Running } from './running.ts';

export interface HiddenDeps {
  readonly running: Running;
  readonly spool: Spool;
  /** The id of the server's own statements: only they see the rows of hidden tables. */
  readonly ownId: string;
  readonly redact: (error: EngineError) => EngineError;
}

interface Row {
  /** In the table of processes: whether it is the query that reads the row. */
  readonly own?: boolean | number;
  readonly source?: string;
  readonly last_error_message?: string;
  readonly Settings?: Readonly<Record<string, string>>;
}

/**
 * Fills temporary tables with the rows of hidden tables, in the words of the clients: their ids, their SQL, and no path.
 * Returns a function that removes the tables.
 */
export async function fillHidden(
  deps: HiddenDeps,
  connection: Connection,
  { tables, queryId }: { readonly tables: readonly string[]; readonly queryId: string },
): Promise<() => Promise<void>> {
  const made: string[] = [];
  const drop = async (): Promise<void> => {
    for (const table of made) await connection.query(`DROP TEMPORARY TABLE IF EXISTS ${table}`, 'Null');
  };
  try {
    for (const table of tables) {
      await connection.query(`CREATE TEMPORARY TABLE ${table} AS system.${table} ENGINE = Memory`, 'Null');
      made.push(table);
      const rows = await hiddenRows(deps, connection, table);
      const shown = rows.flatMap((row) => shownRow(deps, table, { row, queryId }) ?? []);
      await store(deps.spool, connection, { table, rows: shown });
    }
    return drop;
  } catch (error) {
    await drop();
    throw error;
  }
}

/** On the client's connection, so that its permissions apply and its own query is among the rows. */
async function hiddenRows({ ownId }: HiddenDeps, connection: Connection, table: string): Promise<Row[]> {
  const settings = `${ID_SETTING} = ${stringLiteral(ownId)}, output_format_json_quote_64bit_integers = 1`;
  const own = table === 'processes' ? ', query_id = queryID() AS own' : '';
  const sql = `SELECT *${own} FROM system.${table} SETTINGS ${settings}`;
  const { bytes } = await connection.query(sql, 'JSONEachRow');
  const lines = Buffer.from(bytes).toString().split('\n');
  return lines.filter((line) => line !== '').map((line): Row => JSON.parse(line));
}

function shownRow(
  deps: HiddenDeps,
  table: string,
  { row, queryId }: { readonly row: Row; readonly queryId: string },
): object | undefined {
  const { own, ...columns } = row;
  if (table === 'processes') return shownProcess(deps, columns, own ? queryId : undefined);
  if (table === 'schema_inference_cache') return isPrivate(deps, columns.source) ? undefined : columns;
  const id = { query_id: '' };
  if (table === 'stack_trace') return { ...columns, ...id };
  return { ...columns, ...id, last_error_message: redacted(deps, columns.last_error_message) };
}

function redacted({ redact }: HiddenDeps, text = ''): string {
  return redact(new EngineError(0, '', text)).message;
}

function isPrivate(deps: HiddenDeps, path: string | undefined): boolean {
  return redacted(deps, path) !== (path ?? '');
}

/** Undefined for a statement of the server. */
function shownProcess(
  { running }: HiddenDeps,
  row: Omit<Row, 'own'>,
  ownQuery: string | undefined,
): object | undefined {
  const { [ID_SETTING]: carried, ...settings } = row.Settings ?? {};
  const id = ownQuery ?? carried ?? '';
  const query = running.text(id);
  if (query === undefined) return undefined;
  return { ...row, query_id: id, initial_query_id: id, query, is_internal: 0, Settings: settings };
}

async function store(
  spool: Spool,
  connection: Connection,
  { table, rows }: { readonly table: string; readonly rows: readonly object[] },
): Promise<void> {
  if (rows.length === 0) return;
  const lines = rows.map((row) => Buffer.from(`${JSON.stringify(row)}\n`));
  const file = await spool.store(Readable.from(lines));
  try {
    await connection.write(`INSERT INTO ${table} FROM INFILE ${stringLiteral(file.path)} FORMAT JSONEachRow`);
  } finally {
    await file.remove();
  }
}
