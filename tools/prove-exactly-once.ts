import { parseArgs } from 'node:util';
import { runDelivery } from '../tests/delivery-run.ts';
import { startProduct } from '../tests/running-product.ts';

/** The proof at full size: 1,000 requests of 1,000 events, 5 % of them sent twice, and five kills of the worker. */
const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '1000' },
    events: { type: 'string', default: '1000' },
    kills: { type: 'string', default: '5' },
  },
});

const product = await startProduct();
try {
  const started = performance.now();
  const report = await runDelivery(product, {
    requests: Number(values.requests),
    eventsPerRequest: Number(values.events),
    repeated: 0.05,
    kills: Number(values.kills),
    senders: 4,
  });
  const { sent, repeatedRequests, retriedRequests, kills, views, totals } = report;
  console.log(
    `sent ${sent} events, ${repeatedRequests} requests twice, ${retriedRequests} retries, worker killed ${kills} times`,
  );
  console.table(views);
  console.table([totals]);
  const isRight = views.every(({ rows, distinct, first, last, sent: of }) => {
    return rows === of && distinct === of && first === 0 && last === of - 1;
  });
  const addsUp = totals.accepted === totals.stored + totals.pending + totals.deduplicated + totals.dead;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(
    isRight && addsUp ? `each event exactly once, in ${seconds} s` : `NOT exactly once, after ${seconds} s`,
  );
  process.exitCode = isRight && addsUp ? 0 : 1;
} finally {
  await product.stop();
}
