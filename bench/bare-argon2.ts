import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import type { BareRate } from './replay-statements.ts';
import { takeOrder } from './take-order.ts';

const atOnce = Math.max(1, Math.min(availableParallelism() - 1, 4));
const password = 'ab'.repeat(32);

/** Verifies as many passwords in parallel as sign-in does: the reference of auth.password. */
takeOrder(async (measureMs: number): Promise<BareRate> => {
  const stored = await hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  const before = process.cpuUsage();
  const started = performance.now();
  let verified = 0;
  async function run(): Promise<void> {
    while (performance.now() - started < measureMs) {
      await verify(stored, password);
      verified++;
    }
  }
  await Promise.all(Array.from({ length: atOnce }, run));
  const perSecond = verified / ((performance.now() - started) / 1000);
  const { user, system } = process.cpuUsage(before);
  return { perSecond, cpuMs: (user + system) / 1_000 };
});
