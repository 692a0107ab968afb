import { READS, refuse } from './admitted.ts';
import { parseInsert } from './insert-statement.ts';
import { is, isSemicolon, step, type Token, tokens } from './lexer.ts';
import { type CommandStatement, isData, type RefusedStatement, type Statement } from './statement.ts';

export function parseStatement(sql: string): Statement {
  const found = [...significant(sql)];
  const first = found[0];
  if (first === undefined) return { kind: 'empty' };
  const statement = understood(sql, found, first);
  const text = isData(statement) ? found.filter(({ end }) => end <= statement.dataStart) : found;
  return refuse(text) ?? statement;
}

function understood(sql: string, found: readonly Token[], first: Token): Statement {
  const insert = insertAt(found);
  if (insert >= 0)
    return parseInsert(sql, found, insert) ?? single(sql, found) ?? command(sql, found, 'INSERT');
  const keyword = first.text.toUpperCase();
  return single(sql, found) ?? (hasFile(keyword) ? read(sql, upToEnd(found)) : command(sql, found, keyword));
}

/** EXPLAIN would show the file of its result. */
function hasFile(keyword: string): boolean {
  return READS.has(keyword) && keyword !== 'EXPLAIN';
}

const LOOKAHEAD = 64;
const TARGET_TOKENS = 3;

/** The tokens. For an INSERT with data, the tokens before the data and a few more. */
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
    const behindTarget = dataPossible && depth === 0 && index > TARGET_TOKENS;
    if (behindTarget && is(token, 'VALUES')) return;
    if (behindTarget && is(token, 'FORMAT')) left = Math.min(left, LOOKAHEAD);
    if (left-- <= 0) return;
  }
}

const BEHIND_INSERT = ['INTO', 'TABLE', 'FUNCTION'];

/** INSERT is the first word, or follows the common expressions of a WITH, where a column can be called `insert` too. */
function insertAt(found: readonly Token[]): number {
  if (is(found[0], 'INSERT')) return 0;
  if (!is(found[0], 'WITH')) return -1;
  let depth = 0;
  return found.findIndex((token, i) => {
    depth += step(token);
    return depth === 0 && is(token, 'INSERT') && BEHIND_INSERT.some((keyword) => is(found[i + 1], keyword));
  });
}

function command(sql: string, found: readonly Token[], keyword: string): CommandStatement {
  const whole = upToEnd(found);
  const format = trailingFormat(whole)?.[1].text;
  const text = sql.slice(0, whole.at(-1)?.end ?? 0);
  return { kind: 'command', keyword, format, text, setsReadonly: setsReadonly(whole) };
}

function read(sql: string, found: readonly Token[]): Statement {
  const end = found.at(-1)?.end ?? 0;
  const format = trailingFormat(found);
  const sets = { setsReadonly: setsReadonly(found) };
  if (format === undefined)
    return { kind: 'read', before: sql.slice(0, end), format: undefined, after: '', ...sets };
  const [keyword, name] = format;
  return {
    kind: 'read',
    ...sets,
    before: sql.slice(0, keyword.start),
    format: name.text,
    after: sql.slice(name.end, end),
  };
}

/** `readonly = …` after SETTINGS or SET. */
function setsReadonly(found: readonly Token[]): boolean {
  const from = found.findIndex((token, i) => is(token, 'SETTINGS') || (i === 0 && is(token, 'SET')));
  if (from < 0) return false;
  return found.some(
    (token, i) => i > from && /^["`]?readonly["`]?$/.test(token.text) && found[i + 1]?.text === '=',
  );
}

/** FORMAT and a name, followed by settings only: a column can be called `format` too. */
function trailingFormat(found: readonly Token[]): [Token, Token] | undefined {
  let depth = 0;
  let hit: [Token, Token] | undefined;
  for (const [i, keyword] of found.entries()) {
    depth += step(keyword);
    const [name, next] = [found[i + 1], found[i + 2]];
    if (depth !== 0 || !is(keyword, 'FORMAT') || name?.kind !== 'word') continue;
    if (next === undefined || is(next, 'SETTINGS')) hit = [keyword, name];
  }
  return hit;
}

const QUOTED_CHARACTERS = 100;

/** Rejects a second statement after the first. */
function single(sql: string, found: readonly Token[]): RefusedStatement | undefined {
  const rest = found.slice(upToEnd(found).length);
  const [end] = rest;
  if (end === undefined || rest.every(isSemicolon)) return undefined;
  const place = `failed at position ${end.start + 1} (end of query): ${sql.slice(end.start, end.start + QUOTED_CHARACTERS)}`;
  return {
    kind: 'refused',
    code: 'syntaxError',
    message: `Syntax error (Multi-statements are not allowed): ${place}`,
  };
}

function upToEnd(found: readonly Token[]): readonly Token[] {
  const end = found.findIndex(isSemicolon);
  return end < 0 ? found : found.slice(0, end);
}
