import { type PostgresSource, usePostgres } from '@tickrate/postgres';
import { type CheckTools, checkQuarantined } from './reading/check-quarantined.ts';
import { countQuarantined, countUnmended } from './reading/count-quarantined.ts';
import { findQuarantined } from './reading/find-quarantined.ts';
import type { Quarantined, QuarantineFilter } from './reading/quarantined.ts';
import { readQuarantined, walkQuarantined } from './reading/read-quarantined.ts';
import { countReplays, type ReplayCountRequest } from './replays/count-replays.ts';
import { type ReplayTools, replayQuarantined } from './replays/replay-quarantined.ts';
import { eraseAccount, exportAccount } from './samples/account-in-quarantine.ts';
import { countProject, eraseProject } from './samples/project-in-quarantine.ts';
import { purgeQuarantined } from './samples/purge-quarantined.ts';
import { type BucketRequest, readRejectionBuckets } from './samples/rejection-buckets.ts';
import { keepRejections, type RejectionFlush } from './samples/rejections.ts';

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

/**
 * Events that could not be stored: rejected events and dead letters. A project of null means all projects, and entries
 * without one. Every method rejects with PostgresUnavailable if Postgres does not answer in time, and is safe to repeat.
 */
export type Quarantine = ReturnType<typeof createQuarantine>;

/** Connects at first use. */
export function createQuarantine(source: PostgresSource) {
  const { postgres: db, close } = usePostgres(source);
  return {
    /** Counts the rejected events of a flush, once. Resolves with the number of samples that were kept. */
    keepRejections: (flush: RejectionFlush) => keepRejections(db, flush),
    /** Newest first. */
    list: (projectId: string | null, request: ListRequest = {}) =>
      findQuarantined(db, { limit: 100, ...request, projectId }),
    count: (projectId: string | null, filter: QuarantineFilter = {}) =>
      countQuarantined(db, projectId, filter),
    /** Rejected events of kinds that were rejected since a time, and of which somebody still has to replay or delete some. */
    unmended: (projectId: string, sinceMs: number) => countUnmended(db, projectId, sinceMs),
    /** How many were rejected or died over time. */
    buckets: (projectId: string, request: BucketRequest) => readRejectionBuckets(db, projectId, request),
    /** One complete entry. Null if there is no entry with this id. */
    async show(projectId: string | null, id: string): Promise<Quarantined | null> {
      const { found } = await findQuarantined(db, { projectId, ids: [id], state: 'any', limit: 1 });
      return (await readQuarantined(db, found))[0] ?? null;
    },
    /**
     * Sends the matching entries again: rejected events are validated against the current declarations, dead letters are
     * sent as they are. Each is sent once, however often the call is repeated or interrupted. The work of an interrupted
     * call is finished first. Rejects with the error of `add`.
     */
    replay: ({ projectId, ...filter }: ReplayRequest, tools: ReplayTools) =>
      replayQuarantined(db, { projectId, filter }, tools),
    /** What `replay` would do with the newest rejected events, within `checkLimits`. Sends and changes nothing. */
    check: ({ projectId, ...filter }: CheckRequest, tools: CheckTools) =>
      checkQuarantined(db, { projectId, filter }, tools),
    /** Where rejected events are that were replayed lately, and how many wait. */
    replays: (projectId: string, request: ReplayCountRequest) => countReplays(db, projectId, request),
    /** The complete matching entries, newest first. They are read as the caller iterates. */
    export: (projectId: string | null, filter: QuarantineFilter = {}) =>
      walkQuarantined(db, { ...filter, projectId }),
    /** Deletes the matching entries in small steps, except those with a replay in progress. */
    purge: (projectId: string | null, filter: QuarantineFilter = {}) =>
      purgeQuarantined(db, projectId, filter),
    /**
     * Removes all data of an account: its rejected events, its rows in dead letters, and its events in replays. Pending
     * events can still become dead letters, so call it again when no event of the account is pending.
     */
    eraseAccount: (projectId: string, accountId: string) => eraseAccount(db, { projectId, accountId }),
    /** All data of an account. Of dead letters, only its own rows. */
    exportAccount: (projectId: string, accountId: string) => exportAccount(db, { projectId, accountId }),
    /** What `eraseProject` would remove, by type. */
    countProject: (projectId: string) => countProject(db, projectId),
    /** Removes everything of a project. Pending events can still become dead letters, like those of an account. */
    eraseProject: (projectId: string) => eraseProject(db, projectId),
    close,
  };
}
