import { type Bench, takeRounds } from './bench.ts';
import { drive } from './drive.ts';
import { buildSdk } from './sdk-benches.ts';
import { startStack } from './stack.ts';

const rounds = 5;
const batchEvents = 500;
const requests = 4;

/** `insert()` of `@tickrate/sdk/server` against `fetch`: the same events, as many of them in a request, as many requests at once. */
export const sdkServer: Bench = {
  name: 'sdk.server',
  unit: 'events/s',
  against: 'JSON.stringify and fetch of the same batches',
  target: 0.5,
  better: 'higher',
  async run(report) {
    buildSdk();
    const stack = await startStack('postgres');
    const order = {
      url: `http://127.0.0.1:${stack.gatewayPort}`,
      key: stack.apiKey,
      callers: 2 * batchEvents * requests,
      batchEvents,
      requests,
      warmupMs: 1_500,
      measureMs: 4_000,
    };
    const rateBy = async (by: 'sdk' | 'hand') => {
      const { events, elapsedMs, cpuMs } = await drive('backend-sender.ts', { ...order, by });
      const rate = (events / elapsedMs) * 1000;
      report(`${by}: ${Math.round(rate)} events/s, ${((cpuMs * 1000) / events).toFixed(1)} µs of CPU each`);
      return rate;
    };
    try {
      // A cold gateway would count against the first side.
      await rateBy('hand');
      return await takeRounds(rounds, async () => ({
        value: await rateBy('sdk'),
        limit: await rateBy('hand'),
      }));
    } finally {
      await stack.stop();
    }
  },
};
