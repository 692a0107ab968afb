import { is, step, type Token } from './lexer.ts';
import type { RefusedStatement, Statement } from './statement.ts';

/** An INSERT with data, or a rejected one. Undefined for INSERT … SELECT without data. */
export function parseInsert(sql: string, found: readonly Token[], insertAt: number): Statement | undefined {
  const clauses = clausesOf(found, behindTarget(found, insertAt));
  const source = clauses.source === undefined ? undefined : found[clauses.source];
  if (clauses.source === undefined || source === undefined) return undefined;
  if (is(source, 'VALUES'))
    return withData({ sql, found, source: clauses.source, settings: clauses.settings });
  if (!is(source, 'FORMAT')) return withInput(sql, found);
  if (found[clauses.source + 1]?.kind !== 'word') return formatMissing();
  return withData({ sql, found, source: clauses.source, settings: clauses.settings });
}

/** The index after INSERT [INTO] [TABLE] [FUNCTION] name [. name]: a table can be called `values` or `format`. */
function behindTarget(found: readonly Token[], insertAt: number): number {
  let i = insertAt + 1;
  for (const keyword of ['INTO', 'TABLE', 'FUNCTION']) if (is(found[i], keyword)) i++;
  i++;
  while (found[i]?.text === '.') i += 2;
  return i;
}

/** Where the tokens are that start the source of the rows, and the settings. */
function clausesOf(found: readonly Token[], from: number) {
  let depth = 0;
  let settings: number | undefined;
  for (let i = from; i < found.length; i++) {
    const token = found[i];
    if (token === undefined) break;
    if (depth === 0 && startsRows(found, i)) return { source: i, settings };
    depth += step(token);
    if (depth === 0 && is(token, 'SETTINGS')) settings ??= i;
  }
  return { source: undefined, settings };
}

function startsRows(found: readonly Token[], i: number): boolean {
  const token = found[i];
  if (token?.text === '(') return is(found[i + 1], 'SELECT') || is(found[i + 1], 'WITH');
  return ['VALUES', 'FORMAT', 'SELECT', 'WITH'].some((keyword) => is(token, keyword));
}

interface Place {
  readonly sql: string;
  readonly found: readonly Token[];
  readonly source: number;
  readonly settings: number | undefined;
}

function withData({ sql, found, source, settings }: Place): Statement {
  const values = is(found[source], 'VALUES');
  const name = found[values ? source : source + 1];
  const start = found[source]?.start ?? sql.length;
  const early = settings === undefined ? undefined : found[settings]?.start;
  const late = values ? undefined : settingsAt(found, source + 2);
  return {
    kind: 'insert',
    before: sql.slice(0, early ?? start),
    settings: late === undefined ? sql.slice(early ?? start, start) : sql.slice(late.start, late.end),
    format: values ? 'Values' : (name?.text ?? ''),
    dataStart: dataBehind(sql, late?.end ?? name?.end ?? sql.length, values),
  };
}

/** `SETTINGS name = literal, …` between the format and the data. */
function settingsAt(found: readonly Token[], from: number): { start: number; end: number } | undefined {
  const first = found[from];
  if (first === undefined || !is(first, 'SETTINGS')) return undefined;
  let end: number | undefined;
  for (let i = from + 1; ; i += 4) {
    const [name, equals, value, comma] = found.slice(i, i + 4);
    if (name?.kind !== 'word' || equals?.text !== '=' || value === undefined) break;
    end = value.end;
    if (comma?.text !== ',') break;
  }
  return end === undefined ? undefined : { start: first.start, end };
}

/** Data begin on the same line or after one line break. Spaces before that are not data. */
function dataBehind(sql: string, from: number, keepBreak: boolean): number {
  let at = from;
  while (sql[at] === ' ' || sql[at] === '\t' || sql[at] === '\f') at++;
  if (keepBreak) return at;
  if (sql[at] === '\r' && sql[at + 1] === '\n') return at + 2;
  return sql[at] === '\n' ? at + 1 : at;
}

function withInput(sql: string, found: readonly Token[]): Statement | undefined {
  const input = found.findIndex(
    (token, i) => is(token, 'INPUT') && found[i + 1]?.text === '(' && is(found[i - 1], 'FROM'),
  );
  const [call, open] = [found[input], found[input + 1]];
  if (input < 0 || call === undefined || open === undefined) return undefined;
  const close = closing(found, input + 1);
  const format = found.findIndex(
    (token, i) => i > input && is(token, 'FORMAT') && found[i + 1]?.kind === 'word',
  );
  const [keyword, name] = [found[format], found[format + 1]];
  if (format < 0 || keyword === undefined || name === undefined || close === undefined)
    return formatMissing();
  return {
    kind: 'insertInput',
    before: sql.slice(0, call.start),
    structure: sql.slice(open.end, close.start),
    after: sql.slice(close.end, keyword.start),
    format: name.text,
    dataStart: dataBehind(sql, name.end, false),
  };
}

function closing(found: readonly Token[], open: number): Token | undefined {
  let depth = 0;
  return found.slice(open).find((token) => {
    depth += step(token);
    return depth === 0;
  });
}

function formatMissing(): RefusedStatement {
  return {
    kind: 'refused',
    code: 'syntaxError',
    message: 'Syntax error: FORMAT, the name of a format and data are expected at the end of the INSERT',
  };
}
