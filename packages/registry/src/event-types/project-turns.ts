import { systemError } from '@tickrate/contract';

interface Turn {
  readonly start: () => void;
}

/**
 * Runs one work at a time. Projects take turns, so that one that asks much delays itself; of a project that has `most`
 * works waiting, one more is rejected as too many requests.
 */
export function createProjectTurns(most: number) {
  const waiting = new Map<string, Turn[]>();
  let isBusy = false;

  function startNext(): void {
    const [next] = waiting;
    if (next === undefined) {
      isBusy = false;
      return;
    }
    const [projectId, turns] = next;
    const turn = turns.shift();
    // To the end of the line.
    waiting.delete(projectId);
    if (turns.length > 0) waiting.set(projectId, turns);
    turn?.start();
  }

  return {
    async run<T>(projectId: string, work: () => Promise<T>): Promise<T> {
      if (isBusy) {
        const turns = waiting.get(projectId) ?? [];
        if (turns.length >= most) throw systemError('rateLimited', { retryAfterSeconds: 5 });
        waiting.set(projectId, turns);
        await new Promise<void>((start) => turns.push({ start }));
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
