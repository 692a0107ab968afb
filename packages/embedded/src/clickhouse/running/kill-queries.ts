import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type Connection, queryRows } from '../engine/engine.ts';
import { EngineError } from '../engine/engine-error.ts';
import { is, step, type Token, tokens } from '../sql/lexer.ts';
import { sent, stringLiteral } from '../sql/literal.ts';
import { parseStatement } from '../sql/parse-statement.ts';
import { PROCESSES, readsOfProcesses } from '../sql/process-reads.ts';
import type { CommandStatement, ReadStatement } from '../sql/statement.ts';
import type { Running } from './running.ts';

/** The queries that `KILL QUERY` names, as a SELECT from the temporary table of processes, and how it ends them. */
export interface KillStatement {
  readonly selected: ReadStatement;
  /** As the client wrote it. */
  readonly text: string;
  readonly mode: 'ASYNC' | 'SYNC' | 'TEST';
}

/** Undefined for any other statement, also for a form of `KILL QUERY` that only the engine knows. */
export function parseKill({ text }: CommandStatement): KillStatement | undefined {
  const found = [...tokens(text)];
  const where = found[2];
  if (!is(found[0], 'KILL') || !is(found[1], 'QUERY') || !is(where, 'WHERE') || where === undefined)
    return undefined;
  const mode = modeOf(found);
  const condition =
    mode === undefined ? text.slice(where.start) : text.slice(where.start, mode.start) + text.slice(mode.end);
  const select = parseStatement(`SELECT query_id, user, query FROM ${PROCESSES} ${condition}`);
  const selected = readsOfProcesses(select).statement;
  const name = mode?.text.toUpperCase();
  return selected.kind === 'read'
    ? { selected, text, mode: name === 'SYNC' || name === 'TEST' ? name : 'ASYNC' }
    : undefined;
}

/** The last of these words outside brackets, at the end of the condition. */
function modeOf(found: readonly Token[]): Token | undefined {
  let depth = 0;
  return found.findLast((token, i) => {
    depth += step(token);
    const next = found[i + 1];
    const ends = next === undefined || is(next, 'FORMAT') || is(next, 'SETTINGS');
    return depth === 0 && i > 3 && ends && ['SYNC', 'ASYNC', 'TEST'].some((word) => is(token, word));
  });
}

const STATUSES = { ASYNC: 'waiting', SYNC: 'finished', TEST: 'unknown_status' } as const;

export interface Killing {
  readonly running: Running;
  readonly connection: Connection;
  /** The id of the statement itself, which it does not end. */
  readonly queryId: string;
  /** `SYNC` waits until it closes, at most. */
  readonly response: ServerResponse;
}

/** Ends the queries. Returns the SELECT that answers the statement; undefined if no query was named. */
export async function killQueries(
  { running, connection, queryId, response }: Killing,
  { selected, text, mode }: KillStatement,
): Promise<ReadStatement | undefined> {
  const { before } = selected;
  const ids = await inWordsOfClient(async () => {
    // The engine sees no query, so this only finds the client's errors, in the client's own text.
    await connection.query(sent(text), 'Null');
    return queryRows<[string]>(connection, sent(`SELECT DISTINCT query_id FROM (${before})`));
  });
  const named = ids.flatMap(([id]) => (id === queryId ? [] : [id]));
  if (named.length === 0) return undefined;
  const ended = mode === 'TEST' ? [] : named.map((id) => running.kill(id));
  if (mode === 'SYNC') await Promise.race([Promise.all(ended), once(response, 'close')]);
  const columns = `'${STATUSES[mode]}' AS kill_status, query_id, user, query`;
  const list = named.map(latin1Literal).join(', ');
  return { ...selected, before: `SELECT ${columns} FROM (${before}) WHERE query_id IN (${list})` };
}

async function inWordsOfClient<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof EngineError ? withoutScope(error) : error;
  }
}

/** The scope is the SELECT that finds the queries. */
function withoutScope({ code, type, message }: EngineError): EngineError {
  return new EngineError(
    code,
    type,
    message.replace(/:?\s*(?:in scope|while processing) SELECT[\s\S]*/i, ''),
  );
}

/** SQL is latin1 (see the lexer). */
function latin1Literal(text: string): string {
  return Buffer.from(stringLiteral(text)).toString('latin1');
}
