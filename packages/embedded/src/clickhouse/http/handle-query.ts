import { type Answer, openAnswer, type Summary } from '../answer/answer.ts';
import { Code, fault } from '../answer/http-fault.ts';
import { watchProgress } from '../answer/progress.ts';
import type { DiskGuard } from '../engine/disk-guard.ts';
import type { Connection, Engine } from '../engine/engine.ts';
import { EngineError } from '../engine/engine-error.ts';
import type { Pipe } from '../engine/pipes.ts';
import { isGuarded } from '../engine/query-access.ts';
import type { Semaphore } from '../engine/semaphore.ts';
import { type Received, receive } from '../request/request-body.ts';
import type { Exchange } from '../request/request-params.ts';
import type { Spool } from '../request/spool.ts';
import { fillProcesses } from '../running/fill-processes.ts';
import { type KillStatement, killQueries, parseKill } from '../running/kill-queries.ts';
import type { WatchQuery } from '../running/late-queries.ts';
import { openExternalTables, preparation, rememberSession } from '../running/prepare-connection.ts';
import { readFiles } from '../running/read-files.ts';
import { isFreeing, isWriting, readonlyOf, refuseWrites } from '../running/readonly.ts';
import { bufferedRead, NOTHING_READ, runCommand, runInsert, streamRead } from '../running/run-statement.ts';
import type { Running } from '../running/running.ts';
import type { Sessions } from '../running/sessions.ts';
import { createTemporaryTables } from '../running/temporary-tables.ts';
import { tokens } from '../sql/lexer.ts';
import { type ProcessReads, readsOfProcesses } from '../sql/process-reads.ts';
import type { ReadStatement } from '../sql/statement.ts';
import { TEMPORARY_DATABASE, unsupportedInSystem } from '../sql/system-tables.ts';

export interface QueryDeps {
  readonly engine: Engine;
  readonly diskGuard: DiskGuard;
  readonly leasePipe: () => Promise<Pipe>;
  readonly semaphore: Semaphore;
  readonly spool: Spool;
  readonly sessions: Sessions;
  readonly running: Running;
  readonly watchQuery: WatchQuery;
  /** The folder of the files that statements may read. Undefined where none reads files. */
  readonly userFiles: string | undefined;
  readonly newId: () => string;
  /** The id of the server's own statements. */
  readonly ownId: string;
  /** Removes paths and texts of this server from an error. */
  readonly redact: (error: EngineError) => EngineError;
}

interface Job {
  readonly exchange: Exchange;
  readonly connection: Connection;
  readonly inSession: boolean;
  readonly received: Received;
}

/** Answers one request for a query. Throws `EngineError` while no part of an answer was sent. */
export async function handleQuery(deps: QueryDeps, exchange: Exchange): Promise<void> {
  const finish = await run(deps, exchange);
  // Last, after everything is released: a client with its answer can use its session again at once.
  await finish();
}

/** Sends the end of the answer. */
type Finish = () => Promise<void>;

async function run(deps: QueryDeps, exchange: Exchange): Promise<Finish> {
  const { params, request, response, queryId } = exchange;
  const { session, replaceRunning: replace } = params;
  await using held = new AsyncDisposableStack();
  const { connection, leave } =
    session === undefined ? freshLease(deps, queryId) : deps.sessions.enter(session);
  held.defer(() => leave({ close: session?.close ?? false }));
  const received = await receive(request, params.query, deps.spool);
  held.defer(() => received.data?.remove());
  const query = await deps.running.begin(queryId, received.text, { replace });
  held.defer(query.done);
  held.defer(await deps.semaphore.take());
  held.defer(deps.watchQuery(response));
  // Complete data is stored even if the client has left. Everything else ends with the connection.
  const isLasting = received.statement.kind === 'insert';
  const left = (): void => {
    if (!response.writableFinished && !isLasting) query.cancel();
  };
  response.once('close', left);
  held.defer(() => void response.off('close', left));
  if (response.destroyed && !isLasting) return async () => undefined;
  return await perform(deps, { exchange, connection, inSession: session !== undefined, received });
}

function freshLease(deps: QueryDeps, queryId: string): { connection: Connection; leave: () => void } {
  const connection = deps.engine.connect(queryId);
  return { connection, leave: () => void connection.close() };
}

