import { expect, test } from 'vitest';
import { faultKinds, planRounds } from './fault-plan.ts';
import { type Backend, queueServers } from './fault-stack.ts';

const leadsOf: Record<Backend, number> = { postgres: 28, redis: 46 };

test.each(['postgres', 'redis'] as const)('a seed plans the same faults on %s again', (backend) => {
  const first = planRounds({ backend, seed: 7, from: 0 }).take(40).toArray();
  expect(planRounds({ backend, seed: 7, from: 0 }).take(40).toArray()).toEqual(first);
  expect(planRounds({ backend, seed: 7, from: 25 }).next().value).toEqual(first[25]);
  expect(planRounds({ backend, seed: 8, from: 0 }).take(40).toArray()).not.toEqual(first);
});

test.each(['postgres', 'redis'] as const)('the first rounds on %s have every fault there is', (backend) => {
  const rounds = planRounds({ backend, seed: 7, from: 0 }).take(leadsOf[backend]).toArray();
  const leads = rounds.map(({ faults }) => faults[0]?.kind);
  const possible = faultKinds.filter((kind) => backend === 'redis' || kind !== 'restoredRedis');
  expect(new Set(leads)).toEqual(new Set(possible));
  const killed = rounds.map(({ faults }) => faults[0]).filter((fault) => fault?.kind === 'kill');
  expect(killed.map((fault) => fault?.target)).toEqual(expect.arrayContaining([...queueServers(backend)]));
});

test('a Redis of yesterday is a round of its own', () => {
  for (const { faults } of planRounds({ backend: 'redis', seed: 7, from: 0 }).take(200)) {
    if (faults.some(({ kind }) => kind === 'restoredRedis')) expect(faults).toHaveLength(1);
  }
});
