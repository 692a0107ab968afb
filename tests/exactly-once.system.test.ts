import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitUntil } from '@tickrate/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runDelivery } from './delivery-run.ts';
import { type RunningProduct, startProduct } from './running-product.ts';

let product: RunningProduct;

beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product.stop());

// Invariant (Delivery): An accepted event is stored exactly once, whichever process is killed
test('every event is stored exactly once though the worker is killed and requests are sent twice', async () => {
  const plan = { requests: 300, eventsPerRequest: 200, repeated: 0.05, kills: 3, senders: 4 };
  const report = await runDelivery(product, plan);
  for (const { type, sent, rows, distinct, first, last } of report.views) {
    expect({ type, rows, distinct, first, last }).toEqual({
      type,
      rows: sent,
      distinct: sent,
      first: 0,
      last: sent - 1,
    });
  }
  expect(report.views.reduce((sum, { sent }) => sum + sent, 0)).toBe(60_000);
  const { accepted, stored, pending, deduplicated, dead } = report.totals;
  expect({ stored, pending, dead }).toEqual({ stored: report.sent, pending: 0, dead: 0 });
  expect(accepted).toBe(stored + deduplicated);
  expect(deduplicated).toBeGreaterThanOrEqual(report.repeatedRequests * plan.eventsPerRequest);
  expect(report.kills).toBe(3);
});

test('a request can be followed by its id from the gateway to the insert', async () => {
  const requestId = `followed-${randomUUID()}`;
  const answer = await fetch(`${product.gateway}/v1/event/insert?eventType=level_up`, {
    method: 'PUT',
    headers: { 'X-API-Key': product.keys.public, 'X-Request-Id': requestId },
    body: '{"level": 3}',
  });
  expect(answer.headers.get('x-request-id')).toBe(requestId);
  const queued = await logLine(
    'gateway',
    ({ requestIds }) => Array.isArray(requestIds) && requestIds.includes(requestId),
  );
  const stored = await logLine(
    'worker',
    ({ chunkIds }) => Array.isArray(chunkIds) && chunkIds.includes(queued['chunkId']),
  );
  expect(stored).toMatchObject({ msg: 'batch stored', rows: expect.any(Number) });
});

/** The first line of an app's log that matches, once it is there. */
async function logLine(
  app: string,
  matches: (line: Record<string, unknown>) => boolean,
): Promise<Record<string, unknown>> {
  const path = join(product.folder, 'logs', `${app}.log`);
  const found = await waitUntil(
    () => {
      const lines = readFileSync(path, 'utf8').split('\n');
      const whole = lines.slice(0, -1).filter((line) => line.startsWith('{'));
      return whole.map((line): Record<string, unknown> => JSON.parse(line)).find(matches);
    },
    { timeoutMs: 10_000, what: `a line in the log of ${app}` },
  );
  return found ?? {};
}
