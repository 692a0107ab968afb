import { is, isInnerExplain, type Token, tokens } from './lexer.ts';

/** A call of the table function `file()` whose arguments are plain literals. */
export interface FileRead {
  /** Where the call is in the statement. */
  readonly start: number;
  readonly end: number;
  readonly path: string;
  readonly format: string | undefined;
  readonly structure: string | undefined;
  readonly compression: string | undefined;
}

/**
 * The calls of `file()` in a statement (latin1, see the lexer). All other calls, such as one with a computed path or in
 * an EXPLAIN, are left to the engine, which rejects them.
 */
export function fileReads(sql: string): FileRead[] {
  if (!sql.includes('file')) return [];
  const found = [...tokens(sql)];
  if (found.some((_, i) => isInnerExplain(found, i))) return [];
  return found.flatMap((token, i) => {
    if (token.kind !== 'word' || token.text !== 'file' || !isTable(found, i)) return [];
    const read = callAt(found, i);
    return read === undefined ? [] : [read];
  });
}

function isTable(found: readonly Token[], i: number): boolean {
  const before = found[i - 1];
  if (is(before, 'TABLE')) return isDescribe(found[i - 2]);
  return is(before, 'FROM') || is(before, 'JOIN') || isDescribe(before);
}

function isDescribe(token: Token | undefined): boolean {
  return is(token, 'DESCRIBE') || is(token, 'DESC');
}

const MOST_ARGUMENTS = 4;

function callAt(found: readonly Token[], i: number): FileRead | undefined {
  if (found[i + 1]?.text !== '(') return undefined;
  const values: string[] = [];
  for (let at = i + 2; values.length < MOST_ARGUMENTS; at += 2) {
    const value = argument(found[at], values.length);
    const next = found[at + 1];
    if (value === undefined || next === undefined) return undefined;
    values.push(value);
    if (next.text === ')') {
      const [path = '', format, structure, compression] = values.map((one) =>
        one === 'auto' ? undefined : one,
      );
      return { start: found[i]?.start ?? 0, end: next.end, path, format, structure, compression };
    }
    if (next.text !== ',') return undefined;
  }
  return undefined;
}

const FORMAT_ARGUMENT = 1;

/** The text of a literal in quotes without escapes, or the name of a format. */
function argument(token: Token | undefined, index: number): string | undefined {
  if (token?.kind === 'word') return index === FORMAT_ARGUMENT ? token.text : undefined;
  const text = token?.kind === 'string' ? /^'([^'\\]*)'$/.exec(token.text)?.[1] : undefined;
  return text === undefined ? undefined : Buffer.from(text, 'latin1').toString();
}
