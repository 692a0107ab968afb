import { type PostgresSource, usePostgres } from '@tickrate/postgres';
import { type CheckTools, checkQuarantined, type QuarantineCheck } from './reading/check-quarantined.ts';
import {
  countQuarantined,
  countUnmended,
  type QuarantineCount,
  type UnmendedCount,
} from './reading/count-quarantined.ts';
import { type FoundPage, findQuarantined } from './reading/find-quarantined.ts';
import type { Quarantined, QuarantineFilter } from './reading/quarantined.ts';
import { readQuarantined, walkQuarantined } from './reading/read-quarantined.ts';
import { countReplays, type ReplayCount, type ReplayCountRequest } from './replays/count-replays.ts';
import { type ReplayReport, type ReplayTools, replayQuarantined } from './replays/replay-quarantined.ts';
import { type ErasedFromQuarantine, eraseAccount, exportAccount } from './samples/account-in-quarantine.ts';
import { countProject, eraseProject, type ProjectInQuarantine } from './samples/project-in-quarantine.ts';
import { type PurgedFromQuarantine, purgeQuarantined } from './samples/purge-quarantined.ts';
import {
  type BucketRequest,
  type RejectionBucket,
  readRejectionBuckets,
} from './samples/rejection-buckets.ts';
import { keepRejections, type RejectionFlush } from './samples/rejections.ts';

/**
 * Events that could not be stored: rejected events and dead letters. A project of null means all projects, and entries
 * without one. Every method rejects with PostgresUnavailable if Postgres does not answer in time, and is safe to repeat.
 */
export interface Quarantine {
  /** Counts the rejected events of a flush, once. Resolves with the number of samples that were kept. */
  keepRejections(flush: RejectionFlush): Promise<number>;
  /** Newest first. */
  list(projectId: string | null, request?: ListRequest): Promise<FoundPage>;
  count(projectId: string | null, filter?: QuarantineFilter): Promise<QuarantineCount[]>;
  /** Rejected events of kinds that were rejected since a time, and of which somebody still has to replay or delete some. */
  unmended(projectId: string, sinceMs: number): Promise<UnmendedCount[]>;
  /** How many were rejected or died over time. */
  buckets(projectId: string, request: BucketRequest): Promise<RejectionBucket[]>;
  /** One complete entry. Null if there is no entry with this id. */
  show(projectId: string | null, id: string): Promise<Quarantined | null>;
  /**
   * Sends the matching entries again: rejected events are validated against the current declarations, dead letters are
   * sent as they are. Each is sent once, however often the call is repeated or interrupted. The work of an interrupted
   * call is finished first. Rejects with the error of `add`.
   */
  replay(request: ReplayRequest, tools: ReplayTools): Promise<ReplayReport>;
  /** What `replay` would do with the newest rejected events, within `checkLimits`. Sends and changes nothing. */
  check(request: CheckRequest, tools: CheckTools): Promise<QuarantineCheck>;
  /** Where rejected events are that were replayed lately, and how many wait. */
  replays(projectId: string, request: ReplayCountRequest): Promise<ReplayCount>;
  /** The complete matching entries, newest first. They are read as the caller iterates. */
  export(projectId: string | null, filter?: QuarantineFilter): AsyncIterable<Quarantined>;
  /** Deletes the matching entries in small steps, except those with a replay in progress. */
  purge(projectId: string | null, filter?: QuarantineFilter): Promise<PurgedFromQuarantine>;
  /**
   * Removes all data of an account: its rejected events, its rows in dead letters, and its events in replays. Pending
   * events can still become dead letters, so call it again when no event of the account is pending.
   */
  eraseAccount(projectId: string, accountId: string): Promise<ErasedFromQuarantine>;
  /** All data of an account. Of dead letters, only its own rows. */
  exportAccount(projectId: string, accountId: string): AsyncIterable<Quarantined>;
  /** What `eraseProject` would remove, by type. */
  countProject(projectId: string): Promise<ProjectInQuarantine>;
  /** Removes everything of a project. Pending events can still become dead letters, like those of an account. */
  eraseProject(projectId: string): Promise<void>;
  close(): Promise<void>;
}

export interface ListRequest extends QuarantineFilter {
  /** `next` of the previous page. */
  readonly after?: string | null | undefined;
  readonly limit?: number;
}

export interface ReplayRequest extends QuarantineFilter {
  readonly projectId: string | null;
}

export interface CheckRequest extends Omit<QuarantineFilter, 'kind' | 'state'> {
  readonly projectId: string;
}

/** Connects at first use. */
export function createQuarantine(source: PostgresSource): Quarantine {
  const { postgres: db, close } = usePostgres(source);
  return {
    keepRejections: (flush) => keepRejections(db, flush),
    list: (projectId, request = {}) => findQuarantined(db, { limit: 100, ...request, projectId }),
    count: (projectId, filter = {}) => countQuarantined(db, projectId, filter),
    unmended: (projectId, sinceMs) => countUnmended(db, projectId, sinceMs),
    buckets: (projectId, request) => readRejectionBuckets(db, projectId, request),
    async show(projectId, id) {
      const { found } = await findQuarantined(db, { projectId, ids: [id], state: 'any', limit: 1 });
      return (await readQuarantined(db, found))[0] ?? null;
    },
    replay: ({ projectId, ...filter }, tools) => replayQuarantined(db, { projectId, filter }, tools),
    check: ({ projectId, ...filter }, tools) => checkQuarantined(db, { projectId, filter }, tools),
    replays: (projectId, request) => countReplays(db, projectId, request),
    export: (projectId, filter = {}) => walkQuarantined(db, { ...filter, projectId }),
    purge: (projectId, filter = {}) => purgeQuarantined(db, projectId, filter),
    eraseAccount: (projectId, accountId) => eraseAccount(db, { projectId, accountId }),
    exportAccount: (projectId, accountId) => exportAccount(db, { projectId, accountId }),
    countProject: (projectId) => countProject(db, projectId),
    eraseProject: (projectId) => eraseProject(db, projectId),
    close,
  };
}
