import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Answer, Summary } from '../answer/answer.ts';
import { Code, fault } from '../answer/http-fault.ts';
import { type Connection, ID_SETTING, type QueryOutcome, type WriteOutcome } from '../engine/engine.ts';
import type { Pipe } from '../engine/pipes.ts';
import type { Received } from '../request/request-body.ts';
import type { Spool } from '../request/spool.ts';
import { quotedIdentifier, sent, stringLiteral } from '../sql/literal.ts';
import type { CommandStatement, InsertInputStatement, ReadStatement } from '../sql/statement.ts';

interface Reading {
  readonly statement: ReadStatement;
  readonly answer: Answer;
  readonly defaultFormat: string;
}

/** The SQL that makes the engine write the result to a path. */
function readSql({ statement, defaultFormat }: Reading, path: string): string {
  // In lower case, so that errors do not quote it.
  const format = statement.format === undefined ? `format ${defaultFormat}` : `FORMAT ${statement.format}`;
  return `${sent(statement.before)} INTO OUTFILE ${stringLiteral(path)} TRUNCATE ${format}${sent(statement.after)}`;
}

/** Streams the result through a pipe, so that it is never whole in memory. */
export async function streamRead(
  run: (sql: string) => Promise<QueryOutcome>,
  leasePipe: () => Promise<Pipe>,
  job: Reading,
): Promise<Summary> {
  const pipe = await leasePipe();
  const outcome = run(readSql(job, pipe.path)).finally(() => pipe.end());
  outcome.catch(() => undefined);
  let bytes = 0;
  try {
    for await (const chunk of pipe.output.iterator({ destroyOnReturn: false })) {
      bytes += chunk.length;
      await job.answer.write(chunk);
    }
  } catch (error) {
    await drain(pipe);
    await outcome.catch(() => undefined);
    throw error;
  } finally {
    outcome.finally(() => pipe.release()).catch(() => undefined);
  }
  return readSummary(await outcome, bytes);
}

/** The engine blocks in the pipe until it is read: the rest of its output is discarded. */
function drain(pipe: Pipe): Promise<void> {
  return new Promise((resolve) => {
    pipe.output.once('close', resolve);
    pipe.output.once('end', resolve);
    pipe.output.resume();
    if (pipe.output.readableEnded || pipe.output.destroyed) resolve();
  });
}

/** The engine first completes the whole result in a file (`wait_end_of_query`). */
export async function bufferedRead(
  run: (sql: string) => Promise<QueryOutcome>,
  spool: Spool,
  job: Reading,
): Promise<Summary> {
  const file = spool.reserve();
  try {
    const outcome = await run(readSql(job, file.path));
    const { size } = await stat(file.path);
    const summary = readSummary(outcome, size);
    await job.answer.open(summary);
    for await (const chunk of createReadStream(file.path)) await job.answer.write(chunk);
    return summary;
  } finally {
    await file.remove();
  }
}

export async function runInsert(connection: Connection, received: Received): Promise<Summary> {
  const { statement, data, coding } = received;
  if (data === undefined || data.bytes === 0)
    return writeSummary({ rowsWritten: 0, bytesWritten: 0, elapsed: 0 });
  const packing = coding === undefined ? '' : ` COMPRESSION '${coding}'`;
  const source = `FROM INFILE ${stringLiteral(data.path)}${packing}`;
  if (statement.kind === 'insertInput') {
    return writeSummary(await throughTable(connection, statement, source));
  }
  if (statement.kind !== 'insert') throw new TypeError('not an insert');
  const { before, settings, format } = statement;
  return writeSummary(await connection.write(`${sent(before)} ${source} ${sent(settings)} FORMAT ${format}`));
}

/** The engine reads `input()` only from its own standard input: the rows wait in a temporary table. */
async function throughTable(
  connection: Connection,
  statement: InsertInputStatement,
  source: string,
): Promise<WriteOutcome> {
  const structure = sent(statement.structure);
  // Errors show the name.
  const table = quotedIdentifier(`input(${structure})`);
  await connection.query(
    `CREATE TEMPORARY TABLE ${table} ENGINE = Memory AS SELECT * FROM null(${structure})`,
    'Null',
  );
  try {
    await connection.write(`INSERT INTO ${table} ${source} FORMAT ${statement.format}`);
    return await connection.write(`${sent(statement.before)}${table}${sent(statement.after)}`);
  } finally {
    await connection.query(`DROP TEMPORARY TABLE ${table}`, 'Null');
  }
}

export async function runCommand(
  connection: Connection,
  statement: CommandStatement,
  defaultFormat: string,
): Promise<{ bytes: Uint8Array; summary: Summary }> {
  const sql = sent(statement.text);
  if (statement.keyword === 'INSERT') {
    return { bytes: new Uint8Array(), summary: writeSummary(await connection.write(sql)) };
  }
  const outcome = await connection.query(sql, defaultFormat);
  if (statement.keyword === 'EXPLAIN' && showsRule(outcome.bytes))
    throw fault(Code.notImplemented, 'EXPLAIN of this table of the database system is not supported');
  return { bytes: outcome.bytes, summary: readSummary(outcome, outcome.bytes.length) };
}

/** A plan calls the rule that hides rows of a system table so, but not below a merge of tables. */
const RULE_STEP = 'Row-level security filter';
const MERGE_STEP = /ReadFromMerge\b/;
const SYSTEM_STEP = 'ReadFromSystem';

function showsRule(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes).toString('latin1');
  return (
    text.includes(ID_SETTING) ||
    text.includes(RULE_STEP) ||
    (text.includes(SYSTEM_STEP) && MERGE_STEP.test(text))
  );
}

export const NOTHING_READ: Summary = summary({});

/** The engine counts the rows of the result, not the rows that it read. */
function readSummary(outcome: QueryOutcome, resultBytes: number): Summary {
  return summary({
    read_rows: outcome.rowsRead,
    read_bytes: outcome.bytesRead,
    total_rows_to_read: outcome.rowsRead,
    result_rows: outcome.rowsRead,
    result_bytes: resultBytes,
    elapsed_ns: outcome.elapsed * 1e9,
  });
}

function writeSummary(outcome: WriteOutcome): Summary {
  return summary({
    read_rows: outcome.rowsWritten,
    read_bytes: outcome.bytesWritten,
    written_rows: outcome.rowsWritten,
    written_bytes: outcome.bytesWritten,
    result_rows: outcome.rowsWritten,
    result_bytes: outcome.bytesWritten,
    elapsed_ns: outcome.elapsed * 1e9,
  });
}

function summary(known: Record<string, number>): Summary {
  const none = {
    read_rows: 0,
    read_bytes: 0,
    written_rows: 0,
    written_bytes: 0,
    total_rows_to_read: 0,
    result_rows: 0,
    result_bytes: 0,
    elapsed_ns: 0,
  };
  return Object.fromEntries(
    Object.entries({ ...none, ...known }).map(([name, value]) => [name, String(Math.round(value))]),
  );
}
