import { systemError } from '@tickrate/contract';

interface Waiting {
  readonly start: () => void;
}

/**
 * Runs one task at a time. The next task belongs to the project that has waited longest, so a project with many tasks
 * delays only itself. Rejects a task with `rateLimited` if `most` tasks of its project wait.
 */
export function createProjectQueue(most: number) {
  const waiting = new Map<string, Waiting[]>();
  let isBusy = false;

  function startNext(): void {
    const [next] = waiting;
    if (next === undefined) {
      isBusy = false;
      return;
    }
    const [projectId, queue] = next;
    const first = queue.shift();
    // The project goes to the end of the queue.
    waiting.delete(projectId);
    if (queue.length > 0) waiting.set(projectId, queue);
    first?.start();
  }

  return {
    async run<T>(projectId: string, work: () => Promise<T>): Promise<T> {
      if (isBusy) {
        const queue = waiting.get(projectId) ?? [];
        if (queue.length >= most) throw systemError('rateLimited', { retryAfterSeconds: 5 });
        waiting.set(projectId, queue);
        await new Promise<void>((start) => queue.push({ start }));
      }
      isBusy = true;
      try {
        return await work();
      } finally {
        startNext();
      }
    },
  };
}
