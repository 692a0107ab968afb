import { Code, fault } from '../answer/http-fault.ts';
import { is, isInnerExplain, nameOf, type Token, tokens } from './lexer.ts';
import { type Statement, withText } from './statement.ts';

/**
 * `system.processes` quotes statements, ids and files of this server. The engine shows its rows only to the server
 * itself. A client reads a temporary table with the same name (running/fill-processes.ts).
 */
export const PROCESSES = 'processes';

export interface ProcessReads {
  readonly statement: Statement;
  /** Whether it reads the table. `ifSystem`: only where `system` is the current database. */
  readonly reads: 'yes' | 'no' | 'ifSystem';
  /** The text of an error about the statement, with the names that its author wrote. */
  readonly inWordsOfAuthor: (message: string) => string;
}

const unchanged = (message: string): string => message;

/** Makes a statement read the temporary table. */
export function readsOfProcesses(statement: Statement): ProcessReads {
  const sql = readingText(statement);
  if (sql === undefined) return { statement, reads: 'no', inWordsOfAuthor: unchanged };
  const found = [...tokens(sql)];
  if (is(found[0], 'SHOW')) return processList(statement, found);
  let text = '';
  let from = 0;
  let isBare = false;
  for (const [i, token] of found.entries()) {
    if (nameOf(token) !== PROCESSES) continue;
    const [schema, dot] = [found[i - 2], found[i - 1]];
    if (dot?.text !== '.') isBare = true;
    else if (schema !== undefined && nameOf(schema) === 'system') {
      text += sql.slice(from, schema.start) + gap(token.start - schema.start);
      from = token.start;
    }
  }
  if (from === 0) return { statement, reads: isBare ? 'ifSystem' : 'no', inWordsOfAuthor: unchanged };
  refuseStored(found);
  const inWordsOfAuthor = (message: string): string =>
    message.replaceAll(GAP, 'system.').replaceAll(isBare ? TABLE : NAME, `system.${PROCESSES}`);
  return { statement: withText(statement, text + sql.slice(from)), reads: 'yes', inWordsOfAuthor };
}

/** As long as the name that it replaces, so that the positions in errors are those of the author's text. */
function gap(length: number): string {
  return `/*${'~'.repeat(length - 4)}*/`;
}

const GAP = /\/\*~+\*\//g;
const NAME = new RegExp(`(?<![.\\w\`"'])${PROCESSES}(?![\\w\`"'])`, 'g');
const TABLE = new RegExp(`(?<=\\b(?:FROM|JOIN) )${PROCESSES}(?![.\\w])`, 'gi');

function processList(statement: Statement, found: readonly Token[]): ProcessReads {
  if (!is(found[1], 'PROCESSLIST')) return { statement, reads: 'no', inWordsOfAuthor: unchanged };
  const text = `SELECT * FROM ${PROCESSES} ORDER BY elapsed DESC`;
  return { statement: withText(statement, text), reads: 'yes', inWordsOfAuthor: unchanged };
}

/** A stored SELECT runs without the temporary table, and an explained one would show it. */
function refuseStored(found: readonly Token[]): void {
  const isView = is(found[0], 'CREATE') && found.slice(1, 5).some((token) => is(token, 'VIEW'));
  const isExplained = found.some((_, i) => isInnerExplain(found, i));
  if (isView || isExplained)
    throw fault(
      Code.notImplemented,
      `${isView ? 'A view over' : 'EXPLAIN of'} system.${PROCESSES} is not supported`,
    );
}

const QUERIES = new Set(['SELECT', 'WITH', 'FROM', '(', 'SHOW']);
const STORING = new Set(['INSERT', 'CREATE']);

/** The text of a statement that may read rows of the table. */
function readingText(statement: Statement): string | undefined {
  if (statement.kind !== 'read' && statement.kind !== 'command') return undefined;
  const text = statement.kind === 'read' ? statement.before : statement.text;
  if (!text.includes(PROCESSES) && !/processlist/i.test(text)) return undefined;
  if (statement.kind === 'command') return STORING.has(statement.keyword) ? text : undefined;
  const [first] = tokens(text);
  return QUERIES.has(first?.text.toUpperCase() ?? '') ? text : undefined;
}
