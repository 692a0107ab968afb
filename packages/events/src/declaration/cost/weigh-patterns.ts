import type { DeclarationFault, DeclaredPattern } from '../reading/declaration-faults.ts';
import type { Pattern } from '../shape.ts';
import { buildAutomaton, patternBounds } from './pattern-weight.ts';

/** The limit for all patterns of a declaration together. A pattern at several members counts once. */
const patternWeightAtMost = 6_000_000;

/**
 * Returns the faults of patterns that are invalid or too expensive. Compiles each pattern, which can take seconds, so a
 * serving process runs it on a thread. Calls `onPattern` before each pattern, so that the caller knows the current
 * pattern when it ends the thread. Stops at the first pattern that is too expensive.
 */
export function weighPatterns(
  patterns: readonly DeclaredPattern[],
  onPattern: (pointer: string) => void = () => undefined,
): DeclarationFault[] {
  const faults: DeclarationFault[] = [];
  let left = patternWeightAtMost;
  for (const { pointer, pattern } of patterns) {
    onPattern(pointer);
    const weight = weigh(pattern, Math.min(patternBounds.weight, left));
    if (typeof weight === 'number') left -= weight;
    else if (weight === 'invalid') faults.push(patternFault(pointer, notLinear));
    else return [...faults, patternFault(pointer, left < patternBounds.weight ? allTooComplex : tooComplex)];
  }
  return faults;
}

export function patternFault(pointer: string, message: string): DeclarationFault {
  return { pointer, keyword: 'pattern', message };
}

export const tooComplex = 'is too complex: use smaller or fewer repetitions';
const notLinear = 'is not a regular expression in RE2 syntax';
const allTooComplex =
  'exceeds the limit for all patterns of a declaration together: use smaller or fewer repetitions';

function weigh(pattern: Pattern, atMost: number): number | 'invalid' | 'tooComplex' {
  try {
    const building = buildAutomaton(pattern.expression(), atMost);
    for (;;) {
      const step = building.next();
      if (step.done) return step.value.ok ? step.value.weight : 'tooComplex';
    }
  } catch {
    return 'invalid';
  }
}
