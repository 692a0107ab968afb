import { hex } from './checksum.ts';

/** What a client needs of the place where it runs. Tests pass their own clocks and randomness. */
export interface Platform {
  /** Milliseconds since 1970, as the user's clock shows them. */
  readonly wallMs: () => number;
  /** Milliseconds that only advance. */
  readonly monotonicMs: () => number;
  readonly random: () => number;
  /** So many bytes of secure randomness, as hex. */
  readonly randomHex: (bytes: number) => string;
  readonly fetch: typeof fetch;
}

export function systemPlatform(): Platform {
  return {
    wallMs: Date.now,
    monotonicMs: () => performance.now(),
    random: Math.random,
    randomHex: (bytes) =>
      Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => hex(byte, 2)).join(''),
    fetch: (...args) => fetch(...args),
  };
}
