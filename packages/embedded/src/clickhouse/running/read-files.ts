import { Code, fault } from '../answer/http-fault.ts';
import { type Connection, queryRows } from '../engine/engine.ts';
import { findUserFiles, type UserFile } from '../engine/user-files.ts';
import { type FileRead, fileReads } from '../sql/file-reads.ts';
import { isIdentifier, quotedIdentifier, sent, stringLiteral } from '../sql/literal.ts';
import { type Statement, withText } from '../sql/statement.ts';
import type { TemporaryTables } from './temporary-tables.ts';

const MOST_CALLS = 100;
const MOST_BYTES = 1024 ** 3;
const INFERENCE_BYTES = 64 * 1024 ** 2;

/**
 * Puts the rows of files into temporary tables: the user of the engine has no right to read files, and gets none for
 * this. So nothing else in the statement can read one, whatever it hides. Returns the statement with these tables instead
 * of its calls of `file()`. Without a folder, no call is replaced.
 */
export async function readFiles(
  tables: TemporaryTables,
  statement: Statement,
  folder: string | undefined,
): Promise<Statement> {
  const sql = readableText(statement);
  if (folder === undefined || sql === undefined) return statement;
  const reads = fileReads(sql);
  if (reads.length === 0) return statement;
  if (reads.length > MOST_CALLS) throw fault(Code.badArguments, `More than ${MOST_CALLS} calls of file()`);
  const loaded = new Set<string>();
  let text = '';
  let from = 0;
  for (const read of reads) {
    // Errors and EXPLAIN show the name.
    const name = sql.slice(read.start, read.end);
    const table = quotedIdentifier(sent(name));
    if (!loaded.has(table))
      await load(tables, { read, table, found: await findUserFiles(folder, read.path) });
    loaded.add(table);
    text += sql.slice(from, read.start) + quotedIdentifier(name);
    from = read.end;
  }
  return withText(statement, text + sql.slice(from));
}

/** Only for a statement that may read files: one that stores no SQL, and shows no table. */
function readableText(statement: Statement): string | undefined {
  if (statement.kind === 'read') return statement.before;
  if (statement.kind !== 'command') return undefined;
  return statement.keyword === 'INSERT' ? statement.text : undefined;
}

interface Load {
  readonly read: FileRead;
  readonly table: string;
  readonly found: readonly UserFile[];
}

async function load(tables: TemporaryTables, { read, table, found }: Load): Promise<void> {
  const { connection } = tables;
  const format = read.format ?? formatOf(read.path);
  if (format === undefined || !isIdentifier(format))
    throw fault(
      Code.unknownFormat,
      `Unknown format of '${read.path}': name it in the second argument of file()`,
    );
  const bytes = found.reduce((sum, file) => sum + file.bytes, 0);
  if (bytes > MOST_BYTES)
    throw fault(
      Code.queryIsTooLarge,
      `'${read.path}' has ${bytes} bytes, and file() reads ${MOST_BYTES}: send them as the body of an INSERT`,
    );
  const structure = read.structure ?? (await inferred(connection, { format, read, found }));
  await tables.create(table, `ENGINE = Memory AS SELECT * FROM null(${stringLiteral(structure)})`);
  for (const file of found)
    await connection.write(`INSERT INTO ${table} ${infile(file, read)} FORMAT ${format}`);
}

/** The structure of the first file that is not empty. */
async function inferred(
  connection: Connection,
  { format, read, found }: Omit<Load, 'table'> & { format: string },
): Promise<string> {
  const first = found.find(({ bytes }) => bytes > 0);
  if (first === undefined || first.bytes > INFERENCE_BYTES)
    throw fault(
      Code.badArguments,
      `Cannot infer the structure of '${read.path}': give it in the third argument of file()`,
    );
  const raw = quotedIdentifier(`bytes of ${read.path}`);
  await connection.query(`CREATE TEMPORARY TABLE ${raw} (bytes String) ENGINE = Memory`, 'Null');
  try {
    await connection.write(`INSERT INTO ${raw} ${infile(first, read)} FORMAT RawBLOB`);
    const sql = `DESCRIBE format(${format}, (SELECT bytes FROM ${raw}))`;
    const columns = await queryRows<[string, string]>(connection, sql);
    return columns.map(([name, type]) => `${quotedIdentifier(name)} ${type}`).join(', ');
  } finally {
    await connection.query(`DROP TEMPORARY TABLE ${raw}`, 'Null');
  }
}

function infile({ path }: UserFile, { compression }: FileRead): string {
  const coding = compression === undefined ? '' : ` COMPRESSION ${stringLiteral(compression)}`;
  return `FROM INFILE ${stringLiteral(path)}${coding}`;
}

/** From the ends of names, like ClickHouse. */
const FORMATS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    arrow: 'Arrow',
    avro: 'Avro',
    csv: 'CSV',
    json: 'JSON',
    jsonl: 'JSONEachRow',
    native: 'Native',
    ndjson: 'JSONEachRow',
    orc: 'ORC',
    parquet: 'Parquet',
    tsv: 'TSV',
  }),
);
const CODINGS = /\.(?:gz|zst|xz|br|lz4|bz2|lzma|snappy|deflate)$/;

function formatOf(path: string): string | undefined {
  const end = /\.([a-z]+)$/.exec(path.toLowerCase().replace(CODINGS, ''))?.[1];
  return end === undefined ? undefined : FORMATS.get(end);
}
