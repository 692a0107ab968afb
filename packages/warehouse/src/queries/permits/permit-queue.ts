/** A place in the queue for a permit. */
interface Waiter<Permit> {
  readonly who: PermitRequest;
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
  /** In each line. A further request is refused at once. */
  readonly mostWaiting: number;
}

export interface PermitQueue<Permit> {
  /** Resolves to null if no permit came free in time. Rejects with the reason of the signal. */
  acquire(who: PermitRequest, signal?: AbortSignal): Promise<Permit | null>;
  /** Call it after a permit was freed. */
  serve(): void;
}

/**
 * Requests of one owner in one project wait in one line, and lines are served round-robin. The links of a project have an
 * owner of their own, so they and the project's own queries never wait for each other.
 */
export function createPermitQueue<Permit>(options: PermitQueueOptions<Permit>): PermitQueue<Permit> {
  const { waitMs, mostWaiting } = options;
  /** In the order in which lines are served. */
  const waiting = new Map<string, Waiter<Permit>[]>();

  function serveNext(): boolean {
    for (const [line, [first, ...others]] of waiting) {
      const permit = first === undefined ? null : options.acquire(first.who);
      if (first === undefined || permit === null) continue;
      waiting.delete(line);
      if (others.length > 0) waiting.set(line, others);
      first.settle(permit);
      return true;
    }
    return false;
  }

  function leave(line: string, waiter: Waiter<Permit>): void {
    const left = (waiting.get(line) ?? []).filter((each) => each !== waiter);
    if (left.length > 0) waiting.set(line, left);
    else waiting.delete(line);
  }

  function join(who: PermitRequest, signal: AbortSignal | undefined): Promise<Permit | null> {
    const line = lineOf(who);
    const { promise, resolve, reject } = Promise.withResolvers<Permit | null>();
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      leave(line, waiter);
    };
    const waiter: Waiter<Permit> = {
      who,
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
    waiting.set(line, [...(waiting.get(line) ?? []), waiter]);
    return promise;
  }

  return {
    async acquire(who, signal) {
      signal?.throwIfAborted();
      const before = waiting.get(lineOf(who)) ?? [];
      const permit = before.length > 0 ? null : options.acquire(who);
      if (permit !== null || waitMs === 0 || before.length >= mostWaiting) return permit;
      return join(who, signal);
    },
    serve() {
      while (serveNext());
    },
  };
}

function lineOf({ owner, projectId }: PermitRequest): string {
  return `${owner} ${projectId}`;
}
