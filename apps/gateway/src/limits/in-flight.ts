export interface InFlightOptions {
  /** Of all projects together, at this moment. */
  readonly limitBytes: () => number;
  /** The cost of a request in addition to its body. */
  readonly requestBytes?: number;
  readonly onReleased?: (bytes: number) => void;
}

/** How many times the free bytes a project may use: four fifths alone, four ninths each of two, and so on. */
const shareOfFree = 4;

/** Limits the bytes of bodies that wait to become durable. */
export type InFlight = ReturnType<typeof createInFlight>;

/**
 * A project may use four times the free bytes. So one project alone uses nearly all, several share evenly, and a
 * project that uses nothing yet always gets some.
 */
export function createInFlight({
  limitBytes,
  requestBytes = 1_024,
  onReleased = () => undefined,
}: InFlightOptions) {
  const heldBy = new Map<string, number>();
  let held = 0;

  function fits(projectId: string, bytes: number): boolean {
    // A single body is always accepted if nothing else is in flight, even with a small budget.
    if (held === 0) return true;
    const free = limitBytes() - held - bytes;
    const ofProject = heldBy.get(projectId) ?? 0;
    // The first body of a project is accepted wherever it fits.
    return free >= 0 && (ofProject === 0 || ofProject + bytes <= shareOfFree * free);
  }

  function take(projectId: string, bytes: number): void {
    held += bytes;
    const left = (heldBy.get(projectId) ?? 0) + bytes;
    if (left > 0) heldBy.set(projectId, left);
    else heldBy.delete(projectId);
  }

  return {
    /** Whether `reserve` would succeed now: called before a body is read. */
    wouldFit: (projectId: string, bodyBytes: number) => fits(projectId, bodyBytes + requestBytes),
    /**
     * Returns the function that releases the bytes, which works once; null if the budget or the project's share is used
     * up: reject the request.
     */
    reserve(projectId: string, bodyBytes: number): (() => void) | null {
      const bytes = bodyBytes + requestBytes;
      if (!fits(projectId, bytes)) return null;
      take(projectId, bytes);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        take(projectId, -bytes);
        onReleased(bytes);
      };
    },
    bytes: () => held,
  };
}

const memoryMs = 1_000;

/**
 * The budget is what the gateway completes in `delayMs` at the speed of the last second. More in flight would only wait
 * longer, so it is rejected while this is cheap. Short bursts pass: the limit applies only when this much is waiting.
 */
export function createDelayBudget(options: {
  readonly maxBytes: number;
  /** Always accepted, at any speed: after an idle time there is no measurement. */
  readonly fewestBytes: number;
  readonly delayMs: number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}) {
  const { maxBytes, fewestBytes, delayMs, now } = options;
  let recentBytes = 0;
  let atMs = now();

  function decayed(): number {
    return recentBytes * Math.exp((atMs - now()) / memoryMs);
  }

  return {
    limitBytes: () => Math.min(maxBytes, Math.max(fewestBytes, (decayed() * delayMs) / memoryMs)),
    /** This many bytes became durable, or were given up. */
    done(bytes: number) {
      recentBytes = decayed() + bytes;
      atMs = now();
    },
  };
}

/** The time in which everything in flight is completed: an accepted request is answered well within a second. */
const delayMs = 250;
const fewestBytes = 4 * 1024 ** 2;
/**
 * Little, so that an event of each of some thousand connections fits: all that arrive in one round of the event loop are in
 * flight together, however fast the queue is.
 */
const requestBytes = 256;

/** `now` returns monotonic milliseconds. */
export function createInFlightBudget(maxBytes: number, now: () => number): InFlight {
  const budget = createDelayBudget({ maxBytes, fewestBytes: Math.min(maxBytes, fewestBytes), delayMs, now });
  return createInFlight({ limitBytes: budget.limitBytes, requestBytes, onReleased: budget.done });
}
