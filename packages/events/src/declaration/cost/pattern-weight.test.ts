import { RE2JS } from 're2js';
import { describe, expect, test } from 'vitest';
import { buildAutomaton, patternBounds } from './pattern-weight.ts';

describe('the automaton of a pattern', () => {
  test.each([
    '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
    '^[a-z0-9-]{3,32}$',
    '^\\d+\\.\\d+\\.\\d+(-[0-9A-Za-z.-]+)?$',
    'sword|shield|bow',
    '^\\p{L}[\\p{L}\\p{N} _-]{0,31}$',
    '(a*)*b',
    '(x+x+)+y',
    '\\bword\\b',
  ])('is small for %s', (source) => {
    expect(isSmall(RE2JS.compile(source))).toBe(true);
  });

  test.each(['[ab]*a[ab]{200}[cd]', '(a|b)*a(a|b){20}c', '.*x.{30}y'])('is too large for %s', (source) => {
    expect(isSmall(RE2JS.compile(source))).toBe(false);
  });

  test('of a small pattern reads long strings in linear time', () => {
    const expression = RE2JS.compile('^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$');
    expect(isSmall(expression)).toBe(true);
    const states = expression.re2().dfa.stateCount;
    for (const unit of ['ab-', 'a', '-', 'ab-cd-', 'é', '\n']) expression.test(unit.repeat(20_000));
    // The automaton was complete before the reads.
    expect(expression.re2().dfa.stateCount).toBe(states);
  });
});

function isSmall(expression: RE2JS): boolean {
  const building = buildAutomaton(expression, patternBounds.weight);
  for (;;) {
    const step = building.next();
    if (step.done) return step.value.ok;
  }
}
