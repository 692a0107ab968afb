import type { RE2JS } from 're2js';

/** The part of a pattern that exceeds its limit: its program, its character classes, or its automaton. */
export type PatternVerdict = { readonly ok: true; readonly weight: number } | { readonly ok: false };

export const patternBounds = { instructions: 2_000, ranges: 100_000, weight: 3_000_000 } as const;

const transitionsAtMost = 150_000;
/** About a millisecond. */
const weightPerStep = 10_000;
const unanchored = 0;
// EMPTY_BEGIN_LINE and EMPTY_BEGIN_TEXT: the start state of every search.
const atBeginning = 1 | 4;
const endOfText = -1;

/**
 * Builds the complete automaton of a pattern, and yields every millisecond or so. With a small automaton each character
 * costs one step, for every string. The engine builds it lazily; if it grows too large, the engine uses a search that
 * is slower by the size of the pattern. A sender could force this, so the size is checked at declaration. The weight
 * counts steps of the engine and is the same on every machine.
 */
export function* buildAutomaton(expression: RE2JS, weightAtMost: number): Generator<void, PatternVerdict> {
  if (expression.programSize() > patternBounds.instructions || rangesOf(expression) > patternBounds.ranges)
    return { ok: false };
  let [transitions, weight, stepEnds] = [0, 0, weightPerStep];
  for (const { from, to } of walk(expression)) {
    if (to === null) return { ok: false };
    weight += 1 + from.nfaStates.length + to.nfaStates.length;
    if (++transitions > transitionsAtMost || weight > weightAtMost) return { ok: false };
    if (weight <= stepEnds) continue;
    stepEnds = weight + weightPerStep;
    yield;
  }
  return { ok: true, weight };
}

/** Every transition from every state. */
function* walk(expression: RE2JS): Generator<{ from: State; to: State | null }> {
  const { dfa } = expression.re2();
  // One character for each class of characters that the pattern distinguishes.
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

/** The cost of classifying its characters. */
function rangesOf(expression: RE2JS): number {
  const instructions: readonly Instruction[] = expression.re2().prog.inst;
  return instructions.reduce((sum, { runes }) => sum + (runes?.length ?? 0), 0);
}
