/** Bounds the bytes of bodies that wait to become durable. */
export interface InFlight {
  /** Whether `reserve` would succeed now: asked before a body is read. */
  hasRoom(projectId: string, bytes: number): boolean;
  /** Returns what gives it back, once; null when there is no room, or the project has its share: refuse the request. */
  reserve(projectId: string, bytes: number): (() => void) | null;
  bytes(): number;
}

export interface InFlightOptions {
  /** Of all projects together, at this moment. */
  readonly limitBytes: () => number;
  /** What a request counts beside its body. */
  readonly requestBytes?: number;
  readonly onReleased?: (bytes: number) => void;
}

/** How many times what is free a project may hold: four fifths alone, four ninths each of two, and so on. */
const shareOfFree = 4;

/**
 * A project may hold four times what is still free. So one alone uses nearly all, several share evenly, and there is
 * always room for one that holds nothing yet.
 */
export function createInFlight({
  limitBytes,
  requestBytes = 1_024,
  onReleased = () => undefined,
}: InFlightOptions): InFlight {
  const heldBy = new Map<string, number>();
  let held = 0;

  function fits(projectId: string, bytes: number): boolean {
    // A single body is always taken when nothing else is held, however small the bound.
    if (held === 0) return true;
    const free = limitBytes() - held - bytes;
    const ofProject = heldBy.get(projectId) ?? 0;
    // The first one of a project is taken wherever it fits.
    return free >= 0 && (ofProject === 0 || ofProject + bytes <= shareOfFree * free);
  }

  function take(projectId: string, bytes: number): void {
    held += bytes;
    const left = (heldBy.get(projectId) ?? 0) + bytes;
    if (left > 0) heldBy.set(projectId, left);
    else heldBy.delete(projectId);
  }

  return {
    hasRoom: (projectId, bodyBytes) => fits(projectId, bodyBytes + requestBytes),
    reserve(projectId, bodyBytes) {
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
