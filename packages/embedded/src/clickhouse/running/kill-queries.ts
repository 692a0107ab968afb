import { type Connection, type Engine, ID_SETTING } from '../engine/engine.ts';
import { is, step, type Token, tokens } from '../sql/lexer.ts';
import { stringLiteral } from '../sql/literal.ts';
import { parseStatement } from '../sql/parse-statement.ts';
import type { CommandStatement, ReadStatement } from '../sql/statement.ts';
import { sent } from './query-text.ts';

/** The queries that `KILL QUERY` names, as a SELECT from the temporary table of processes, and how it ends them. */
export interface KillStatement {
  readonly selected: ReadStatement;
  readonly mode: 'ASYNC' | 'SYNC' | 'TEST';
}

/** Undefined for any other statement, also for `KILL QUERY` in a form that the engine rejects. */
export function parseKill({ text }: CommandStatement): KillStatement | undefined {
  const found = [...tokens(text)];
  const where = found[2];
  if (!is(found[0], 'KILL') || !is(found[1], 'QUERY') || !is(where, 'WHERE') || where === undefined)
    return undefined;
  const mode = modeOf(found);
  const condition =
    mode === undefined ? text.slice(where.start) : text.slice(where.start, mode.start) + text.slice(mode.end);
  const selected = parseStatement(`SELECT query_id, user, query FROM processes ${condition}`);
  const name = mode?.text.toUpperCase();
  return selected.kind === 'read'
    ? { selected, mode: name === 'SYNC' || name === 'TEST' ? name : 'ASYNC' }
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

/** Ends the queries. Returns the SELECT that answers the statement; undefined if no query was named. */
export async function killQueries(
  engine: Engine,
  connection: Connection,
  { kill, queryId }: { readonly kill: KillStatement; readonly queryId: string },
): Promise<ReadStatement | undefined> {
  const { before } = kill.selected;
  const { bytes } = await connection.query(
    sent(`SELECT DISTINCT query_id FROM (${before})`),
    'JSONCompactEachRow',
  );
  const ids = rowsOf(bytes).flatMap(([id = '']) => (id === queryId ? [] : [id]));
  if (ids.length === 0) return undefined;
  const statuses = await end(engine, ids, kill.mode);
  const list = (texts: readonly string[]): string => `[${texts.map(latin1Literal).join(', ')}]`;
  const known = `${list([...statuses.keys(), ''])}, ${list([...statuses.values(), ''])}`;
  const columns = `transform(query_id, ${known}, 'finished') AS kill_status, query_id, user, query`;
  return { ...kill.selected, before: `SELECT ${columns} FROM (${before}) WHERE has(${list(ids)}, query_id)` };
}

/** The status of each query that the engine still ran, by the client's id. */
async function end(
  engine: Engine,
  ids: readonly string[],
  mode: KillStatement['mode'],
): Promise<ReadonlyMap<string, string>> {
  // Its own connection: with SYNC it waits for the queries.
  const own = engine.connect();
  try {
    const statuses = new Map<string, string>();
    await Promise.all(
      ids.map(async (id) => {
        const sql = `KILL QUERY WHERE Settings['${ID_SETTING}'] = ${stringLiteral(id)} ${mode}`;
        const { bytes } = await own.query(sql, 'JSONCompactEachRow');
        const [status] = rowsOf(bytes)[0] ?? [];
        if (status !== undefined) statuses.set(id, status);
      }),
    );
    return statuses;
  } finally {
    await own.close();
  }
}

function rowsOf(bytes: Uint8Array): (readonly string[])[] {
  const lines = Buffer.from(bytes).toString().split('\n');
  return lines.filter((line) => line !== '').map((line): readonly string[] => JSON.parse(line));
}

/** SQL is latin1 (see the lexer). */
function latin1Literal(text: string): string {
  return Buffer.from(stringLiteral(text)).toString('latin1');
}
