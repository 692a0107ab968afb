import { afterAll, beforeAll, expect, test } from 'vitest';
import { runDelivery } from './delivery-run.ts';
import { type RunningProduct, startProduct } from './running-product.ts';

let product: RunningProduct;

beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product.stop());

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
