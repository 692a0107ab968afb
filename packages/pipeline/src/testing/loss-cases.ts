import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { type Chunk, type Ledger, type ProjectAccount, readAccounts, type Usage } from '../index.ts';
import { sampleId } from '../queue/chunks/chunk-samples.ts';
import type { QueueBench } from './queue-bench.ts';
import { SampleGateway } from './sample-gateway.ts';

/** The backend of a test file. */
export interface LossTools {
  readonly ledger: Ledger;
  readonly usage: Usage;
  /** Removes jobs from the queue without any process noticing. */
  drop(queue: string, chunkIds: readonly string[]): Promise<void>;
}

export type LossCase = (bench: QueueBench, tools: LossTools) => Promise<void>;

/** A gateway, a queue, and a worker that stores only the chunks that the test allows. */
class LossBench {
  readonly project = `p-${randomBytes(6).toString('hex')}`;
  readonly #bench: QueueBench;
  readonly #tools: LossTools;
  readonly #mayStore = new Set<string>();
  readonly #released = Promise.withResolvers<void>();

  constructor(bench: QueueBench, tools: LossTools) {
    this.#bench = bench;
    this.#tools = tools;
  }

  async send(gateway: SampleGateway, chunks: number): Promise<Chunk[]> {
    const producer = await this.#bench.producer();
    const sent: Chunk[] = [];
    while (sent.length < chunks) {
      const chunk = gateway.chunk(this.project, 3);
      await producer.add(chunk);
      gateway.settle(chunk, true);
      sent.push(chunk);
    }
    return sent;
  }

  drop(chunks: readonly Chunk[]): Promise<void> {
    return this.#tools.drop(
      this.#bench.queue,
      chunks.map(({ id }) => id),
    );
  }

  /** All other chunks wait in the worker until `storeAll`. */
  store(chunks: readonly Chunk[]): void {
    for (const { id } of chunks) this.#mayStore.add(id);
    this.#bench.consumer({
      concurrency: 200,
      handle: async (chunk) => {
        if (!this.#mayStore.has(chunk.id)) await this.#released.promise;
        await this.#storeChunk(chunk);
      },
      handleMalformed: async (job) =>
        void (await this.#tools.ledger.buryJob({ id: sampleId(this.#bench.tools.now()), job })),
    });
  }

  storeAll(): void {
    this.#released.resolve();
  }

  async account(): Promise<ProjectAccount | undefined> {
    const monitor = await this.#bench.monitor();
    const accounts = await readAccounts({ usage: this.#tools.usage, pending: () => monitor.pending() });
    return accounts.get(this.project);
  }

  /** Reads the account until it is as expected. Fails with the last one. */
  async expectAccount(expected: Partial<ProjectAccount>): Promise<void> {
    await expect.poll(() => this.account(), { timeout: 10_000 }).toMatchObject(expected);
  }

  async #storeChunk(chunk: Chunk): Promise<void> {
    const batchId = sampleId(this.#bench.tools.now());
    const { won } = await this.#tools.ledger.seal(batchId, [chunk]);
    if (won !== null) await this.#tools.ledger.stored(batchId);
  }
}

/** The tests of losses for both backends, by their names. */
export const lossCases: Readonly<Record<string, LossCase>> = {
  'counts what the queue lost as soon as a later chunk arrives, while others wait': async (bench, tools) => {
    const losses = new LossBench(bench, tools);
    const gateway = new SampleGateway('gateway-a', bench.tools.now);
    const sent = await losses.send(gateway, 40);
    await losses.drop([sent[0], sent[7], sent[8], sent[39]].filter((chunk) => chunk !== undefined));
    const later = await losses.send(gateway, 2);
    losses.store(later);
    await losses.expectAccount({ accepted: 126, stored: 6, pending: 108, missing: 12 });
    losses.storeAll();
    await losses.expectAccount({ accepted: 126, stored: 114, pending: 0, missing: 12 });
  },

  'counts what was lost of a gateway that was killed before it reported': async (bench, tools) => {
    const losses = new LossBench(bench, tools);
    const killed = new SampleGateway('gateway-killed', bench.tools.now);
    const sent = await losses.send(killed, 20);
    await losses.drop(sent.slice(3, 9));
    await losses.send(new SampleGateway('gateway-next', bench.tools.now), 20);
    losses.store([]);
    losses.storeAll();
    await losses.expectAccount({ accepted: 120, stored: 102, pending: 0, missing: 18 });
  },

  'counts the last chunks once their gateway reported them, while others wait': async (bench, tools) => {
    const losses = new LossBench(bench, tools);
    const gateway = new SampleGateway('gateway-last', bench.tools.now);
    const sent = await losses.send(gateway, 10);
    await losses.drop(sent.slice(-2));
    losses.store(sent.slice(0, 1));
    await losses.expectAccount({ stored: 3, missing: 0 });
    await tools.usage.reportAccepted(
      'gateway-last',
      new Map([[losses.project, 30]]),
      gateway.positions.unreported(),
    );
    await losses.expectAccount({ accepted: 30, stored: 3, pending: 21, missing: 6 });
    losses.storeAll();
    await losses.expectAccount({ accepted: 30, stored: 24, pending: 0, missing: 6 });
  },

  'misses nothing of adds whose outcome nobody knows, whether they arrive or not': async (bench, tools) => {
    const losses = new LossBench(bench, tools);
    const gateway = new SampleGateway('gateway-unsure', bench.tools.now);
    const producer = await bench.producer();
    const [added, never] = [gateway.chunk(losses.project, 5), gateway.chunk(losses.project, 7)];
    await producer.add(added);
    for (const chunk of [added, never]) gateway.settle(chunk, false);
    const later = await losses.send(gateway, 2);
    losses.store(later);
    await losses.expectAccount({ accepted: 11, stored: 6, pending: 5, missing: 0 });
    losses.storeAll();
    await losses.expectAccount({ accepted: 11, stored: 11, pending: 0, missing: 0 });
  },
};
