import { type Backoff, createBackoff, RecentMap } from '@tickrate/platform';

/**
 * Prevents calls to an endpoint that is down. Its states: closed → (failures in a row) → open → (time) → trying, where
 * one call is allowed: it fails → open for twice as long; it succeeds → closed.
 */
export interface CircuitBreaker {
  /** How long not to call; 0 if a call is allowed. The caller must report the result of an allowed call. */
  waitMs(endpoint: string): number;
  succeeded(endpoint: string): void;
  failed(endpoint: string): void;
}

interface Circuit {
  failures: number;
  openUntilMs: number;
  readonly openTimes: Backoff;
  trying: boolean;
}

const failuresInARow = 5;
const openTimes = { firstMs: 5_000, longestMs: 60_000 } as const;
// If a trial is never reported, the others wait only this long.
const trialMs = 10_000;
const mostEndpoints = 1_000;

export function createCircuitBreaker(now: () => number): CircuitBreaker {
  const circuits = new RecentMap<string, Circuit>(mostEndpoints);
  return {
    waitMs(endpoint) {
      const circuit = circuits.get(endpoint);
      if (circuit === undefined || circuit.failures < failuresInARow) return 0;
      const waitMs = circuit.openUntilMs - now();
      if (waitMs > 0) return waitMs;
      circuit.trying = true;
      circuit.openUntilMs = now() + trialMs;
      return 0;
    },
    succeeded(endpoint) {
      circuits.delete(endpoint);
    },
    failed(endpoint) {
      const circuit = circuits.get(endpoint) ?? {
        failures: 0,
        openUntilMs: 0,
        openTimes: createBackoff(openTimes),
        trying: false,
      };
      circuit.failures += 1;
      // Calls in progress fail too when the circuit opens; their failures are not counted.
      if (circuit.failures === failuresInARow || circuit.trying) {
        circuit.trying = false;
        circuit.openUntilMs = now() + circuit.openTimes.next();
      }
      circuits.set(endpoint, circuit);
    },
  };
}
