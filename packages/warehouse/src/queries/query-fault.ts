import { faultClass } from '../fault-class.ts';
import { faultSentences } from './fault-sentences.ts';

export type QueryFault =
  /** The query must change. */
  | { readonly kind: 'refused'; readonly reason: QueryFaultReason; readonly message: string }
  /** The project has too many concurrent queries at the server, or had too many in the last hour. */
  | { readonly kind: 'busy'; readonly retryAfterSeconds: 1 }
  /** Not a fault of the query: retry it. */
  | { readonly kind: 'unavailable' };

export type QueryFaultReason =
  | 'syntax'
  | 'parameter'
  | 'table'
  | 'sql'
  | 'tooLong'
  | 'tooManyRows'
  | 'tooMuchMemory';

const reasons: Readonly<Record<string, QueryFaultReason>> = {
  36: 'sql',
  60: 'table',
  62: 'syntax',
  81: 'table',
  158: 'tooManyRows',
  159: 'tooLong',
  160: 'tooLong',
  241: 'tooMuchMemory',
  307: 'tooManyRows',
  396: 'tooManyRows',
  456: 'parameter',
  457: 'parameter',
};

const tooManyQueries: ReadonlySet<string> = new Set(['201', '202']);

const limitTexts: Partial<Record<QueryFaultReason, string>> = {
  tooLong: 'the query exceeded its time limit',
  tooManyRows: 'the query read or returned too many rows',
  tooMuchMemory: 'the query exceeded its memory limit',
};

/**
 * Translates ClickHouse's exception for the author of this SQL: our own sentence, a position in the SQL, and names from
 * the SQL. Shows nothing else of the exception.
 */
export function readQueryFault(code: string, message: string, author: AuthorText): QueryFault {
  const reason = reasons[code];
  const exception = { code, message, ...author };
  if (reason !== undefined) return { kind: 'refused', reason, message: sentence(reason, exception) };
  if (tooManyQueries.has(code)) return { kind: 'busy', retryAfterSeconds: 1 };
  const isTransient = !/^\d+$/.test(code) || faultClass(Number(code)) === 'transient';
  return isTransient
    ? { kind: 'unavailable' }
    : { kind: 'refused', reason: 'sql', message: sentence('sql', exception) };
}

export interface AuthorText {
  /** The SQL of the author. Empty if names must not be shown. */
  readonly sql: string;
  /** Whether ClickHouse parsed exactly this text. Any other position is in a text that the author does not know. */
  readonly isParsed: boolean;
}

interface Exception extends AuthorText {
  readonly code: string;
  readonly message: string;
}

function sentence(reason: QueryFaultReason, exception: Exception): string {
  const { code, message, sql } = exception;
  const fixed = limitTexts[reason];
  if (fixed !== undefined) return fixed;
  if (reason === 'table') return `unknown table in this project${named(message, sql)}`;
  if (reason === 'syntax') return exception.isParsed ? syntaxSentence(message) : notParsed;
  if (reason === 'parameter') return `a parameter is missing or has the wrong type${named(message, sql)}`;
  return `${faultSentences[code] ?? 'ClickHouse rejects the query'}${named(message, sql)} (ClickHouse ${code})`;
}

const notParsed = 'the name of a type, or a clause that a query cannot have here, cannot be parsed';

/** `failed at position 12 (…) (line 1, col 12)` */
function syntaxSentence(message: string): string {
  const [, position] = /\bfailed at position (\d+)/.exec(message) ?? [];
  const [, line, column] = /\(line (\d+), col (\d+)\)/.exec(message) ?? [];
  if (position === undefined) return 'the query is not one statement of SQL';
  const place = line === undefined ? '' : `, line ${line}, column ${column}`;
  return `syntax error at position ${position}${place}`;
}

const nameSource = '([A-Za-z_][\\w.]{0,127})';
const quotedNames = [
  new RegExp(`\\btable (?:expression )?(?:identifier )?[\`']?${nameSource}`, 'i'),
  new RegExp(`\\bidentifier [\`']${nameSource}[\`']`, 'i'),
  new RegExp(`\\bfunction (?:with name )?[\`']?${nameSource}`, 'i'),
  new RegExp(`\\bcolumn [\`']${nameSource}[\`']`, 'i'),
  new RegExp(`\\b(?:substitution|parameter) [\`']${nameSource}[\`']`, 'i'),
];

/** The name in the exception, if the author wrote it in the SQL, and not as a value. */
function named(message: string, sql: string): string {
  const withoutTexts = sql.replace(/'(?:[^'\\]|\\.|'')*'/gs, "''");
  const words = new Set(withoutTexts.match(/[A-Za-z_][\w.]*/g) ?? []);
  for (const pattern of quotedNames) {
    const [, name] = pattern.exec(message) ?? [];
    if (name === undefined) continue;
    // ClickHouse writes the database before the name of a table.
    const written = [name, name.slice(name.indexOf('.') + 1)].find((each) => words.has(each));
    if (written !== undefined) return `: ${written}`;
  }
  return '';
}
