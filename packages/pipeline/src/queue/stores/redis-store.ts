import { once } from 'node:events';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import type { ParcelJob } from '../chunks/parcel.ts';
import {
  jobOptions,
  type PendingChunks,
  type ProcessJob,
  type QueueJob,
  type QueueStore,
  type QueueWorker,
  type StoreLevel,
  type StoreOptions,
  type WorkerSettings,
  workerOptions,
} from './queue-store.ts';
import { confirmWithin, QueueUnavailable } from './queue-unavailable.ts';
import { refuseMode } from './redis-facts.ts';
import { readDelayedBeyond, readRedisLevel, readRedisPending } from './redis-queue-keys.ts';

/** States: new → open → closed. While it is open, ioredis reconnects by itself. */
export class RedisStore implements QueueStore {
  readonly label: string;
  readonly queueNames: readonly string[];
  readonly #options: StoreOptions;
  readonly #client: Redis;
  readonly #queues = new Map<string, Queue>();

  constructor(options: StoreOptions) {
    this.label = options.label;
    this.queueNames = options.queueNames;
    this.#options = options;
    this.#client = createClient(options);
    this.#client.on('error', options.onFault);
  }

  ready(): boolean {
    return this.#client.status === 'ready' && this.#queues.size === this.queueNames.length;
  }

  /** BullMQ never repeats a first connection that failed, so a queue that could not be opened is created again. */
  async open(): Promise<void> {
    const { timeoutMs } = this.#options;
    if (this.#client.status === 'wait') await confirmWithin(this.#client.connect(), timeoutMs, 'connecting');
    // Another call sent a command before, which connects.
    else if (this.#client.status !== 'ready')
      await confirmWithin(once(this.#client, 'ready'), timeoutMs, 'connecting');
    if (this.#client.status !== 'ready')
      throw new QueueUnavailable(`${this.label} is ${this.#client.status}`);
    refuseMode(await confirmWithin(this.#client.info('server'), timeoutMs, 'INFO'), this.label);
    for (const name of this.queueNames) {
      if (!this.#queues.has(name)) this.#queues.set(name, await this.#openQueue(name));
    }
  }

  async add(queueName: string, jobs: readonly ParcelJob[]): Promise<void> {
    const entries = jobs.map(({ id, name, data }) => ({ name, data, opts: { ...jobOptions, jobId: id } }));
    await this.#queue(queueName).addBulk(entries);
  }

  async job(queueName: string, id: string): Promise<QueueJob | null> {
    return (await this.#queue(queueName).getJob(id)) ?? null;
  }

  createWorker(queueName: string, process: ProcessJob, settings: WorkerSettings): QueueWorker {
    return new Worker(queueName, process, {
      ...settings,
      connection: this.#client,
      skipVersionCheck: true,
      ...workerOptions,
    });
  }

  /** BullMQ's workers find ended locks. The delay before a retry follows the clock of a process, not of Redis. */
  async recover(lockMs: number): Promise<string[]> {
    const [seconds] = await this.#client.time();
    const latestMs = Number(seconds) * 1_000 + lockMs + 10_000;
    for (const queue of this.#queues.values()) {
      const ids = await readDelayedBeyond(this.#client, queue.name, latestMs);
      for (const id of ids) await (await queue.getJob(id))?.promote();
    }
    return [];
  }

  async ping(): Promise<void> {
    await confirmWithin(this.#client.ping(), this.#options.timeoutMs, 'ping');
  }

  level(): Promise<StoreLevel> {
    return readRedisLevel(this.#client, this.queueNames, this.#options.limitBytes);
  }

  pending(limit: number): Promise<PendingChunks> {
    return readRedisPending(this.#client, this.queueNames, limit);
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#queues.values().map((queue) => queue.close()));
    this.#client.disconnect();
  }

  async #openQueue(name: string): Promise<Queue> {
    const queue = new Queue(name, {
      connection: this.#client,
      skipVersionCheck: true,
      streams: { events: { maxLen: 1_000 } },
    });
    queue.on('error', () => undefined); // the client's own listener has reported it already
    try {
      await confirmWithin(queue.waitUntilReady(), this.#options.timeoutMs, 'opening');
    } catch (fault) {
      queue.close().catch(() => undefined);
      throw fault;
    }
    return queue;
  }

  #queue(name: string): Queue {
    const queue = this.#queues.get(name);
    if (queue === undefined) throw new QueueUnavailable(`${this.label} is not connected yet`);
    return queue;
  }
}

/** A producer fails fast. A consumer waits until Redis is back, which BullMQ requires of its blocking clients. */
function createClient({ url, role, timeoutMs }: StoreOptions): Redis {
  const base = {
    lazyConnect: true,
    connectTimeout: timeoutMs,
    keepAlive: 10_000,
    retryStrategy: (attempts: number) => Math.min(100 * attempts, 1_000),
  };
  if (role === 'consumer') return new Redis(url, { ...base, maxRetriesPerRequest: null });
  return new Redis(url, {
    ...base,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    commandTimeout: timeoutMs,
  });
}
