import type { Queryable } from '@tickrate/postgres';
import { type DecodedRows, deadEvent, decodeDeadRows } from './dead-rows.ts';
import {
  type BriefRow,
  briefOf,
  deadBrief,
  findQuarantined,
  type PageRequest,
  rejectedBrief,
} from './find-quarantined.ts';
import type { DeadLetterRows, Quarantined, QuarantinedBrief, RejectedEvent } from './quarantined.ts';

/** The entries as they are stored, in the order of `ids`, without missing ones. `raw` contains the bytes of a rejected event. */
export interface KeptRejected extends RejectedEvent {
  readonly raw: Buffer;
}

type RejectedRow = Omit<KeptRejected, 'beginning' | 'text' | 'truncated'> & Pick<BriefRow, 'beginning'>;

export interface KeptLetter extends QuarantinedBrief {
  readonly kind: 'dead';
  readonly jobId: string;
  readonly batchId: string | null;
  readonly firstRow: number;
  readonly payload: Buffer;
}

export async function readRejected(db: Queryable, ids: readonly string[]): Promise<KeptRejected[]> {
  if (ids.length === 0) return [];
  const rows = await db.query<RejectedRow>(selectRejected, [ids]);
  return rows.map((row) => ({
    ...briefOf(row),
    text: row.raw.toString(),
    truncated: row.bytes > row.raw.length,
  }));
}

export async function readLetters(db: Queryable, ids: readonly string[]): Promise<KeptLetter[]> {
  if (ids.length === 0) return [];
  const rows = await db.query<Omit<KeptLetter, 'beginning'> & Pick<BriefRow, 'beginning'>>(selectDead, [ids]);
  return rows.map(briefOf);
}

/** The complete entries in the order of `found`, without those that were deleted meanwhile. */
export async function readQuarantined(
  db: Queryable,
  found: readonly QuarantinedBrief[],
): Promise<Quarantined[]> {
  const idsOf = (kind: QuarantinedBrief['kind']) =>
    found.filter((brief) => brief.kind === kind).map(({ id }) => id);
  const rejected = await readRejected(db, idsOf('rejected'));
  const letters = await readLetters(db, idsOf('dead'));
  const dead = await Promise.all(
    letters.map(async (letter) => deadLetterRows(letter, await decodeDeadRows(letter))),
  );
  const byId = new Map<string, Quarantined>();
  for (const { raw, ...event } of rejected) byId.set(event.id, event);
  for (const letter of dead) byId.set(letter.id, letter);
  return found.flatMap(({ id }) => byId.get(id) ?? []);
}

const foundAtATime = 100;

/** All matching entries, newest first. Only one is in memory at a time, because a dead letter can be large. */
export async function* walkQuarantined(
  db: Queryable,
  filter: Omit<PageRequest, 'after' | 'limit'>,
): AsyncGenerator<Quarantined> {
  for (let after: string | null | undefined; after !== null; ) {
    const page = await findQuarantined(db, { ...filter, after, limit: foundAtATime });
    for (const brief of page.found) yield* await readQuarantined(db, [brief]);
    after = page.next;
  }
}

function deadLetterRows(
  { payload: _payload, ...letter }: KeptLetter,
  decoded: Pick<DecodedRows, 'rows'> | null,
): DeadLetterRows {
  return { ...letter, events: decoded?.rows.map(deadEvent) ?? null };
}

const selectRejected = `
  SELECT ${rejectedBrief}, q.version_named AS "versionNamed", q.form, q.raw, q.key_id AS "keyId", q.key_line AS "keyLine",
         q.key_kind AS "keyKind", q.session_id AS "sessionId", q.account_id AS "accountId",
         q.client_address AS "clientAddress", q.sdk_name AS "sdkName", q.sdk_version AS "sdkVersion",
         q.request_id AS "requestId", q.event_id AS "eventId", q.received_ms::float8 AS "receivedMs",
         q.occurred_ms::float8 AS "occurredMs", q.skew_ms::float8 AS "skewMs"
    FROM delivery.rejected_events q WHERE q.id = ANY ($1)`;

const selectDead = `
  SELECT ${deadBrief}, q.job AS "jobId", q.batch AS "batchId", q.first_row AS "firstRow", q.payload
    FROM delivery.dead_letters q WHERE q.id = ANY ($1)`;
