import type { KeyKind } from '@tickrate/contract';
import type { Queryable } from '@tickrate/postgres';
import type { RejectedForm } from '../samples/rejections.ts';
import { type DecodedRows, deadEvent, decodeDeadRows } from './dead-rows.ts';
import { briefOf, deadBrief, findQuarantined, type PageRequest, rejectedBrief } from './find-quarantined.ts';
import type { DeadLetterRows, Quarantined, QuarantinedBrief, RejectedEvent } from './quarantined.ts';

type BriefRow = Parameters<typeof briefOf>[0];

/** The entries as they are stored, in the order of `ids`, without missing ones. `raw` contains the bytes of a rejected event. */
export interface KeptRejected extends RejectedEvent {
  readonly raw: Buffer;
}

interface RejectedRow extends BriefRow {
  readonly version_named: boolean;
  readonly pointer: string;
  readonly form: RejectedForm;
  readonly raw: Buffer;
  readonly key_id: string;
  readonly key_line: string | null;
  readonly key_kind: KeyKind;
  readonly session_id: string;
  readonly account_id: string;
  readonly client_address: string;
  readonly sdk_name: string;
  readonly sdk_version: string;
  readonly request_id: string;
  readonly event_id: string | null;
  readonly received_ms: number;
  readonly occurred_ms: number | null;
  readonly skew_ms: number;
}

interface DeadRow extends BriefRow {
  readonly job: string;
  readonly batch: string | null;
  readonly first_row: number;
  readonly payload: Buffer;
}

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
  return rows.map(rejectedOf);
}

export async function readLetters(db: Queryable, ids: readonly string[]): Promise<KeptLetter[]> {
  if (ids.length === 0) return [];
  const rows = await db.query<DeadRow>(selectDead, [ids]);
  return rows.map(letterOf);
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
  SELECT ${rejectedBrief}, q.version_named, q.form, q.raw, q.key_id, q.key_line, q.key_kind, q.session_id, q.account_id,
         q.client_address, q.sdk_name, q.sdk_version, q.request_id, q.event_id, q.received_ms::float8 AS received_ms,
         q.occurred_ms::float8 AS occurred_ms, q.skew_ms::float8 AS skew_ms
    FROM delivery.rejected_events q WHERE q.id = ANY ($1)`;

const selectDead = `
  SELECT ${deadBrief}, q.job, q.batch, q.first_row, q.payload FROM delivery.dead_letters q WHERE q.id = ANY ($1)`;

function rejectedOf(row: RejectedRow): KeptRejected {
  return {
    ...briefOf(row),
    kind: 'rejected',
    pointer: row.pointer,
    form: row.form,
    text: row.raw.toString(),
    raw: row.raw,
    truncated: row.bytes > row.raw.length,
    versionNamed: row.version_named,
    keyId: row.key_id,
    keyLine: row.key_line,
    keyKind: row.key_kind,
    sessionId: row.session_id,
    accountId: row.account_id,
    clientAddress: row.client_address,
    sdkName: row.sdk_name,
    sdkVersion: row.sdk_version,
    requestId: row.request_id,
    eventId: row.event_id,
    receivedMs: row.received_ms,
    occurredMs: row.occurred_ms,
    skewMs: row.skew_ms,
  };
}

function letterOf(row: DeadRow): KeptLetter {
  return {
    ...briefOf(row),
    kind: 'dead',
    jobId: row.job,
    batchId: row.batch,
    firstRow: row.first_row,
    payload: row.payload,
  };
}
