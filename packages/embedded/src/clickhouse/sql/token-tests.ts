import type { Token } from './lexer.ts';

/** Whether the token is this keyword, in any case; a quoted one never is. */
export function is(token: Token | undefined, keyword: string): boolean {
  return token?.kind === 'word' && token.text.toUpperCase() === keyword;
}

export function isSemicolon(token: Token): boolean {
  return token.kind === 'symbol' && token.text === ';';
}

/** How much deeper in brackets one is behind the token. */
export function step(token: Token): number {
  if (token.kind !== 'symbol') return 0;
  if ('([{'.includes(token.text)) return 1;
  return ')]}'.includes(token.text) ? -1 : 0;
}
