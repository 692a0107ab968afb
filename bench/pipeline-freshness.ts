import { setTimeout as passed } from 'node:timers/promises';
import { type Bench, percentile, takeRounds } from './bench.ts';
import { sampleEvent, sampleType } from './sample-events.ts';
import { batch, sendBatches } from './senders.ts';
import { onStack, type Stack } from './stack.ts';
import type { StoredEvents } from './stored-events.ts';

const rounds = 3;
const promisedSeconds = 2;
const probeEveryMs = 40;
const probedMs = 20_000;

/** Measures single events under 30 % of the sustained load, from the 200 until a query finds them. */
export const pipelineFreshness: Bench = {
  name: 'pipeline.freshness',
  unit: 's (p99)',
  against: 'the promised 2 s',
  target: 1,
  better: 'lower',
  run: (report) =>
    onStack(async (stack, stored) => {
      await stack.startWorker();
      const sustained = await sustainedRate(stack, stored);
      const requestsPerSecond = (sustained * 0.3) / batch;
      return takeRounds(rounds, async (round) => {
        const times = { warmupMs: 1_000, measureMs: probedMs + 2_000 };
        const background = sendBatches(stack, { requestsPerSecond, ...times });
        await passed(2_000);
        const delays = await probe(stack, stored);
        await background;
        const value = percentile(delays, 0.99);
        const median = percentile(delays, 0.5);
        report(
          `round ${round}: p99 ${value.toFixed(2)} s, median ${median.toFixed(2)} s at ${Math.round(requestsPerSecond * batch)} of ${Math.round(sustained)} events/s`,
        );
        return { value, limit: promisedSeconds };
      });
    }),
};

async function sustainedRate(stack: Stack, stored: StoredEvents): Promise<number> {
  const started = performance.now();
  const report = await sendBatches(stack, { measureMs: 10_000 });
  const events = report.acceptedInAll * batch;
  return events / (((await stored.reached(events)) - started) / 1_000);
}

/** Seconds from the answer of each probe until a query returned it. A probe has a unique score. */
async function probe(stack: Stack, stored: StoredEvents): Promise<number[]> {
  const accepted = new Map<number, number>();
  const delays: number[] = [];
  const first = 1_000_000_000 + Math.floor(Math.random() * 1_000_000) * 1_000;
  const send = async (score: number) => {
    const answer = await fetch(
      `http://127.0.0.1:${stack.gatewayPort}/v1/event/insert?eventType=${sampleType.name}`,
      {
        method: 'PUT',
        headers: { 'X-API-Key': stack.apiKey, 'Content-Type': 'application/json' },
        body: JSON.stringify({ ...sampleEvent(), player: 'probe', score }),
      },
    );
    if (answer.status !== 200) throw new Error(`a probe was refused: ${await answer.text()}`);
    accepted.set(score, performance.now());
  };
  const seen = new Set<number>();
  const look = async () => {
    const query = `SELECT data.score.:Int64 AS score FROM tickrate.events
      WHERE received > now64(3) - 20 AND data.score.:Int64 >= ${first}`;
    const rows = await (await stored.client.query({ query, format: 'JSONEachRow' })).json<{
      score: string;
    }>();
    const now = performance.now();
    for (const score of rows.map((row) => Number(row.score))) {
      const since = accepted.get(score);
      if (since === undefined || seen.has(score)) continue;
      seen.add(score);
      delays.push((now - since) / 1_000);
    }
  };
  const count = Math.floor(probedMs / probeEveryMs);
  const sending = (async () => {
    const start = performance.now();
    for (let at = 0; at < count; at++) {
      await passed(Math.max(0, start + at * probeEveryMs - performance.now()));
      await send(first + at);
    }
  })();
  sending.catch(() => undefined);
  const deadline = performance.now() + probedMs + 30_000;
  while (seen.size < count && performance.now() < deadline) {
    await look();
    await passed(10);
  }
  await sending;
  if (seen.size < count) throw new Error(`${count - seen.size} probes were never seen`);
  return delays;
}