async function perform(deps: QueryDeps, job: Job): Promise<Finish> {
  const { connection, inSession, exchange, received } = job;
  const { params } = exchange;
  const readonly = readonlyOf(exchange.request.method, params);
  if (readonly !== '0') refuseWrites(received.statement);
  if (!isGuarded(params.roles, params.database)) {
    throw fault(Code.accessDenied, 'These roles are for queries in the database of one project');
  }
  if (params.database === TEMPORARY_DATABASE)
    throw fault(Code.notImplemented, `The database ${TEMPORARY_DATABASE} is not supported`);
  const processes = readsOfProcesses(received.statement);
  const restore = inSession ? await rememberSession(connection, params) : undefined;
  const progress = watchProgress(deps.engine, exchange.queryId, params);
  const about = { version: deps.engine.version, newId: deps.newId, progress: progress.lines };
  const answer = openAnswer(exchange, received.statement, about);
  const tables = createTemporaryTables(connection, deps.spool);
  try {
    const before = preparation(params, inSession ? exchange.queryId : undefined);
    if (before !== '') await connection.query(before, 'Null');
    await openExternalTables(tables, exchange.tables);
    await refuseInSystem(job);
    if (await isReadingProcesses(job, processes)) await fillProcesses(deps, tables, exchange.queryId);
    // A request with a role is a customer's, who reads no files.
    const folder = params.roles.length > 0 ? undefined : deps.userFiles;
    const statement = await readFiles(tables, processes.statement, folder);
    // Last, or it would forbid the rest.
    if (readonly !== '0' && !inSession) await connection.query(`SET readonly=${readonly}`, 'Null');
    const summary = await executeSurely(deps, { ...job, received: { ...received, statement } }, answer);
    return () => answer.end(summary);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const { code, type, message } = deps.redact(error);
    const shown = new EngineError(code, type, processes.inWordsOfAuthor(message));
    await answer.fail(shown);
    throw shown;
  } finally {
    progress.stop();
    if (inSession) await tables.drop();
    await restore?.();
  }
}

async function isReadingProcesses(
  { connection, exchange, inSession, received: { statement } }: Job,
  { reads }: ProcessReads,
): Promise<boolean> {
  if (statement.kind === 'command' && parseKill(statement) !== undefined) return true;
  return reads === 'ifSystem' ? isInSystem({ connection, exchange, inSession }) : reads === 'yes';
}

/** Where `system` is the current database, a name needs no `system.` before it. */
async function refuseInSystem(job: Job): Promise<void> {
  const { statement } = job.received;
  if (statement.kind !== 'read' && statement.kind !== 'command') return;
  const text = statement.kind === 'read' ? statement.before : statement.text;
  const what = unsupportedInSystem([...tokens(text)]);
  if (what !== undefined && (await isInSystem(job)))
    throw fault(Code.notImplemented, `${what} is not supported by the embedded ClickHouse`);
}

async function isInSystem({
  connection,
  exchange,
  inSession,
}: Pick<Job, 'connection' | 'exchange' | 'inSession'>): Promise<boolean> {
  if (!inSession) return exchange.params.database === 'system';
  const { bytes } = await connection.query('SELECT currentDatabase()', 'TSVRaw');
  return Buffer.from(bytes).toString().trim() === 'system';
}

/** Writes nothing without space for it, and confirms nothing that was not written. */
async function executeSurely(deps: QueryDeps, job: Job, answer: Answer): Promise<Summary> {
  const { statement, data } = job.received;
  if (!isWriting(statement)) return execute(deps, job, answer);
  if (!isFreeing(statement)) await deps.diskGuard.admit(data?.bytes ?? 0);
  const summary = await execute(deps, job, answer);
  await deps.diskGuard.confirm();
  return summary;
}

async function execute(deps: QueryDeps, job: Job, answer: Answer): Promise<Summary> {
  const { connection, received, exchange } = job;
  const { statement } = received;
  const { defaultFormat } = exchange.params;
  switch (statement.kind) {
    case 'empty':
      throw fault(Code.syntaxError, 'Syntax error: Empty query');
    case 'refused':
      throw fault(Code[statement.code], statement.message);
    case 'insert':
    case 'insertInput':
      return runInsert(connection, received);
    case 'command': {
      const kill = parseKill(statement);
      if (kill !== undefined) return executeKill(deps, job, { kill, answer });
      const { bytes, summary } = await runCommand(connection, statement, defaultFormat);
      if (bytes.length > 0) await answer.write(bytes);
      return summary;
    }
    case 'read':
      return executeRead(deps, job, { statement, answer });
  }
}

function executeRead(
  deps: QueryDeps,
  { connection, exchange }: Job,
  { statement, answer }: { readonly statement: ReadStatement; readonly answer: Answer },
): Promise<Summary> {
  const { defaultFormat, waitEndOfQuery } = exchange.params;
  const reading = { statement, answer, defaultFormat };
  if (waitEndOfQuery) return bufferedRead(connection.query, deps.spool, reading);
  return streamRead(connection.query, deps.leasePipe, reading);
}

async function executeKill(
  deps: QueryDeps,
  job: Job,
  { kill, answer }: { readonly kill: KillStatement; readonly answer: Answer },
): Promise<Summary> {
  const { queryId, response } = job.exchange;
  const { connection } = job;
  const statement = await killQueries({ running: deps.running, connection, queryId, response }, kill);
  return statement === undefined ? NOTHING_READ : executeRead(deps, job, { statement, answer });
}
