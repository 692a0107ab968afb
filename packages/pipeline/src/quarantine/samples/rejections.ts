import type { EventSender } from '@tickrate/events';
import type { Queryable } from '@tickrate/postgres';

/** Events of one kind that were rejected since the previous flush. */
export interface RejectionCount {
  readonly projectId: string;
  /** '' if the event names no type. */
  readonly type: string;
  /** 0 if there is none. */
  readonly version: number;
  readonly reason: string;
  readonly events: number;
  readonly firstMs: number;
  readonly lastMs: number;
}

/** The sender of a rejected event, and its times. */
export interface RejectedOrigin extends EventSender {
  readonly keyId: string;
  readonly requestId: string;
  readonly eventId: string | null;
  readonly receivedMs: number;
  readonly occurredMs: number | null;
}

/** One rejected event as it was sent, and its sender. */
export interface RejectedSample extends RejectedOrigin {
  /** UUIDv7. */
  readonly id: string;
  readonly projectId: string;
  readonly type: string;
  readonly version: number;
  readonly versionNamed: boolean;
  readonly reason: string;
  /** A JSON pointer in `raw`. */
  readonly pointer: string;
  readonly message: string;
  readonly form: RejectedForm;
  readonly raw: Uint8Array;
  /** The size of the sent event. `raw` is shorter if only its beginning is kept. */
  readonly bytes: number;
  readonly skewMs: number;
}

/** The kept part: an event, a whole element of a multiInsert, or a body in which no event could be found. */
export type RejectedForm = 'event' | 'element' | 'body';

export interface RejectionFlush {
  readonly producer: string;
  /** Grows with every flush of a producer. A repeated flush counts once. */
  readonly number: number;
  readonly counts: readonly RejectionCount[];
  readonly samples: readonly RejectedSample[];
}

/** The limit of counted kinds (type, version, reason) of one project, because clients can invent names. */
const mostKinds = 500;

/** Counts the events and keeps the samples. Resolves with the number of samples that were kept. */
export async function keepRejections(db: Queryable, flush: RejectionFlush): Promise<number> {
  const rows = await db.query<{ kept: number }>(
    'SELECT delivery.keep_rejections($1, $2, $3, $4, $5, $6) AS kept',
    [
      flush.producer,
      flush.number,
      JSON.stringify(flush.counts.map(rowOf)),
      JSON.stringify(flush.samples.map(({ raw: _raw, ...sample }) => rowOf(sample))),
      flush.samples.map((sample) => Buffer.from(sample.raw)),
      mostKinds,
    ],
  );
  return rows[0]?.kept ?? 0;
}

/** The members as columns of PostgreSQL. */
function rowOf({ projectId, ...members }: RejectionCount | Omit<RejectedSample, 'raw'>) {
  const columns = Object.entries(members).map(([name, value]) => [
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    typeof value === 'string' ? storable(value) : value,
  ]);
  return { project: projectId, ...Object.fromEntries(columns) };
}

const mostCharacters = 512;

/** Clients choose names and pointers. Postgres accepts no NUL and no half of a surrogate pair. */
function storable(text: string): string {
  return text.slice(0, mostCharacters).replaceAll('\0', '\ufffd').toWellFormed();
}
