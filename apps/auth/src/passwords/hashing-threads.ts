import { Worker } from 'node:worker_threads';

/** The parameters of Argon2id. */
export interface HashSettings {
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

/** Hashes a password, or verifies it against the stored hash. */
export interface HashOrder {
  readonly number: number;
  readonly password: string;
  readonly stored: string | null;
  readonly settings: HashSettings;
}

export type HashAnswer =
  | { readonly number: number; readonly result: string | boolean; readonly fault: null }
  | { readonly number: number; readonly result: null; readonly fault: unknown };

type HashWork = Omit<HashOrder, 'number'>;

/**
 * Threads that only hash passwords. Each has one order in advance, so that it never waits for the event loop. They
 * start when they are needed.
 */
export class HashingThreads {
  /** The number of orders that keeps all threads busy. */
  readonly room: number;
  readonly #threads: readonly HashingThread[];
  #isClosed = false;

  constructor(count: number) {
    this.#threads = Array.from({ length: count }, () => new HashingThread());
    this.room = 2 * count;
  }

  /** Rejects with the error of the hash, or when the threads are closed. */
  async do(work: HashWork): Promise<string | boolean> {
    const [first, ...others] = this.#isClosed ? [] : this.#threads;
    if (first === undefined) throw new Error('There is no thread to hash on');
    return others.reduce((least, each) => (each.load < least.load ? each : least), first).do(work);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}

/** Not started → (an order) → running → (closed, or a fault) → not started. */
class HashingThread {
  readonly #inHand = new Map<number, PromiseWithResolvers<string | boolean>>();
  #worker: Worker | null = null;
  #count = 0;

  get load(): number {
    return this.#inHand.size;
  }

  do(work: HashWork): Promise<string | boolean> {
    this.#worker ??= this.#start();
    const number = ++this.#count;
    const answer = Promise.withResolvers<string | boolean>();
    this.#inHand.set(number, answer);
    this.#worker.ref();
    this.#worker.postMessage({ number, ...work } satisfies HashOrder);
    return answer.promise;
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(new URL('./hashing-thread-main.ts', import.meta.url));
    worker.on('message', (answer: HashAnswer) => this.#settle(worker, answer));
    worker.on('error', (fault) => this.#end(worker, fault));
    worker.on('exit', () => this.#end(worker, new Error('A thread that hashes passwords has ended')));
    return worker;
  }

  #settle(worker: Worker, { number, result, fault }: HashAnswer): void {
    const answer = this.#inHand.get(number);
    this.#inHand.delete(number);
    if (this.#inHand.size === 0) worker.unref();
    if (result === null) answer?.reject(fault);
    else answer?.resolve(result);
  }

  #end(worker: Worker, fault: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    for (const answer of this.#inHand.values()) answer.reject(fault);
    this.#inHand.clear();
  }
}
