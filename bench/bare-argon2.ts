import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';

/** Verifies as many passwords in parallel as sign-in does: the reference of auth.password. */
const atOnce = Math.max(1, Math.min(availableParallelism() - 1, 4));
const measureMs = Number(process.argv[2] ?? 5_000);
const password = 'ab'.repeat(32);
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
process.send?.({ perSecond, cpuMs: (user + system) / 1_000 }, () => process.exit(0));
