import { type Token, tokens } from './lexer.ts';

/** What a request's SQL (latin1, see the lexer) asks for, and where to splice. */
export type Statement =
  | { readonly kind: 'empty' }
  | { readonly kind: 'refused'; readonly code: number; readonly message: string }
  /** Its result can be written to a file: `before` INTO OUTFILE, then FORMAT `format`, then `after`. */
  | {
      readonly kind: 'read';
      readonly before: string;
      readonly format: string | undefined;
      readonly after: string;
    }
  /** Everything else that carries no data: DDL, SET, KILL, INSERT … SELECT. */
  | { readonly kind: 'command'; readonly keyword: string; readonly text: string }
  /** INSERT whose data follow at `dataStart`: `before` FROM INFILE `settings` FORMAT `format`. */
  | {
      readonly kind: 'insert';
      readonly before: string;
      readonly settings: string;
      readonly format: string;
      readonly dataStart: number;
    }
  /** INSERT … SELECT … FROM input(…) FORMAT x: `before` file(path, format, `after`. */
  | {
      readonly kind: 'insertInput';
      readonly before: string;
      readonly after: string;
      readonly format: string;
      readonly dataStart: number;
    };

const READS = new Set(['SELECT', 'WITH', 'FROM', 'SHOW', 'DESC', 'DESCRIBE', 'EXPLAIN', 'EXISTS', '(']);
const SYNTAX_ERROR = 62;
const NOT_IMPLEMENTED = 48;

export function parseStatement(sql: string): Statement {
  const found = [...significant(sql)];
  const first = found[0];
  if (first === undefined) return { kind: 'empty' };
  const keyword = first.text.toUpperCase();
  const insertAt = keyword === 'INSERT' ? 0 : keyword === 'WITH' ? atDepthZero(found, 'INSERT') : -1;
  if (insertAt >= 0) return parseInsert(sql, found, insertAt);
  const extra = secondStatement(found);
  if (extra !== undefined) return extra;
  const end = found.findIndex(isSemicolon);
  const body = end < 0 ? found : found.slice(0, end);
  return READS.has(keyword) ? parseRead(sql, body) : { kind: 'command', keyword, text: cut(sql, body) };
}

const LOOKAHEAD = 64;

/** The tokens; of an INSERT with data only those up to the data and a few more. */
function* significant(sql: string): Generator<Token> {
  let depth = 0;
  let index = 0;
  let dataPossible = false;
  let left = Number.POSITIVE_INFINITY;
  for (const token of tokens(sql)) {
    yield token;
    if (index++ === 0) dataPossible = is(token, 'INSERT');
    depth += step(token);
    if (is(token, 'SELECT')) dataPossible = false;
    if (dataPossible && depth === 0 && index > 3) {
      if (is(token, 'VALUES')) return;
      if (is(token, 'FORMAT')) left = LOOKAHEAD;
    }
    if (left-- <= 0) return;
  }
}

function parseRead(sql: string, found: readonly Token[]): Statement {
  const last = found.at(-1);
  if (last === undefined) return { kind: 'empty' };
  if (found.some((token, i) => is(token, 'INTO') && is(found[i + 1], 'OUTFILE'))) {
    return { kind: 'refused', code: NOT_IMPLEMENTED, message: 'INTO OUTFILE is not allowed' };
  }
  const format = trailingFormat(found);
  if (format === undefined) {
    return { kind: 'read', before: sql.slice(0, last.end), format: undefined, after: '' };
  }
  return {
    kind: 'read',
    before: sql.slice(0, format.keyword.start),
    format: format.name.text,
    after: sql.slice(format.name.end, last.end),
  };
}

function trailingFormat(found: readonly Token[]): { keyword: Token; name: Token } | undefined {
  let depth = 0;
  let hit: { keyword: Token; name: Token } | undefined;
  found.forEach((keyword, i) => {
    depth += step(keyword);
    const [name, next] = [found[i + 1], found[i + 2]];
    if (depth !== 0 || !is(keyword, 'FORMAT') || name?.kind !== 'word') return;
    if (next === undefined || is(next, 'SETTINGS')) hit = { keyword, name };
  });
  return hit;
}

function parseInsert(sql: string, found: readonly Token[], insertAt: number): Statement {
  let depth = 0;
  let settingsAt: number | undefined;
  for (let i = afterTarget(found, insertAt); i < found.length; i++) {
    const token = found[i];
    if (token === undefined) break;
    depth += step(token);
    if (depth !== 0 && token.text !== '(') continue;
    if (is(token, 'FROM') && is(found[i + 1], 'INFILE')) {
      return { kind: 'refused', code: NOT_IMPLEMENTED, message: 'FROM INFILE is not allowed' };
    }
    if (is(token, 'SETTINGS')) settingsAt ??= i;
    if (is(token, 'VALUES')) return withData(sql, found, { at: i, settingsAt, format: 'Values' });
    if (is(token, 'FORMAT')) return withData(sql, found, { at: i, settingsAt, format: undefined });
    if (is(token, 'SELECT') || is(token, 'WITH') || (token.text === '(' && is(found[i + 1], 'SELECT'))) {
      return parseInsertSelect(sql, found);
    }
  }
  return secondStatement(found) ?? { kind: 'command', keyword: 'INSERT', text: sql };
}

