import { expect, test } from 'vitest';
import { analyses, type ExploreSearch, emptyQuestion } from '../../explore/explore-search.ts';
import { analysisOf, questionOf } from './analysis-of.ts';

const where = [{ member: 'level', is: 'less', value: 7 }] as const;
const full: ExploreSearch = {
  ...emptyQuestion,
  types: ['level_up'],
  where,
  split: 'hero.name',
  type: 'level_up',
  member: 'level',
  per: 'week',
  by: 'received',
  steps: ['session_start', 'level_up'],
  stepWhere: [[], where],
  windowHours: 1.5,
};

test.each(analyses)('a tile of %s opens in the builder as it was asked', (analysis) => {
  const asked = analysisOf({ ...full, analysis });
  expect(asked).not.toBeNull();
  if (asked === null) return;
  const question = questionOf(asked);
  expect(question).not.toBeNull();
  expect(question && analysisOf(question)).toEqual(asked);
});

test.each([
  { name: 'retention', parameters: { per: 'day', periods: 30 } },
  { name: 'volume', parameters: { per: 'day', from: '2026-11-01T00:00:00Z' } },
  { name: 'breakdown', parameters: { type: 'a', member: 'b', mostValues: 3 } },
  { name: 'funnel', parameters: { steps: [null, 7], windowSeconds: 5 } },
  { name: 'other', parameters: {} },
])('a tile that says more than the form can show stays JSON: %j', (analysis) => {
  expect(questionOf(analysis)).toBeNull();
});
