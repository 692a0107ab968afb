import { findFreePort } from '@tickrate/testkit';
import { type Bench, type Round, takeRounds } from './bench.ts';
import { drive, startBareHttp } from './drive.ts';
import { sampleType } from './sample-events.ts';
import { batch, sendBatches } from './senders.ts';
import { type QueueKind, startStack } from './stack.ts';

const rounds = 3;
const times = { warmupMs: 2_000, measureMs: 6_000 };

export const gatewayBatch: Bench = {
  name: 'gateway.batch',
  unit: 'events/s',
  against: 'parse + validate + encode + compress in a loop, one process',
  target: 0.5,
  better: 'higher',
  async run(report) {
    const stack = await startStack('postgres');
    try {
      return await takeRounds(rounds, async (round) => {
        const limit = await drive('bare-loop.ts', 4_000);
        const load = await sendBatches(stack, { connections: 32, ...times });
        const value = (load.requests * batch) / (load.elapsedMs / 1000);
        report(
          `round ${round}: ${Math.round(value)} events/s, loop ${Math.round(limit)}, refused ${load.refused}`,
        );
        return { value, limit };
      });
    } finally {
      await stack.stop();
    }
  },
};

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
    run: (report) => singleRounds(queue, report),
  };
}

async function singleRounds(queue: QueueKind, report: (line: string) => void): Promise<Round[]> {
  const stack = await startStack(queue);
  const barePort = await findFreePort();
  const stopBare = await startBareHttp(barePort);
  const path = `/v1/event/insert?eventType=${sampleType.name}`;
  const order = { senders: [{ path, apiKey: stack.apiKey }], connections: 64, batch: 0, ...times };
  try {
    return await takeRounds(rounds, async (round) => {
      const bare = await drive('load-generator.ts', { ...order, port: barePort });
      const ours = await drive('load-generator.ts', { ...order, port: stack.gatewayPort });
      const limit = bare.requests / (bare.elapsedMs / 1000);
      const value = ours.requests / (ours.elapsedMs / 1000);
      report(
        `round ${round}: ${Math.round(value)} requests/s, bare ${Math.round(limit)}, refused ${ours.refused}`,
      );
      return { value, limit };
    });
  } finally {
    await stopBare();
    await stack.stop();
  }
}
