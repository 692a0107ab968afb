import type { RE2JS } from 're2js';

const transitionsAtMost = 150_000;
const unanchored = 0;
// EMPTY_BEGIN_LINE and EMPTY_BEGIN_TEXT: where the search of every string begins.
const atBeginning = 1 | 4;
const endOfText = -1;

/**
 * Whether the automaton of a pattern is small enough to be built in full. Then a character costs one step whatever the
 * string is. The engine builds it as it goes and falls back to a search that is slower by the size of the pattern when
 * it grows too large, which a sender could bring about; so that is found out when the pattern is declared.
 */
export function hasSmallAutomaton(expression: RE2JS): boolean {
  const { dfa } = expression.re2();
  // One character for each class of characters that the pattern tells apart.
  const characters = [0, ...dfa.classBounds, endOfText];
  const start: unknown = dfa.makeState([dfa.prog.start], atBeginning, []);
  const known = new Set<unknown>([start]);
  const open: unknown[] = [start];
  let transitions = 0;
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    for (const character of characters) {
      if (++transitions > transitionsAtMost) return false;
      const column = character === endOfText ? dfa.numClasses : dfa.runeClass(character);
      const next: unknown = dfa.step(state, column, character, unanchored);
      if (next === null) return false;
      if (known.has(next)) continue;
      known.add(next);
      open.push(next);
    }
  }
  return true;
}
