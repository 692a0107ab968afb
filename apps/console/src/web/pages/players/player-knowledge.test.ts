import { expect, test } from 'vitest';
import { isErasable, knowledgeOf, type PlayerFacts } from './player-knowledge.ts';

const nothing: PlayerFacts = { hasAccount: false, erasureStates: [], hasEvents: false };

test.each<[PlayerFacts, ReturnType<typeof knowledgeOf>, boolean]>([
  [nothing, 'unknown', false],
  [{ ...nothing, hasEvents: true }, 'eventsOnly', true],
  [{ ...nothing, hasAccount: true }, 'account', true],
  [{ ...nothing, hasAccount: true, erasureStates: ['requested'] }, 'erasing', false],
  [{ ...nothing, erasureStates: ['removing', 'done'], hasEvents: true }, 'erasing', false],
  [{ ...nothing, erasureStates: ['done'] }, 'erased', false],
  [{ ...nothing, erasureStates: ['done'], hasEvents: true }, 'lateEvents', true],
])('of %o it is known: %s', (facts, known, erasable) => {
  expect(knowledgeOf(facts)).toBe(known);
  expect(isErasable(knowledgeOf(facts))).toBe(erasable);
});
