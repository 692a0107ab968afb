import { createSemaphore, type Semaphore } from './semaphore.ts';

/** Runs one work at a time, in the order in which they came. A failed work releases the lock. */
export type Lock = Pick<Semaphore, 'run'>;

export function createLock(): Lock {
  return createSemaphore({ permits: 1 });
}

/** One lock for each key: works of one key run one at a time, works of different keys side by side. */
export interface KeyedLock {
  /** Settles as the work does. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** How many keys have works that run or wait. A key without any takes no memory. */
  readonly size: () => number;
}

export function createKeyedLock(): KeyedLock {
  const locks = new Map<string, { readonly lock: Lock; works: number }>();
  return {
    async run(key, work) {
      const used = locks.get(key) ?? { lock: createLock(), works: 0 };
      locks.set(key, used);
      used.works += 1;
      try {
        return await used.lock.run(work);
      } finally {
        used.works -= 1;
        if (used.works === 0) locks.delete(key);
      }
    },
    size: () => locks.size,
  };
}
