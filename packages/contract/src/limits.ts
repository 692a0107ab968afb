const KiB = 1024;
const MiB = 1024 * KiB;

/** The limits of the wire that every client can rely on; rates are configuration, these are not. */
export const limits = {
  sessionBodyBytes: 64 * KiB,
  eventBodyBytes: 8 * MiB,
  singleEventBodyBytes: MiB,
  eventBytes: 64 * KiB,
  batchEvents: 10_000,
  jsonDepth: 32,
  reportedFaults: 100,
  idempotencyKeyCharacters: 200,
  occurredPastMs: 30 * 24 * 3600 * 1000,
  occurredFutureMs: 5 * 60 * 1000,
  retryAfterSecondsAtMost: 60,
} as const;
