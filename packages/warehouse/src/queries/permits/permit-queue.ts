/** A place in the queue for a permit. */
interface Waiter<Permit> {
  readonly owner: string;
  /** Null means that the request is refused. */
  readonly settle: (permit: Permit | null) => void;
}

export interface PermitRequest {
  readonly owner: string;
  readonly projectId: string;
}

export interface PermitQueueOptions<Permit> {
  /** Null while there is no permit for this owner. */
  readonly acquire: (who: PermitRequest) => Permit | null;
  readonly waitMs: number;
  /** Per project. A further request is refused at once. */
  readonly mostWaiting: number;
}

export interface PermitQueue<Permit> {
  /** Resolves to null if no permit came free in time. Rejects with the reason of the signal. */
  acquire(who: PermitRequest, signal?: AbortSignal): Promise<Permit | null>;
  /** Call it after a permit was freed. */
  serve(): void;
}

/** Requests of one project are served in their order, and projects round-robin. */
export function createPermitQueue<Permit>(options: PermitQueueOptions<Permit>): PermitQueue<Permit> {
  const { waitMs, mostWaiting } = options;
  /** In the order in which projects are served. */
  const waiting = new Map<string, Waiter<Permit>[]>();

  function serveNext(): boolean {
    for (const [projectId, [first, ...others]] of waiting) {
      const permit = first === undefined ? null : options.acquire({ owner: first.owner, projectId });
      if (first === undefined || permit === null) continue;
      waiting.delete(projectId);
      if (others.length > 0) waiting.set(projectId, others);
      first.settle(permit);
      return true;
    }
    return false;
  }

  function leave(projectId: string, waiter: Waiter<Permit>): void {
    const left = (waiting.get(projectId) ?? []).filter((each) => each !== waiter);
    if (left.length > 0) waiting.set(projectId, left);
    else waiting.delete(projectId);
  }

  function join(
    { owner, projectId }: PermitRequest,
    signal: AbortSignal | undefined,
  ): Promise<Permit | null> {
    const { promise, resolve, reject } = Promise.withResolvers<Permit | null>();
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      leave(projectId, waiter);
    };
    const waiter: Waiter<Permit> = {
      owner,
      settle(permit) {
        end();
        resolve(permit);
      },
    };
    const onAbort = () => {
      end();
      reject(signal?.reason);
    };
    const timer = setTimeout(() => waiter.settle(null), waitMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    waiting.set(projectId, [...(waiting.get(projectId) ?? []), waiter]);
    return promise;
  }

  return {
    async acquire(who, signal) {
      signal?.throwIfAborted();
      const before = waiting.get(who.projectId) ?? [];
      const permit = before.length > 0 ? null : options.acquire(who);
      if (permit !== null || waitMs === 0 || before.length >= mostWaiting) return permit;
      return join(who, signal);
    },
    serve() {
      while (serveNext());
    },
  };
}
