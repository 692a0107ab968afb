import { parentPort } from 'node:worker_threads';
import { hashSync, verifySync } from '@node-rs/argon2';
import type { HashAnswer, HashOrder } from './hashing-threads.ts';

/** A thread that hashes passwords, one after the other. */
parentPort?.on('message', ({ number, ...order }: HashOrder) => {
  parentPort?.postMessage(answerTo(number, order));
});

function answerTo(number: number, order: Omit<HashOrder, 'number'>): HashAnswer {
  try {
    const { password, stored, settings } = order;
    const result = stored === null ? hashSync(password, settings) : verifySync(stored, password);
    return { number, result, fault: null };
  } catch (fault) {
    return { number, result: null, fault };
  }
}