/** The index behind INSERT [INTO] [TABLE] [FUNCTION] name [. name] — a table may be called `values` or `format`. */
function afterTarget(found: readonly Token[], insertAt: number): number {
  let i = insertAt + 1;
  if (is(found[i], 'INTO')) i++;
  if (is(found[i], 'TABLE')) i++;
  if (is(found[i], 'FUNCTION')) i++;
  i++;
  while (found[i]?.text === '.') i += 2;
  return i;
}

function withData(
  sql: string,
  found: readonly Token[],
  place: { at: number; settingsAt: number | undefined; format: string | undefined },
): Statement {
  const keyword = found[place.at];
  const name = place.format === undefined ? found[place.at + 1] : keyword;
  if (keyword === undefined || name === undefined || name.kind !== 'word') {
    return {
      kind: 'refused',
      code: SYNTAX_ERROR,
      message: 'Syntax error: the name of a format is expected after FORMAT',
    };
  }
  const settings = place.settingsAt === undefined ? undefined : found[place.settingsAt];
  const late = place.format === undefined ? settingsAfter(found, place.at + 2) : undefined;
  const early = settings === undefined ? '' : sql.slice(settings.start, keyword.start);
  return {
    kind: 'insert',
    before: sql.slice(0, (settings ?? keyword).start),
    settings: late === undefined ? early : sql.slice(late.start, late.end),
    format: place.format ?? name.text,
    dataStart: dataAfter(sql, late?.end ?? name.end, place.format === 'Values'),
  };
}

/** `SETTINGS name = literal, …` between the format and the data. */
function settingsAfter(found: readonly Token[], from: number): { start: number; end: number } | undefined {
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

/** Data begin on the same line or behind one line break; spaces before that do not belong to them. */
function dataAfter(sql: string, from: number, keepBreak: boolean): number {
  let at = from;
  while (sql[at] === ' ' || sql[at] === '\t' || sql[at] === '\f') at++;
  if (keepBreak) return at;
  if (sql[at] === '\r' && sql[at + 1] === '\n') return at + 2;
  return sql[at] === '\n' ? at + 1 : at;
}

function parseInsertSelect(sql: string, found: readonly Token[]): Statement {
  const input = found.findIndex(
    (token, i) => is(token, 'input') && found[i + 1]?.text === '(' && is(found[i - 1], 'FROM'),
  );
  const call = found[input];
  const open = found[input + 1];
  if (call === undefined || open === undefined) {
    return (
      secondStatement(found) ?? { kind: 'command', keyword: 'INSERT', text: cut(sql, untilSemicolon(found)) }
    );
  }
  const formatAt = found.findIndex(
    (token, i) => i > input && is(token, 'FORMAT') && found[i + 1]?.kind === 'word',
  );
  const [format, name] = [found[formatAt], found[formatAt + 1]];
  if (formatAt < 0 || format === undefined || name === undefined) {
    return {
      kind: 'refused',
      code: SYNTAX_ERROR,
      message: 'Syntax error: input() needs FORMAT and data behind it',
    };
  }
  return {
    kind: 'insertInput',
    before: sql.slice(0, call.start),
    after: sql.slice(open.end, format.start),
    format: name.text,
    dataStart: dataAfter(sql, name.end, false),
  };
}

function secondStatement(found: readonly Token[]): Statement | undefined {
  const end = found.findIndex(isSemicolon);
  const extra = end < 0 ? undefined : found.slice(end).find((token) => !isSemicolon(token));
  if (extra === undefined) return undefined;
  const message = `Syntax error (Multi-statements are not allowed): failed at position ${extra.start + 1} (${extra.text})`;
  return { kind: 'refused', code: SYNTAX_ERROR, message };
}

function untilSemicolon(found: readonly Token[]): readonly Token[] {
  const end = found.findIndex(isSemicolon);
  return end < 0 ? found : found.slice(0, end);
}

function cut(sql: string, found: readonly Token[]): string {
  return sql.slice(0, found.at(-1)?.end ?? 0);
}

function atDepthZero(found: readonly Token[], keyword: string): number {
  let depth = 0;
  return found.findIndex((token) => {
    depth += step(token);
    return depth === 0 && is(token, keyword);
  });
}

function step(token: Token): number {
  if (token.kind !== 'symbol') return 0;
  if ('([{'.includes(token.text)) return 1;
  return ')]}'.includes(token.text) ? -1 : 0;
}

const isSemicolon = (token: Token): boolean => token.kind === 'symbol' && token.text === ';';

function is(token: Token | undefined, keyword: string): boolean {
  return token?.kind === 'word' && token.text.toUpperCase() === keyword.toUpperCase();
}
