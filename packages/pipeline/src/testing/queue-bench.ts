import {
  type Chunk,
  type Consumer,
  createConsumer,
  createProducer,
  createQueueMonitor,
  type MalformedJob,
  type Producer,
  type QueueMonitor,
} from '../index.ts';
import type { ConsumerOptions } from '../queue/consumer/consumer.ts';

/** The backend of a test file. */
export interface BenchTools {
  readonly queueUrl: string;
  readonly now: () => number;
  newQueue(): string;
  waitUntil(
    probe: () => boolean | Promise<boolean>,
    options?: { timeoutMs?: number; what?: string },
  ): Promise<unknown>;
  proxy(url: string): Promise<FaultyNetwork>;
  /** Adds a job to the first shard of the queue that no Tickrate process would write. */
  addRaw(queue: string, id: string, job: { name: string; data: unknown }): Promise<void>;
}

export interface FaultyNetwork {
  readonly url: string;
  delay(delayMs: number): void;
  freeze(): void;
  refuse(): void;
  open(): void;
  close(): Promise<void>;
}

export interface BenchConsumer extends Consumer {
  readonly chunks: readonly Chunk[];
  readonly malformed: readonly MalformedJob[];
}

/** One queue and everything that a test opens on it. */
export class QueueBench {
  readonly tools: BenchTools;
  readonly queue: string;
  readonly #closers: (() => Promise<unknown>)[] = [];

  constructor(tools: BenchTools) {
    this.tools = tools;
    this.queue = tools.newQueue();
  }

  /** Called after the test, in reverse order. */
  onClose(close: () => Promise<unknown>): void {
    this.#closers.push(close);
  }

  /** Its timeout is that of the product, unless the test is about a store that does not answer. */
  async producer({
    url = this.tools.queueUrl,
    limitBytes = null as number | null,
    timeoutMs = 2_000,
  } = {}): Promise<Producer> {
    const producer = createProducer({
      queueUrl: url,
      queue: this.queue,
      shards: 2,
      timeoutMs,
      pollMs: 25,
      limitBytes,
    });
    this.onClose(() => producer.stop());
    await producer.start();
    return producer;
  }

  consumer(options: Partial<ConsumerOptions> = {}): BenchConsumer {
    const chunks: Chunk[] = [];
    const malformed: MalformedJob[] = [];
    const consumer = createConsumer({
      queueUrl: this.tools.queueUrl,
      queue: this.queue,
      shards: 2,
      concurrency: 40,
      lockMs: 1_000,
      stalledIntervalMs: 300,
      handle: async (chunk) => void chunks.push(chunk),
      handleMalformed: async (job) => void malformed.push(job),
      ...options,
    });
    this.onClose(() => consumer.stop(500));
    consumer.start();
    return { ...consumer, chunks, malformed };
  }

  async monitor(): Promise<QueueMonitor> {
    const monitor = createQueueMonitor({ queueUrl: this.tools.queueUrl, queue: this.queue, shards: 2 });
    this.onClose(() => monitor.stop());
    await monitor.start();
    return monitor;
  }

  async depth(): Promise<number> {
    const monitor = await this.monitor();
    return (await monitor.levels()).reduce((sum, level) => sum + level.depth, 0);
  }

  async untilEmpty(): Promise<void> {
    const monitor = await this.monitor();
    await this.tools.waitUntil(async () => (await monitor.levels()).every((level) => level.depth === 0), {
      what: 'the queue to be empty',
    });
  }

  async close(): Promise<void> {
    for (const close of this.#closers.splice(0).reverse()) await close();
  }
}
