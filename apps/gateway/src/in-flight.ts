/** Bounds the bytes of bodies that are being read or wait to become durable. */
export interface InFlight {
  /** False when there is no room: refuse the request. Otherwise `release` gives the room back, once. */
  reserve(bytes: number): { release(): void } | null;
  bytes(): number;
}

export function createInFlight(maxBytes: number): InFlight {
  let held = 0;
  return {
    reserve(bytes) {
      // A single body is always taken when nothing else is held, however small the bound.
      if (held > 0 && held + bytes > maxBytes) return null;
      held += bytes;
      let released = false;
      return {
        release() {
          if (released) return;
          released = true;
          held -= bytes;
        },
      };
    },
    bytes: () => held,
  };
}
