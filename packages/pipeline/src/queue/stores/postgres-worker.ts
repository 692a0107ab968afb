import { EventEmitter } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { PgPool } from '@tickrate/postgres';
import type { ProcessJob, QueueJob, QueueWorker, WorkerSettings } from './queue-store.ts';

interface PostgresWorkerOptions extends WorkerSettings {
  readonly pool: PgPool;
  readonly queueName: string;
  readonly process: ProcessJob;
}

interface ClaimedJob extends QueueJob {
  readonly id: string;
  /** Of this claim. */
  readonly token: string;
}

/** Jobs that arrive within this time are claimed together, unless so many wait that one claim is not enough. */
const claimEveryMs = 250;
/** More in one answer would take much memory. */
const mostClaimed = 16;

/**
 * Takes the jobs of one queue in the tables of BullMQ. BullMQ's own worker sends seven statements for each job; this one
 * claims and completes several in one statement, and sends none while nothing waits.
 *
 * The states of a job:
 * - waiting: → active, claimed by a worker, which is woken by a notification, by free slots, or by `wake`.
 * - active: belongs to the worker that has the token, which renews the lock. → deleted when it is processed; delayed if that
 *   failed; waiting if the lock expired (`PostgresStore.recover`).
 * - delayed: → waiting after a second (`PostgresStore.recover`).
 *
 * The worker takes jobs, or is paused, and closes for good. All times are those of the database.
 */
export class PostgresWorker extends EventEmitter implements QueueWorker {
  readonly queueName: string;
  readonly #options: PostgresWorkerOptions;
  readonly #inHand = new Set<ClaimedJob>();
  /** Claims and jobs in progress. */
  readonly #working = new Set<Promise<void>>();
  readonly #renewal: NodeJS.Timeout;
  #nextClaim: NodeJS.Timeout | undefined;
  #claimedMs = Number.NEGATIVE_INFINITY;
  #isClaiming = false;
  #mayBeMore = true;
  #isPaused = false;
  #isClosed = false;
  #done: ClaimedJob[] = [];
  #failed: ClaimedJob[] = [];
  #settling: Promise<void> | null = null;

  constructor(options: PostgresWorkerOptions) {
    super();
    this.queueName = options.queueName;
    this.#options = options;
    this.#renewal = setInterval(() => void this.#renew(), options.lockDuration / 2);
    this.wake();
  }

  /** There may be jobs. */
  wake(): void {
    if (this.#isPaused || this.#isClosed) return;
    this.#nextClaim ??= setTimeout(() => {
      this.#nextClaim = undefined;
      if (this.#claimableInMs() > 0) return this.wake();
      this.#mayBeMore = true;
      this.#claim();
    }, this.#claimableInMs());
  }

  #claimableInMs(): number {
    const restMs = this.#claimedMs + claimEveryMs - performance.now();
    return Math.max(0, restMs, this.#options.untilNextBatch());
  }

  /** It takes jobs as soon as PostgreSQL answers. */
  waitUntilReady(): Promise<void> {
    return Promise.resolve();
  }

  async pause(): Promise<void> {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    if (this.#done.length + this.#failed.length > 0) void this.#settle();
    this.wake();
  }

  async close(force = false): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#nextClaim);
    while (!force && this.#working.size > 0) await Promise.all(this.#working);
    clearInterval(this.#renewal);
  }

  #claim(): void {
    if (this.#isClaiming) return;
    this.#isClaiming = true;
    this.#follow(this.#claimAll());
  }

  #follow(work: Promise<void>): void {
    const followed = work.finally(() => this.#working.delete(followed));
    this.#working.add(followed);
  }

  async #claimAll(): Promise<void> {
    const { queueName, lockDuration, concurrency } = this.#options;
    while (this.#mayBeMore && !this.#isPaused && !this.#isClosed && this.#inHand.size < concurrency) {
      const limit = Math.min(mostClaimed, concurrency - this.#inHand.size);
      this.#claimedMs = performance.now();
      this.#mayBeMore = false;
      const values = [queueName, lockDuration, limit];
      const jobs = (await this.#query<ClaimedJob>(claimJobs, values)) ?? [];
      this.#mayBeMore ||= jobs.length === limit;
      // A job that was added before this claim was committed caused no notification.
      if (jobs.length > 0) this.wake();
      for (const job of jobs) this.#follow(this.#work(job));
    }
    this.#isClaiming = false;
  }

  async #work(job: ClaimedJob): Promise<void> {
    this.#inHand.add(job);
    const isDone = await this.#options.process(job).then(
      () => true,
      () => false,
    );
    (isDone ? this.#done : this.#failed).push(job);
    // The chunks of a batch end together, and so do their jobs.
    this.#settling ??= setImmediate().then(() => this.#settle());
    await this.#settling;
    this.#inHand.delete(job);
    this.#claim();
  }

  /** What PostgreSQL does not answer is settled when the worker resumes, or delivered again. */
  async #settle(): Promise<void> {
    this.#settling = null;
    const [done, failed] = [this.#done, this.#failed];
    this.#done = [];
    this.#failed = [];
    if (done.length > 0 && !(await this.#query(deleteJobs, this.#claims(done)))) this.#done.push(...done);
    if (failed.length > 0 && !(await this.#query(delayJobs, this.#claims(failed))))
      this.#failed.push(...failed);
  }

  async #renew(): Promise<void> {
    if (this.#inHand.size === 0) return;
    const jobs = [...this.#inHand];
    const values = [...this.#claims(jobs), this.#options.lockDuration];
    const rows = await this.#query<{ id: string }>(renewLocks, values);
    if (rows === null) return;
    const renewed = new Set(rows.map(({ id }) => id));
    const lost = jobs.filter((job) => this.#inHand.has(job) && !renewed.has(job.id));
    const ids = lost.map(({ id }) => id);
    if (ids.length > 0) this.emit('lockRenewalFailed', ids);
  }

  #claims(jobs: readonly ClaimedJob[]): unknown[] {
    return [this.#options.queueName, jobs.map(({ id }) => id), jobs.map(({ token }) => token)];
  }

  /** Reports a fault, and resolves with null. */
  async #query<Row extends object>(sql: string, values: unknown[]): Promise<Row[] | null> {
    try {
      return (await this.#options.pool.query<Row>(sql, values)).rows;
    } catch (fault) {
      this.emit('error', fault);
      return null;
    }
  }
}

const nowMs = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

const claimJobs = `
  UPDATE bullmq.job j
     SET state = 'active', lock_token = gen_random_uuid(), locked_until_ms = ${nowMs} + $2::bigint
    FROM (SELECT queue, id FROM bullmq.job WHERE queue = $1 AND state = 'waiting'
           ORDER BY priority, seq LIMIT $3 FOR UPDATE SKIP LOCKED) first
   WHERE j.queue = first.queue AND j.id = first.id
  RETURNING j.id, j.name, j.data, j.lock_token AS token`;

const ofClaims = `unnest($2::text[], $3::text[]) AS claim(id, token)
   WHERE j.queue = $1 AND j.id = claim.id AND j.state = 'active' AND j.lock_token = claim.token`;

const deleteJobs = `DELETE FROM bullmq.job j USING ${ofClaims}`;

const delayJobs = `
  UPDATE bullmq.job j SET state = 'delayed', process_at_ms = ${nowMs} + 1000, lock_token = NULL, locked_until_ms = NULL
    FROM ${ofClaims}`;

const renewLocks = `UPDATE bullmq.job j SET locked_until_ms = ${nowMs} + $4::bigint FROM ${ofClaims} RETURNING j.id`;
