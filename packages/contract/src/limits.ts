const KiB = 1024;
const MiB = 1024 * KiB;

/** The limits of the wire that every client can rely on; rates are configuration, these are not. */
export const limits = {
  sessionBodyBytes: 64 * KiB,
  eventBodyBytes: 8 * MiB,
  singleEventBodyBytes: MiB,
  eventBytes: 64 * KiB,
  /** Of the row that an event is stored as: lists of small records can take far more room than their text. */
  storedEventBytes: 512 * KiB,
  /** Of the rows of one request. */
  storedBodyBytes: 32 * MiB,
  batchEvents: 10_000,
  /** Different types (and versions of them) that one multiInsert may name. */
  batchTypes: 200,
  jsonDepth: 32,
  reportedFaults: 100,
  idempotencyKeyCharacters: 200,
  /** What can be asked for; fewer are ever declared. */
  eventTypeVersion: 99_999,
  eventTypeCharacters: 128,
  occurredPastMs: 30 * 24 * 3600 * 1000,
  occurredFutureMs: 5 * 60 * 1000,
  retryAfterSecondsAtMost: 60,
} as const;
