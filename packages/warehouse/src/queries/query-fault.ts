import { faultClass } from '../fault-class.ts';
import { faultSentences } from './fault-sentences.ts';

export type QueryFault =
  /** The query must change. */
  | { readonly kind: 'refused'; readonly reason: QueryFaultReason; readonly message: string }
  /** The project has too many concurrent queries at the server, or had too many in the last hour. */
  | { readonly kind: 'busy' }
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
  table: 'unknown table in this project',
};

/**
 * Translates ClickHouse's exception for the author of this SQL: our own sentence, a position in the SQL, and names from
 * the SQL. Shows nothing else of the exception.
 */
export function readQueryFault(code: string, message: string, sql: string): QueryFault {
  const reason = reasons[code];
  if (reason !== undefined)
    return { kind: 'refused', reason, message: sentence(reason, { code, message, sql }) };
  if (tooManyQueries.has(code)) return { kind: 'busy' };
  const isTransient = !/^\d+$/.test(code) || faultClass(Number(code)) === 'transient';
  return isTransient
    ? { kind: 'unavailable' }
    : { kind: 'refused', reason: 'sql', message: sentence('sql', { code, message, sql }) };
}

interface Exception {
  readonly code: string;
  readonly message: string;
  readonly sql: string;
}

function sentence(reason: QueryFaultReason, { code, message, sql }: Exception): string {
  const fixed = limitTexts[reason];
  if (fixed !== undefined) return fixed;
  if (reason === 'syntax') return syntaxSentence(message);
  if (reason === 'parameter') return `a parameter is missing or has the wrong type${named(message, sql)}`;
  return `${faultSentences[code] ?? 'ClickHouse rejects the query'}${named(message, sql)} (ClickHouse ${code})`;
}

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
    if (name !== undefined && words.has(name)) return `: ${name}`;
  }
  return '';
}
