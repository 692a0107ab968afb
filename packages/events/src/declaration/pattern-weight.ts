import type { RE2JS } from 're2js';

/** What a pattern costs beyond what it may: its program, its character classes, or its automaton. */
export type PatternVerdict = { readonly ok: true; readonly weight: number } | { readonly ok: false };

export const patternBounds = { instructions: 2_000, ranges: 100_000, weight: 3_000_000 } as const;

const transitionsAtMost = 150_000;
/** About a millisecond. */
const weightPerTurn = 10_000;
const unanchored = 0;
// EMPTY_BEGIN_LINE and EMPTY_BEGIN_TEXT: where the search of every string begins.
const atBeginning = 1 | 4;
const endOfText = -1;

/**
 * Builds the automaton of a pattern in full, and yields every millisecond or so. When it is small a character costs one
 * step whatever the string is. The engine builds it as it goes and falls back to a search that is slower by the size of the
 * pattern when it grows too large, which a sender could bring about; so that is found out when the pattern is declared.
 * The weight counts the engine's own steps: it is the same on every machine.
 */
export function* buildAutomaton(expression: RE2JS, weightAtMost: number): Generator<void, PatternVerdict> {
  if (expression.programSize() > patternBounds.instructions || rangesOf(expression) > patternBounds.ranges)
    return { ok: false };
  let [transitions, weight, turnEnds] = [0, 0, weightPerTurn];
  for (const { from, to } of walk(expression)) {
    if (to === null) return { ok: false };
    weight += 1 + from.nfaStates.length + to.nfaStates.length;
    if (++transitions > transitionsAtMost || weight > weightAtMost) return { ok: false };
    if (weight <= turnEnds) continue;
    turnEnds = weight + weightPerTurn;
    yield;
  }
  return { ok: true, weight };
}

/** Every transition from every state. */
function* walk(expression: RE2JS): Generator<{ from: State; to: State | null }> {
  const { dfa } = expression.re2();
  // One character for each class of characters that the pattern tells apart.
  const characters = [0, ...dfa.classBounds, endOfText];
  const open: State[] = [dfa.makeState([dfa.prog.start], atBeginning, [])];
  const seen = new Set(open);
  for (let from = open.pop(); from !== undefined; from = open.pop()) {
    for (const character of characters) {
      const column = character === endOfText ? dfa.numClasses : dfa.runeClass(character);
      const to: State | null = dfa.step(from, column, character, unanchored);
      yield { from, to };
      if (to === null || seen.has(to)) continue;
      seen.add(to);
      open.push(to);
    }
  }
}

interface State {
  readonly nfaStates: readonly number[];
}

interface Instruction {
  readonly runes: readonly number[] | null;
}

/** What telling its characters apart costs. */
function rangesOf(expression: RE2JS): number {
  const instructions: readonly Instruction[] = expression.re2().prog.inst;
  return instructions.reduce((sum, { runes }) => sum + (runes?.length ?? 0), 0);
}
