import { expect, test } from 'vitest';
import { retentionOfAll } from './retention-map.tsx';

test('weighs cohorts by their players, and counts only those for which the period is over', () => {
  const cohorts = [
    { cohort: '2026-11-01', players: 100, returned: [50, 20] },
    { cohort: '2026-11-02', players: 300, returned: [30, 0] },
  ];
  const isOver = (cohort: string, period: number) => cohort === '2026-11-01' || period < 2;
  expect(retentionOfAll(cohorts, isOver)).toEqual([0.2, 0.2]);
  expect(retentionOfAll(cohorts, () => false)).toEqual([null, null]);
  expect(retentionOfAll([], isOver)).toEqual([]);
});
