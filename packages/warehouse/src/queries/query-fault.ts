import { faultClass } from '../fault-class.ts';

export type QueryFault =
  /** It is the query that has to change. */
  | { readonly kind: 'refused'; readonly reason: QueryFaultReason; readonly message: string }
  /** There are too many queries of the project at the server, or were within the hour. */
  | { readonly kind: 'busy' }
  /** It is not the query's fault: it may be sent again. */
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
  tooLong: 'the query took longer than it may',
  tooManyRows: 'the query read or answered more rows than it may',
  tooMuchMemory: 'the query needed more memory than it may have',
  table: 'there is no such table in this project',
};

/** What ClickHouse's exception means to whoever wrote the query. */
export function readQueryFault(code: string, message: string): QueryFault {
  const reason = reasons[code];
  if (reason !== undefined) return { kind: 'refused', reason, message: limitTexts[reason] ?? shown(message) };
  if (tooManyQueries.has(code)) return { kind: 'busy' };
  const isTransient = !/^\d+$/.test(code) || faultClass(Number(code)) === 'transient';
  return isTransient ? { kind: 'unavailable' } : { kind: 'refused', reason: 'sql', message: shown(message) };
}

const mostCharacters = 1_000;

/** ClickHouse goes on to tell what it was doing, and which names of other databases are alike: nobody's business. */
function shown(message: string): string {
  return message
    .replace(/^ClickHouse: \d+: /, '')
    .replace(/^Code: \d+\. DB::Exception: /, '')
    .replace(/(:|\.)? (In scope|Maybe you meant|While processing|\(version) [\s\S]*$/i, '')
    .trim()
    .slice(0, mostCharacters);
}
