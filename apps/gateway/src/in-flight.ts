/** Bounds the bytes of bodies that are being read or wait to become durable. */
export interface InFlight {
  /** Null when there is no room: refuse the request. */
  reserve(bytes: number): Room | null;
  bytes(): number;
}

/** What one request holds. */
export interface Room {
  /** Makes it at least so large. False when there is no room for that; what was held is held on. */
  growTo(bytes: number): boolean;
  /** Gives all of it back, once. */
  release(): void;
}

export function createInFlight(maxBytes: number): InFlight {
  let held = 0;

  function take(bytes: number, own: number): boolean {
    // A single body is always taken when nothing else is held, however small the bound.
    if (held > own && held + bytes > maxBytes) return false;
    held += bytes;
    return true;
  }

  return {
    reserve(bytes) {
      if (!take(bytes, 0)) return null;
      let own = bytes;
      return {
        growTo(total) {
          if (total <= own) return true;
          if (!take(total - own, own)) return false;
          own = total;
          return true;
        },
        release() {
          held -= own;
          own = 0;
        },
      };
    },
    bytes: () => held,
  };
}
