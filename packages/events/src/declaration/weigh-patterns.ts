import type { DeclarationFault } from './declaration-faults.ts';
import { buildAutomaton, patternBounds } from './pattern-weight.ts';
import type { Pattern } from './shape.ts';

/** What all patterns of a declaration may weigh together; one that stands at many members counts once. */
const patternWeightAtMost = 6_000_000;

export interface DeclaredPattern {
  /** JSON pointer of the keyword where it stands first. */
  readonly pointer: string;
  readonly pattern: Pattern;
}

/**
 * The faults of patterns that are no regular expressions or cost too much. Compiles each of them, which can take seconds: a
 * process that serves others does it on a thread. `onPattern` is called before each, so that who ends the thread knows
 * where it stood. Nothing is compiled after the first that costs too much.
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
const notLinear = 'is not a regular expression of the linear-time (RE2) kind';
const allTooComplex =
  'with those before it passes what the patterns of a declaration may cost together: use smaller or fewer repetitions';

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
