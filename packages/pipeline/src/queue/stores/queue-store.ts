import type { Job, Processor, WorkerOptions } from 'bullmq';
import type { ParcelJob } from '../chunks/parcel.ts';
import type { Range } from '../chunks/ranges.ts';

/**
 * One Redis or Postgres that holds queues. Opened by `open`, which may be called again after it
 * rejected; closed by its owner. Faults that nobody awaits go to the `onFault` it was made with.
 */
export interface QueueStore {
  readonly label: string;
  readonly queueNames: readonly string[];
  /** Connects and brings the store's schema up to date. Rejects when the store is away. */
  open(): Promise<void>;
  /** False as long as a command would have to wait for a connection. */
  ready(): boolean;
  /** Resolves when every job is as durable as the store makes it. Adding an id again changes nothing. */
  add(queueName: string, jobs: readonly ParcelJob[]): Promise<void>;
  job(queueName: string, id: string): Promise<Job | null>;
  createWorker(queueName: string, processor: Processor, options: WorkerSettings): QueueWorker;
  /** Draws back what a process wrote whose clock was ahead of the store's, by more than a lock lasts. */
  boundTimes(lockMs: number): Promise<void>;
  /** Rejects when the store does not answer. */
  ping(): Promise<void>;
  level(): Promise<StoreLevel>;
  /** By the names of jobs that wait or are worked on; no payload is read. A store that reads job by job stops at `limit`. */
  pending(limit: number): Promise<PendingChunks>;
  close(): Promise<void>;
}

/** What one store holds. */
export interface StoreLevel {
  readonly usedBytes: number;
  readonly limitBytes: number;
  readonly depth: number;
  /** When the oldest job was added; null when there is none. */
  readonly oldestMs: number | null;
}

export interface PendingChunks {
  readonly chunks: number;
  readonly groups: readonly PendingGroup[];
  /** False when there are more jobs than were read. */
  readonly complete: boolean;
}

/** Pending events of one project from one process; null for chunks that no process of ours added. */
export interface PendingGroup {
  readonly projectId: string;
  readonly producer: string | null;
  readonly events: number;
  /** Their positions. A chunk that is in the store twice counts twice in `events`. */
  readonly ranges: readonly Range[];
}

export type WorkerSettings = Pick<WorkerOptions, 'concurrency' | 'lockDuration' | 'stalledInterval'>;

/** The part of BullMQ's Worker that both backends share and that we use. */
export interface QueueWorker {
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'stalled', listener: (jobId: string) => void): unknown;
  on(event: 'lockRenewalFailed', listener: (jobIds: string[]) => void): unknown;
  waitUntilReady(): Promise<void>;
  pause(doNotWaitActive?: boolean): Promise<void>;
  resume(): void | Promise<void>;
  isPaused(): boolean;
  close(force?: boolean): Promise<void>;
}

export type StoreRole = 'producer' | 'consumer';

export interface StoreOptions {
  readonly url: string;
  readonly label: string;
  readonly queueNames: readonly string[];
  readonly role: StoreRole;
  /** The longest a producer's command may take. */
  readonly timeoutMs: number;
  /** How much the store may hold; null leaves it to Redis' `maxmemory`. */
  readonly limitBytes: number | null;
  readonly onFault: (fault: unknown) => void;
}

/** Job options that make BullMQ keep nothing of a finished job and never give a job up. */
export const jobOptions = {
  removeOnComplete: true,
  attempts: 0x7fff_ffff,
  backoff: { type: 'fixed', delay: 1_000 },
} as const;

/** The same for a job that nobody of ours added. */
export const workerOptions = {
  removeOnComplete: { count: 0 },
  // A crash must never fail a job: BullMQ would, on the second one, by its default of 1.
  maxStalledCount: 0x7fff_ffff,
} as const;

export const eventStreamLength = 1_000;
