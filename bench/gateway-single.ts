import { findFreePort } from '@tickrate/testkit';
import type { Bench, Round } from './bench.ts';
import { drive, startBareHttp } from './drive.ts';
import { singleSender } from './senders.ts';
import { type QueueKind, startStack } from './stack.ts';

const rounds = 3;
const load = { host: '127.0.0.1', connections: 64, batch: 0, warmupMs: 2_000, measureMs: 6_000 };

export const gatewaySingle = singleOn('postgres', 'gateway.single');
export const gatewaySingleRedis = singleOn('redis', 'gateway.single.redis');

function singleOn(queue: QueueKind, name: string): Bench {
  return {
    name,
    ...(queue === 'redis' && { needs: queue }),
    unit: 'requests/s',
    against: 'a bare node:http server that reads, parses and answers',
    target: 0.5,
    better: 'higher',
    run: (report) => takeRounds(queue, report),
  };
}

async function takeRounds(queue: QueueKind, report: (line: string) => void): Promise<Round[]> {
  const stack = await startStack({ queue });
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
}
