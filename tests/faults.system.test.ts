import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { planShortRound } from './faults/fault-plan.ts';
import { availableBackends } from './faults/fault-stack.ts';
import { runFaults } from './faults/run-faults.ts';

// The long form, with every fault, is `npm run test:faults`.
// Invariant (Delivery): An accepted event is stored exactly once with frozen processes, a faulty network, lost
// answers and clock jumps, without manual repair
const backends = availableBackends();
if (!backends.includes('redis'))
  process.stderr.write(
    'SKIPPED: faults with a queue on Redis, behind the proxy (no Redis or no caddy on the PATH)\n',
  );
for (const backend of backends) {
  test(`with the queue on ${backend}, killed and frozen processes and lost answers neither lose nor double an event`, async () => {
    const seed = randomInt(1_000_000_000);
    const lines: string[] = [];
    const run = await runFaults({
      backend,
      seed,
      plans: [planShortRound(backend, seed)],
      runMs: 0,
      timeoutMs: 60_000,
      report: (line) => lines.push(line),
    });
    expect(run.failures, `seed ${seed}\n${lines.join('\n')}`).toEqual([]);
    expect(run.rounds[0]?.verdict.acknowledged).toBeGreaterThan(100);
  });
}
