import { findFreePort } from '@tickrate/testkit';
import type { Bench, Round } from './bench.ts';
import { drive, startBareHttp } from './drive.ts';
import { singleSender } from './senders.ts';
import { startStack } from './stack.ts';

const rounds = 3;
const load = { host: '127.0.0.1', connections: 64, batch: 0, warmupMs: 2_000, measureMs: 6_000 };

export const gatewaySingle: Bench = {
  name: 'gateway.single',
  unit: 'requests/s',
  against: 'a bare node:http server that reads, parses and answers',
  target: 0.5,
  better: 'higher',
  async run(report) {
    const stack = await startStack({ queue: 'postgres' });
    const barePort = await findFreePort();
    const stopBare = await startBareHttp(barePort);
    try {
      const taken: Round[] = [];
      for (let round = 1; round <= rounds; round++) {
        const order = { ...load, senders: [singleSender(stack)] };
        const bare = await drive({ ...order, port: barePort });
        const ours = await drive({ ...order, port: stack.gatewayPort });
        const limit = bare.requests / (bare.elapsedMs / 1000);
        const value = ours.requests / (ours.elapsedMs / 1000);
        report(
          `round ${round}: ${Math.round(value)} requests/s, bare ${Math.round(limit)}, refused ${ours.refused}`,
        );
        taken.push({ value, limit });
      }
      return taken;
    } finally {
      await stopBare();
      await stack.stop();
    }
  },
};
