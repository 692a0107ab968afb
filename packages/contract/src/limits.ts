const KiB = 1024;
const MiB = 1024 * KiB;

/** Fixed limits of the API that every client can rely on. Rates are configurable and are not listed here. */
export const limits = {
  sessionBodyBytes: 64 * KiB,
  eventBodyBytes: 8 * MiB,
  singleEventBodyBytes: MiB,
  eventBytes: 64 * KiB,
  /** Limit of the stored row of an event. Lists of small records can need far more bytes than their JSON text. */
  storedEventBytes: 512 * KiB,
  /** Limit of all rows of one request. */
  storedBodyBytes: 32 * MiB,
  batchEvents: 10_000,
  /** Limit of different types, and versions of them, in one multiInsert. */
  batchTypes: 200,
  jsonDepth: 32,
  reportedFaults: 100,
  idempotencyKeyCharacters: 200,
  /** The highest version that a request can name. Declarations always have fewer versions. */
  eventTypeVersion: 99_999,
  eventTypeCharacters: 128,
  occurredPastMs: 30 * 24 * 3600 * 1000,
  occurredFutureMs: 5 * 60 * 1000,
  /** How long a session's key may send events after the session ended or expired. */
  lateEventsMs: 30 * 24 * 3600 * 1000,
  retryAfterSecondsAtMost: 60,
} as const;
