import type { Queryable } from '@tickrate/postgres';

export interface KeyUsage {
  /** Does no I/O. */
  note(keyId: string): void;
  /** Writes the recorded uses. Failed writes are kept for the next call. */
  flush(): Promise<void>;
}

const minuteMs = 60_000;

// Skip locked rows: another process is writing the same minute. Two processes never wait for each other.
const writeLastUsed = `
WITH due AS (
  SELECT k.id, u.used
  FROM unnest($1::uuid[], $2::timestamptz[]) AS u (id, used) JOIN registry.keys k ON k.id = u.id
  WHERE k.last_used IS NULL OR k.last_used < u.used
  FOR UPDATE OF k SKIP LOCKED
)
UPDATE registry.keys SET last_used = due.used FROM due WHERE keys.id = due.id`;

/** Records the last use of each key, to the minute. */
export function createKeyUsage(db: Queryable, now: () => number): KeyUsage {
  const written = new Map<string, number>();
  let noted = new Map<string, number>();
  let writtenMinute = 0;

  return {
    note(keyId) {
      const minute = Math.floor(now() / minuteMs);
      if (minute !== writtenMinute) {
        writtenMinute = minute;
        written.clear();
      }
      if (written.get(keyId) !== minute) noted.set(keyId, minute);
    },
    async flush() {
      if (noted.size === 0) return;
      const batch = noted;
      noted = new Map();
      try {
        const times = Array.from(batch.values(), (minute) => new Date(minute * minuteMs));
        await db.query(writeLastUsed, [[...batch.keys()], times]);
        for (const [keyId, minute] of batch) written.set(keyId, minute);
      } catch (error) {
        for (const [keyId, minute] of batch) if (!noted.has(keyId)) noted.set(keyId, minute);
        throw error;
      }
    },
  };
}
