import type { KeyKind } from '@tickrate/contract';
import type { RejectedForm } from './rejections.ts';

/** Something that is kept because it could not be stored. */
export type Quarantined = RejectedEvent | DeadLetterRows;

/** What a list shows of it. */
export interface QuarantinedBrief {
  readonly id: string;
  /** Rejected to its sender, or accepted and then refused by ClickHouse. */
  readonly kind: QuarantineKind;
  /** Null for a job that does not tell. */
  readonly projectId: string | null;
  /** Null when it is not known, or when the rows are of several. */
  readonly type: string | null;
  readonly version: number | null;
  readonly reason: string;
  readonly message: string;
  /** Events that it holds. */
  readonly rows: number;
  readonly bytes: number;
  readonly atMs: number;
  /** A replay that was begun is finished by the next call of `replay`. */
  readonly state: 'open' | 'replaying' | 'replayed';
}

export type QuarantineKind = 'rejected' | 'dead';

export interface RejectedEvent extends QuarantinedBrief {
  readonly kind: 'rejected';
  /** JSON pointer to what is at fault, within `text`. */
  readonly pointer: string;
  readonly form: RejectedForm;
  /** As it was sent. */
  readonly text: string;
  /** Only the beginning was kept. */
  readonly truncated: boolean;
  readonly versionNamed: boolean;
  readonly keyId: string;
  readonly keyLine: string | null;
  readonly keyKind: KeyKind;
  readonly sessionId: string;
  readonly accountId: string;
  readonly clientAddress: string;
  readonly sdkName: string;
  readonly sdkVersion: string;
  readonly requestId: string;
  readonly eventId: string | null;
  readonly receivedMs: number;
  readonly occurredMs: number | null;
  /** Received minus the client's clock when it sent; 0 when it did not tell. */
  readonly skewMs: number;
}

export interface DeadLetterRows extends QuarantinedBrief {
  readonly kind: 'dead';
  /** Of the queue: the id of the chunk. */
  readonly jobId: string;
  /** Null for a job that holds no chunk. */
  readonly batchId: string | null;
  readonly firstRow: number;
  /** Null when the payload cannot be read as rows. */
  readonly events: readonly DeadEvent[] | null;
}

/** A row that was accepted and not stored. */
export interface DeadEvent {
  readonly type: string;
  readonly version: number;
  readonly eventId: string;
  readonly receivedMs: number;
  readonly occurredMs: number;
  readonly clientMs: number | null;
  readonly keyKind: KeyKind;
  readonly sessionId: string;
  readonly accountId: string;
  readonly clientAddress: string;
  readonly sdkName: string;
  readonly sdkVersion: string;
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
  /** What was not replayed, when left out. */
  readonly state?: 'open' | 'replayed' | 'any' | undefined;
}
