import { parentPort } from 'node:worker_threads';
import { createPattern, weighPatterns } from '@tickrate/events';
import type { WeighAnswer, WeighOrder } from './weighing-thread.ts';

/** A thread that weighs the patterns of declarations, one declaration at a time. */
parentPort?.on('message', (order: WeighOrder) => {
  post({ kind: 'ready' });
  const patterns = order.map(({ pointer, source }) => ({ pointer, pattern: createPattern(source) }));
  post({ kind: 'done', faults: weighPatterns(patterns, (pointer) => post({ kind: 'at', pointer })) });
});

function post(answer: WeighAnswer): void {
  parentPort?.postMessage(answer);
}
