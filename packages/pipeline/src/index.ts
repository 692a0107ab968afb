export type { Chunk, IdempotentRun, MalformedJob } from './chunk.ts';
export { type Consumer, type ConsumerOptions, createConsumer } from './consumer.ts';
export { createProducer, type Producer, type ProducerOptions } from './producer.ts';
export {
  createQueueMonitor,
  type PendingEvents,
  type QueueMonitor,
  type QueueMonitorOptions,
} from './queue-monitor.ts';
export type { StoreLevel } from './queue-store.ts';
export { QueueUnavailable } from './queue-unavailable.ts';
