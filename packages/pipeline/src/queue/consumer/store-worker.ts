import { sleep } from '@tickrate/platform';
import type { Lane } from '../stores/lane.ts';
import { keepOpening } from '../stores/open-stores.ts';
import type { ProcessJob, QueueStore, QueueWorker, WorkerSettings } from '../stores/queue-store.ts';
import { confirmWithin } from '../stores/queue-unavailable.ts';

const recoverMs = 2_000;
/** The time limit for the connections of a worker while the store answers. */
const readyMs = 2_000;

export interface StoreWorkerOptions {
  readonly store: QueueStore;
  /** How to process the jobs of the queue at this place of the store's list. */
  readonly queueAt: (place: number) => WorkedQueue;
  readonly settings: Omit<WorkerSettings, 'concurrency'>;
  readonly onFault: (fault: unknown) => void;
  readonly onRedelivery: (jobIds: readonly string[]) => void;
}

export interface WorkedQueue {
  readonly lane: Lane;
  readonly process: ProcessJob;
  readonly concurrency: number;
}

interface Employed {
  readonly queueName: string;
  readonly place: number;
  readonly lane: Lane;
  readonly worker: QueueWorker;
  isReady: boolean;
}

/**
 * The workers for all queues of one store. States: opening → taking ⇄ held (each lane by its owner) or away (the
 * store does not answer) → closed.
 */
export class StoreWorker {
  readonly #options: StoreWorkerOptions;
  readonly #stopping = new AbortController();
  #workers: Employed[] = [];
  #opening: Promise<void> = Promise.resolve();
  #tending: Promise<void> = Promise.resolve();
  #away = true;
  readonly #held = new Set<Lane>();

  constructor(options: StoreWorkerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#opening = this.#open();
  }

  healthy(): boolean {
    return !this.#away;
  }

  async hold(lanes: readonly Lane[]): Promise<void> {
    for (const lane of lanes) this.#held.add(lane);
    await this.#pause(({ lane }) => this.#held.has(lane));
  }

  async release(lanes: readonly Lane[]): Promise<void> {
    for (const lane of lanes) this.#held.delete(lane);
    await this.#resume();
  }

  /** Resolves when the jobs in progress are done. BullMQ's close has no deadline, so the caller must have one. */
  async close(): Promise<void> {
    this.#stopping.abort();
    await Promise.allSettled([this.#opening]);
    await Promise.allSettled([this.#tending, ...this.#workers.map(({ worker }) => worker.close())]);
  }

  async #open(): Promise<void> {
    const { store, onFault } = this.#options;
    await keepOpening(store, this.#stopping.signal, onFault);
    if (this.#stopping.signal.aborted) return;
    this.#away = false;
    this.#workers = store.queueNames.map((queueName, place) => this.#employ({ queueName, place }));
    await this.#pause(({ lane }) => this.#held.has(lane));
    this.#tending = this.#tend();
  }

  #employ({ queueName, place }: Pick<Employed, 'queueName' | 'place'>): Employed {
    const { store, queueAt, settings, onRedelivery } = this.#options;
    const { lane, process, concurrency } = queueAt(place);
    const worker = store.createWorker(queueName, process, { ...settings, concurrency });
    worker.on('error', (fault) => void this.#rest(worker, fault));
    worker.on('stalled', (jobId) => onRedelivery([jobId]));
    worker.on('lockRenewalFailed', onRedelivery);
    const employed = { queueName, place, lane, worker, isReady: false };
    const ready = () => {
      employed.isReady = true;
    };
    worker.waitUntilReady().then(ready, () => undefined);
    return employed;
  }

  /**
   * Replaces workers without a connection: BullMQ never repeats a first connection that failed, so such a worker
   * receives no jobs.
   */
  async #replaceUnready(): Promise<void> {
    const waiting = Promise.allSettled(this.#workers.map(({ worker }) => worker.waitUntilReady()));
    await confirmWithin(waiting, readyMs, 'connecting the workers').catch(this.#options.onFault);
    if (this.#stopping.signal.aborted) return;
    this.#workers = this.#workers.map((each) => {
      if (each.isReady) return each;
      // The lock of its job expires, so the job is delivered again.
      each.worker.close(true).catch(this.#options.onFault);
      return this.#employ(each);
    });
    await this.#pause(({ lane }) => this.#held.has(lane));
  }

  async #tend(): Promise<void> {
    const { store, settings, onFault, onRedelivery } = this.#options;
    const { stalledInterval, lockDuration } = settings;
    while (!this.#stopping.signal.aborted) {
      if (!this.#away) {
        await this.#replaceUnready();
        const recovering = store.recover(lockDuration).then((ids) => ids.length > 0 && onRedelivery(ids));
        await confirmWithin(recovering, recoverMs, 'recovering jobs').catch(onFault);
      }
      await sleep(stalledInterval, this.#stopping.signal);
    }
  }

  /**
   * Pauses the workers until the store answers, because BullMQ's loop repeats without a pause after every error except
   * a refused connection. That loop may block all other work of the process. So each worker is paused inside its own
   * error, even if the others are paused already.
   */
  async #rest(worker: QueueWorker, fault: Error): Promise<void> {
    if (isAboutOneJob(fault)) return;
    this.#options.onFault(fault);
    await worker.pause(true);
    if (this.#away || this.#stopping.signal.aborted) return;
    this.#away = true;
    await this.#pause(() => true);
    do await sleep(500, this.#stopping.signal);
    while (!this.#stopping.signal.aborted && !(await answers(this.#options.store)));
    await this.#replaceUnready();
    this.#away = false;
    await this.#resume();
  }

  async #pause(which: (each: { readonly lane: Lane }) => boolean): Promise<void> {
    await Promise.all(this.#workers.filter(which).map(({ worker }) => worker.pause(true)));
  }

  async #resume(): Promise<void> {
    if (this.#away || this.#stopping.signal.aborted) return;
    const free = this.#workers.filter(({ lane }) => !this.#held.has(lane));
    await Promise.all(free.map(({ worker }) => worker.resume()));
  }
}

/** BullMQ's faults of a single job have a number: the job or its lock is gone. Then the job is only delivered again. */
function isAboutOneJob(fault: Error): boolean {
  const { code } = fault as { code?: unknown };
  return typeof code === 'number' || fault.message.startsWith('could not renew lock');
}

async function answers(store: QueueStore): Promise<boolean> {
  return store.ping().then(
    () => true,
    () => false,
  );
}
