import type { DecodedRow, EventSender } from '@tickrate/events';
import type { RejectedForm, RejectedOrigin } from '../samples/rejections.ts';

/** An entry of the quarantine: it could not be stored. */
export type Quarantined = RejectedEvent | DeadLetterRows;

/** The part of an entry that lists show. */
export interface QuarantinedBrief {
  readonly id: string;
  /** Rejected by a gateway, or accepted and then refused by ClickHouse. */
  readonly kind: QuarantineKind;
  /** Null for a job that does not contain it. */
  readonly projectId: string | null;
  /** Null if it is unknown, or if the rows have several types. */
  readonly type: string | null;
  readonly version: number | null;
  readonly reason: string;
  readonly message: string;
  /** JSON pointer to the fault in the event. Null for a dead letter. */
  readonly pointer: string | null;
  /** The first bytes of the event as it was sent. Null for a dead letter. */
  readonly beginning: string | null;
  /** The number of its events. */
  readonly rows: number;
  readonly bytes: number;
  readonly atMs: number;
  /** The next call of `replay` finishes a replay that has begun. */
  readonly state: 'open' | 'replaying' | 'replayed';
}

export type QuarantineKind = 'rejected' | 'dead';

export interface RejectedEvent extends QuarantinedBrief, RejectedOrigin {
  readonly kind: 'rejected';
  /** JSON pointer to the fault in `text`. */
  readonly pointer: string;
  readonly form: RejectedForm;
  /** As it was sent. */
  readonly text: string;
  /** True if only the beginning was kept. */
  readonly truncated: boolean;
  readonly versionNamed: boolean;
  /** The time of receipt minus the client's clock when it sent the event. 0 if the client did not send its clock. */
  readonly skewMs: number;
}

export interface DeadLetterRows extends QuarantinedBrief {
  readonly kind: 'dead';
  /** The id of the job, which is the id of the chunk. */
  readonly jobId: string;
  /** Null for a job without a valid chunk. */
  readonly batchId: string | null;
  readonly firstRow: number;
  /** Null if the payload cannot be read as rows. */
  readonly events: readonly DeadEvent[] | null;
}

type DeadRow =
  | 'type'
  | 'version'
  | 'eventId'
  | 'receivedMs'
  | 'occurredMs'
  | 'clientMs'
  | Exclude<keyof EventSender, 'keyLine'>;

/** A row that was accepted and not stored. */
export interface DeadEvent extends Pick<DecodedRow, DeadRow> {
  /** The event as JSON, with 64-bit integers as integers. */
  readonly text: string;
}

export interface QuarantineFilter {
  readonly kind?: QuarantineKind | undefined;
  readonly type?: string | undefined;
  readonly reason?: string | undefined;
  /** Received or refused at this time or later. */
  readonly sinceMs?: number | undefined;
  /** … and before this time. */
  readonly untilMs?: number | undefined;
  readonly ids?: readonly string[] | undefined;
  /** The default is entries that were not replayed. */
  readonly state?: 'open' | 'replayed' | 'any' | undefined;
}
