import { createConsumer } from './consumer.ts';

/** Takes chunks and prints their ids, but never finishes them. A test kills this process. */
const [queueUrl = '', queue = ''] = process.argv.slice(2);

createConsumer({
  queueUrl,
  queue,
  shards: 2,
  concurrency: 20,
  lockMs: 1_000,
  stalledIntervalMs: 300,
  handle(chunk) {
    process.stdout.write(`${chunk.id}\n`);
    return Promise.withResolvers<void>().promise;
  },
  handleMalformed: () => Promise.resolve(),
}).start();
