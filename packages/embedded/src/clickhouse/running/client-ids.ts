import { is, type Token, tokens } from '../sql/lexer.ts';
import { stringLiteral } from '../sql/literal.ts';

/** `KILL QUERY` by the clients' ids. The engine gives queries its own ids. SQL is latin1 (see the lexer). */
export function killByClientIds(sql: string, ids: ReadonlyMap<string, string>): string {
  const found = [...tokens(sql)];
  if (!is(found[0], 'KILL') || !is(found[1], 'QUERY')) return sql;
  const id = clientId(ids);
  return spliced(sql, found, (i) => (name(found[i], 'query_id') ? { text: id, length: 1 } : undefined));
}

/** In a statement that reads `system.processes`, `query_id` becomes the client's id. */
export function showClientIds(sql: string, ids: ReadonlyMap<string, string>): string {
  if (!sql.includes('processes')) return sql;
  const found = [...tokens(sql)];
  const id = clientId(ids);
  return spliced(sql, found, (i) => processesAt(found, i, id));
}

interface Piece {
  readonly text: string;
  /** In tokens. */
  readonly length: number;
}

function processesAt(found: readonly Token[], i: number, id: string): Piece | undefined {
  const [schema, dot, table, next] = found.slice(i, i + 4);
  if (!name(schema, 'system') || dot?.text !== '.' || !name(table, 'processes')) return undefined;
  if (next?.text === '.') return { text: 'processes', length: 3 };
  const before = found[i - 1];
  if (!is(before, 'FROM') && !is(before, 'JOIN') && before?.text !== ',') return undefined;
  const replaced = `${id} AS query_id, ${WITHOUT_FILES} AS query`;
  const alias = is(next, 'AS') || aliasLike(next) ? '' : ' AS processes';
  return { text: `(SELECT * REPLACE (${replaced}) FROM system.processes)${alias}`, length: 3 };
}

/** The text of a query without the parts that this server adds. */
const WITHOUT_FILES =
  "replaceRegexpAll(query, '\\\\s*(INTO OUTFILE|FROM INFILE) \\'[^\\']*\\'( TRUNCATE)?( COMPRESSION \\'[a-z0-9]+\\')?', '')";

const CLAUSES = new Set(
  'WHERE PREWHERE GROUP ORDER HAVING LIMIT FORMAT SETTINGS UNION INTERSECT EXCEPT JOIN LEFT RIGHT INNER FULL CROSS ANY ALL ASOF SEMI ANTI GLOBAL ON USING FINAL SAMPLE ARRAY WINDOW QUALIFY OFFSET INTO SELECT PASTE'.split(
    ' ',
  ),
);

function aliasLike(token: Token | undefined): boolean {
  return token?.kind === 'quoted' || (token?.kind === 'word' && !CLAUSES.has(token.text.toUpperCase()));
}

function name(token: Token | undefined, text: string): boolean {
  return (token?.kind === 'word' && token.text === text) || token?.text === `\`${text}\``;
}

/** The client's `query_id`; the engine's own id if the client gave none. */
function clientId(ids: ReadonlyMap<string, string>): string {
  const list = (texts: Iterable<string>): string => `[${[...texts].map(latin1Literal).join(',')}]`;
  if (ids.size === 0) return 'query_id';
  return `transform(Settings['log_comment'], ${list(ids.keys())}, ${list(ids.values())}, query_id)`;
}

function latin1Literal(text: string): string {
  return Buffer.from(stringLiteral(text)).toString('latin1');
}

function spliced(sql: string, found: readonly Token[], pieceAt: (i: number) => Piece | undefined): string {
  let out = '';
  let from = 0;
  for (let i = 0; i < found.length; i++) {
    const piece = pieceAt(i);
    const [first, last] = [found[i], found[i + (piece?.length ?? 1) - 1]];
    if (piece === undefined || first === undefined || last === undefined) continue;
    out += sql.slice(from, first.start) + piece.text;
    from = last.end;
    i += piece.length - 1;
  }
  return out + sql.slice(from);
}
