import { Worker } from 'node:worker_threads';
import { type DeclarationFault, type DeclaredPattern, patternFault, tooComplex } from '@tickrate/events';
import { createProjectQueue } from './project-queue.ts';

/** The patterns of one declaration to weigh. */
export type WeighOrder = readonly { readonly pointer: string; readonly source: string }[];

export type WeighAnswer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'at'; readonly pointer: string }
  | { readonly kind: 'done'; readonly faults: readonly DeclarationFault[] };

export interface WeighingThread {
  /**
   * Resolves with the faults of these patterns, without blocking the event loop. A pattern that exceeds the deadline or
   * the memory of a thread is a fault. It weighs one declaration at a time, round-robin over the projects. Rejects with
   * `rateLimited` if too many declarations of the project wait.
   */
  weigh(projectId: string, patterns: readonly DeclaredPattern[]): Promise<readonly DeclarationFault[]>;
  close(): Promise<void>;
}

export interface WeighingOptions {
  readonly deadlineMs?: number;
  readonly memoryMb?: number;
}

/** The limit of waiting declarations of one project. */
const waitingAtMost = 8;

/** Starts its thread when it is first needed, and a new one after a thread was ended. */
export function createWeighingThread({
  deadlineMs = 10_000,
  memoryMb = 256,
}: WeighingOptions = {}): WeighingThread {
  let worker: Worker | null = null;
  const queue = createProjectQueue(waitingAtMost);
  let isClosed = false;

  async function weighNow(order: WeighOrder): Promise<readonly DeclarationFault[]> {
    if (isClosed) throw new Error('The registry is closed');
    worker ??= startWorker(memoryMb);
    const [current, at] = [worker, { pointer: order[0]?.pointer ?? '' }];
    const outcome = await outcomeOf(current, { order, at, deadlineMs });
    if (outcome !== 'ended') return outcome;
    worker = null;
    await current.terminate();
    return [patternFault(at.pointer, tooComplex)];
  }

  return {
    weigh(projectId, patterns) {
      if (patterns.length === 0) return Promise.resolve([]);
      const order = patterns.map(({ pointer, pattern }) => ({ pointer, source: pattern.source }));
      return queue.run(projectId, () => weighNow(order));
    },
    async close() {
      isClosed = true;
      await worker?.terminate();
    },
  };
}

function startWorker(memoryMb: number): Worker {
  const worker = new Worker(new URL('./weighing-thread-main.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  worker.unref();
  return worker;
}

interface Weighing {
  readonly order: WeighOrder;
  readonly at: { pointer: string };
  readonly deadlineMs: number;
}

/** The deadline starts when the thread has started. */
function outcomeOf(
  worker: Worker,
  { order, at, deadlineMs }: Weighing,
): Promise<readonly DeclarationFault[] | 'ended'> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly DeclarationFault[] | 'ended'>();
  let timer: NodeJS.Timeout | undefined;
  const onMessage = (answer: WeighAnswer) => {
    timer ??= setTimeout(() => resolve('ended'), deadlineMs);
    if (answer.kind === 'at') at.pointer = answer.pointer;
    if (answer.kind === 'done') resolve(answer.faults);
  };
  const onError = (error: Error & { readonly code?: string }) => {
    if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') resolve('ended');
    else reject(error);
  };
  const onExit = () => resolve('ended');
  worker.on('message', onMessage).on('error', onError).on('exit', onExit);
  worker.ref();
  worker.postMessage(order);
  return promise.finally(() => {
    clearTimeout(timer);
    worker.off('message', onMessage).off('error', onError).off('exit', onExit);
    worker.unref();
  });
}
