import type { ParcelJob } from '../chunks/parcel.ts';
import type { Range } from '../chunks/ranges.ts';

/**
 * One Redis or Postgres with queues. `open` may be called again after it rejected. The owner closes it. `onFault`
 * receives faults that no caller awaits.
 */
export interface QueueStore {
  readonly label: string;
  readonly queueNames: readonly string[];
  /** Connects and migrates the schema of the store. Rejects if the store is away. */
  open(): Promise<void>;
  /** False while a command would wait for a connection. */
  ready(): boolean;
  /** Resolves when every job is durable. Adding an id again changes nothing. */
  add(queueName: string, jobs: readonly ParcelJob[]): Promise<void>;
  job(queueName: string, id: string): Promise<QueueJob | null>;
  createWorker(queueName: string, process: ProcessJob, settings: WorkerSettings): QueueWorker;
  /**
   * Makes jobs available again whose lock or delay has ended, or ends too late because a clock was wrong. Resolves with
   * the ids of jobs whose worker died, unless the workers of the store report these themselves.
   */
  recover(lockMs: number): Promise<string[]>;
  /** Rejects if the store does not answer. */
  ping(): Promise<void>;
  level(): Promise<StoreLevel>;
  /** Reads the names of waiting and active jobs, but no payload. A store that reads each job stops at `limit`. */
  pending(limit: number): Promise<PendingChunks>;
  close(): Promise<void>;
}

/** The content of one store. */
export interface StoreLevel {
  readonly usedBytes: number;
  readonly limitBytes: number;
  readonly depth: number;
  /** The time at which the oldest job was added. Null without a job. */
  readonly oldestMs: number | null;
  /** The same of each queue, in the order of `queueNames`. */
  readonly queues: readonly QueueLevel[];
}

export interface QueueLevel {
  readonly depth: number;
  readonly oldestMs: number | null;
}

export function sumQueues(queues: readonly QueueLevel[]): Pick<StoreLevel, 'depth' | 'oldestMs' | 'queues'> {
  const oldest = queues.map(({ oldestMs }) => oldestMs).filter((ms) => ms !== null);
  return {
    depth: queues.reduce((sum, { depth }) => sum + depth, 0),
    oldestMs: oldest.length === 0 ? null : Math.min(...oldest),
    queues,
  };
}

export interface PendingChunks {
  readonly chunks: number;
  readonly groups: readonly PendingGroup[];
  /** False if there are more jobs than were read. */
  readonly complete: boolean;
}

/** Pending events of one project from one process. The process is null for chunks that no Tickrate process added. */
export interface PendingGroup {
  readonly projectId: string;
  readonly producer: string | null;
  readonly events: number;
  /** Their positions. A chunk that is in the store twice counts twice in `events`. */
  readonly ranges: readonly Range[];
}

export interface QueueJob {
  readonly id?: string | undefined;
  readonly name: string;
  /** Null once it was read. */
  data: unknown;
}

/** The job is removed when this resolves, and delivered again when it rejects. */
export type ProcessJob = (job: QueueJob) => Promise<void>;

/** Milliseconds. */
export interface WorkerSettings {
  readonly concurrency: number;
  readonly lockDuration: number;
  readonly stalledInterval: number;
  /** Until then, a job that is taken would only wait for others. A worker may take it later, in one call with them. */
  readonly untilNextBatch: () => number;
}

/** The part of BullMQ's worker that Tickrate uses. */
export interface QueueWorker {
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'stalled', listener: (jobId: string) => void): unknown;
  on(event: 'lockRenewalFailed', listener: (jobIds: string[]) => void): unknown;
  waitUntilReady(): Promise<void>;
  pause(doNotWaitActive?: boolean): Promise<void>;
  resume(): void | Promise<void>;
  close(force?: boolean): Promise<void>;
}

export type StoreRole = 'producer' | 'consumer';

export interface StoreOptions {
  readonly url: string;
  readonly label: string;
  readonly queueNames: readonly string[];
  readonly role: StoreRole;
  /** The time limit of a producer's command. */
  readonly timeoutMs: number;
  /** The limit of the store. Null means the `maxmemory` of Redis. */
  readonly limitBytes: number | null;
  readonly onFault: (fault: unknown) => void;
}

/** With these job options, BullMQ keeps nothing of a finished job and retries a job without limit. */
export const jobOptions = {
  removeOnComplete: true,
  attempts: 0x7fff_ffff,
  backoff: { type: 'fixed', delay: 1_000 },
} as const;

/** The same for a job that no Tickrate process added. */
export const workerOptions = {
  removeOnComplete: { count: 0 },
  // A crash must never fail a job. With its default of 1, BullMQ fails a job after the second crash.
  maxStalledCount: 0x7fff_ffff,
} as const;
