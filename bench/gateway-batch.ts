import type { Bench, Round } from './bench.ts';
import { drive, runBareLoop } from './drive.ts';
import { batchSender } from './senders.ts';
import { startStack } from './stack.ts';

const rounds = 3;
const batch = 100;

export const gatewayBatch: Bench = {
  name: 'gateway.batch',
  unit: 'events/s',
  against: 'parse + validate + encode + compress in a loop, one process',
  target: 0.5,
  better: 'higher',
  async run(report) {
    const stack = await startStack({ queue: 'postgres' });
    try {
      const taken: Round[] = [];
      for (let round = 1; round <= rounds; round++) {
        const limit = await runBareLoop(4_000);
        const load = await drive({
          host: '127.0.0.1',
          port: stack.gatewayPort,
          senders: [batchSender(stack)],
          connections: 32,
          batch,
          warmupMs: 2_000,
          measureMs: 6_000,
        });
        const value = (load.requests * batch) / (load.elapsedMs / 1000);
        report(
          `round ${round}: ${Math.round(value)} events/s, loop ${Math.round(limit)}, refused ${load.refused}`,
        );
        taken.push({ value, limit });
      }
      return taken;
    } finally {
      await stack.stop();
    }
  },
};
