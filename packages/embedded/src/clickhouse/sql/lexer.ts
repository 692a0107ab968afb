/**
 * Tokens of ClickHouse SQL. The text is latin1: one character per byte, so that offsets are byte offsets and binary
 * insert data after the statement is harmless.
 */
export interface Token {
  readonly kind: 'word' | 'quoted' | 'string' | 'number' | 'symbol' | 'unterminated';
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The spaces of ClickHouse's lexer: ASCII spaces, and Unicode spaces as UTF-8 bytes. */
const SPACE =
  /(?:[ \t\n\v\f\r\0]|\xc2[\x85\xa0]|\xe1\x9a\x80|\xe1\xa0\x8e|\xe2\x80[\x80-\x8f\xa8\xa9\xaf]|\xe2\x81[\x9f\xa0]|\xe3\x80\x80|\xef\xbb\xbf)*/y;
/** ‘string’ and “identifier”, without escapes. */
const CURLY = [
  { open: '\xe2\x80\x98', close: '\xe2\x80\x99', kind: 'string' },
  { open: '\xe2\x80\x9c', close: '\xe2\x80\x9d', kind: 'quoted' },
] as const;
const WORD = /[A-Za-z_][A-Za-z0-9_$]*/y;
const NUMBER = /[0-9](?:[A-Za-z0-9_]|\.(?=[0-9]))*/y;
const HEREDOC = /\$[A-Za-z0-9_]*\$/y;
const LINE_COMMENT = /(?:--|#!|# )[^\n]*/y;

export function* tokens(sql: string, from = 0): Generator<Token, void, void> {
  for (let at = skipBlank(sql, from); at < sql.length; ) {
    const token = tokenAt(sql, at);
    yield token;
    at = skipBlank(sql, token.end);
  }
}

function tokenAt(sql: string, at: number): Token {
  const first = sql.charAt(at);
  if (first === "'") return quoted(sql, at, 'string');
  if (first === '"' || first === '`') return quoted(sql, at, 'quoted');
  for (const { open, close, kind } of CURLY) {
    if (!sql.startsWith(open, at)) continue;
    const end = sql.indexOf(close, at + open.length);
    return end < 0
      ? piece(sql, 'unterminated', [at, sql.length])
      : piece(sql, kind, [at, end + close.length]);
  }
  const heredoc = match(HEREDOC, sql, at);
  if (heredoc !== undefined) {
    const close = sql.indexOf(heredoc, at + heredoc.length);
    if (close >= 0) return piece(sql, 'string', [at, close + heredoc.length]);
  }
  const word = match(WORD, sql, at);
  if (word !== undefined) return piece(sql, 'word', [at, at + word.length]);
  const number = match(NUMBER, sql, at);
  if (number !== undefined) return piece(sql, 'number', [at, at + number.length]);
  return piece(sql, 'symbol', [at, at + 1]);
}

function quoted(sql: string, at: number, kind: 'string' | 'quoted'): Token {
  const mark = sql.charAt(at);
  for (let i = at + 1; i < sql.length; i++) {
    if (sql[i] === '\\') i++;
    else if (sql[i] === mark) {
      if (sql[i + 1] !== mark) return piece(sql, kind, [at, i + 1]);
      i++;
    }
  }
  return piece(sql, 'unterminated', [at, sql.length]);
}

function skipBlank(sql: string, from: number): number {
  for (let at = from; ; ) {
    const start = at;
    at += match(SPACE, sql, at)?.length ?? 0;
    at += match(LINE_COMMENT, sql, at)?.length ?? 0;
    if (sql.startsWith('/*', at)) {
      const close = sql.indexOf('*/', at + 2);
      at = close < 0 ? sql.length : close + 2;
    }
    if (at === start) return at;
  }
}

function piece(sql: string, kind: Token['kind'], [start, end]: readonly [number, number]): Token {
  return { kind, text: sql.slice(start, end), start, end };
}

function match(pattern: RegExp, sql: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(sql)?.[0];
}

/** Whether the token is this keyword, in upper or lower case, without quotes. */
export function is(token: Token | undefined, keyword: string): boolean {
  return token?.kind === 'word' && token.text.toUpperCase() === keyword;
}

export function isSemicolon(token: Token): boolean {
  return token.kind === 'symbol' && token.text === ';';
}

/** The change of bracket depth after the token. */
export function step(token: Token): number {
  if (token.kind !== 'symbol') return 0;
  if ('([{'.includes(token.text)) return 1;
  return ')]}'.includes(token.text) ? -1 : 0;
}

/** Whether the token starts an EXPLAIN inside another statement. */
export function isInnerExplain(found: readonly Token[], i: number): boolean {
  return is(found[i], 'EXPLAIN') && found[i - 1]?.text === '(';
}

/** The name in a word or a quoted identifier. Undefined for other tokens. */
export function nameOf(token: Token | undefined): string | undefined {
  if (token?.kind === 'word') return token.text;
  if (token?.kind !== 'quoted') return undefined;
  const mark = token.text.startsWith('\xe2') ? 3 : 1;
  return token.text
    .slice(mark, -mark)
    .replace(/\\x([0-9a-fA-F]{2})|\\(.)/g, (_, hex: string | undefined, plain: string) => {
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
      // ClickHouse reads \N as nothing.
      return plain === 'N' ? '' : plain;
    });
}
