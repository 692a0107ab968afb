import { Code, fault } from '../answer/http-fault.ts';
import { is, nameOf, type Token, tokens } from './lexer.ts';
import type { Statement } from './statement.ts';

/**
 * Tables of the database `system` that quote statements, ids or files of this server. The engine shows their rows only
 * to the server itself. A client reads a temporary table with the same name (running/fill-hidden.ts).
 */
export const HIDDEN_TABLES: readonly string[] = [
  'processes',
  'errors',
  'stack_trace',
  'schema_inference_cache',
];

export interface HiddenReads {
  readonly statement: Statement;
  /** The hidden tables that it reads, now without the database. */
  readonly tables: readonly string[];
  /** Names of hidden tables without a database. They are hidden tables where `system` is the current database. */
  readonly bare: readonly string[];
}

/** Makes a statement read temporary tables instead of the hidden ones. */
export function readsOfHidden(statement: Statement): HiddenReads {
  const sql = readingText(statement);
  if (sql === undefined) return { statement, tables: [], bare: [] };
  const found = [...tokens(sql)];
  if (is(found[0], 'SHOW')) return processList(statement, found);
  const tables = new Set<string>();
  const bare = new Set<string>();
  let text = '';
  let from = 0;
  for (const [i, token] of found.entries()) {
    const table = nameOf(token);
    if (table === undefined || !HIDDEN_TABLES.includes(table)) continue;
    const [schema, dot] = [found[i - 2], found[i - 1]];
    if (dot?.text !== '.') bare.add(table);
    if (dot?.text !== '.' || schema === undefined || nameOf(schema) !== 'system') continue;
    tables.add(table);
    text += sql.slice(from, schema.start);
    from = token.start;
  }
  if (tables.size > 0) refuseView(found);
  return { statement: withText(statement, text + sql.slice(from)), tables: [...tables], bare: [...bare] };
}

function processList(statement: Statement, found: readonly Token[]): HiddenReads {
  if (!is(found[1], 'PROCESSLIST')) return { statement, tables: [], bare: [] };
  const text = 'SELECT * FROM processes ORDER BY elapsed DESC';
  return { statement: withText(statement, text), tables: ['processes'], bare: [] };
}

/** A stored SELECT runs without a temporary table. */
function refuseView(found: readonly Token[]): void {
  if (is(found[0], 'CREATE') && found.slice(1, 5).some((token) => is(token, 'VIEW')))
    throw fault(
      Code.notImplemented,
      `A view over ${HIDDEN_TABLES.map((table) => `system.${table}`).join(', ')} is not supported`,
    );
}

const QUERIES = new Set(['SELECT', 'WITH', 'FROM', '(', 'SHOW']);
const STORING = new Set(['INSERT', 'CREATE']);

/** The text of a statement that may read rows of a table. */
function readingText(statement: Statement): string | undefined {
  if (statement.kind !== 'read' && statement.kind !== 'command') return undefined;
  const text = statement.kind === 'read' ? statement.before : statement.text;
  if (!HIDDEN_TABLES.some((name) => text.includes(name)) && !/processlist/i.test(text)) return undefined;
  if (statement.kind === 'command') return STORING.has(statement.keyword) ? text : undefined;
  const [first] = tokens(text);
  return QUERIES.has(first?.text.toUpperCase() ?? '') ? text : undefined;
}

export function withText(statement: Statement, text: string): Statement {
  if (statement.kind === 'read') return { ...statement, before: text };
  return statement.kind === 'command' ? { ...statement, text } : statement;
}
