import { type PostgresSource, usePostgres } from '@tickrate/postgres';
import { type ErasedFromQuarantine, eraseAccount, exportAccount } from './account-in-quarantine.ts';
import { countQuarantined, type QuarantineCount } from './count-quarantined.ts';
import { type FoundPage, findQuarantined } from './find-quarantined.ts';
import { type PurgedFromQuarantine, purgeQuarantined } from './purge-quarantined.ts';
import type { Quarantined, QuarantineFilter } from './quarantined.ts';
import { readQuarantined, walkQuarantined } from './read-quarantined.ts';
import { type ReplayReport, type ReplayTools, replayQuarantined } from './replay-quarantined.ts';

/**
 * What could not be stored: rejected events and dead letters. A project of null means all of them, and what is of none.
 * Every method rejects with PostgresUnavailable when Postgres does not answer in time, and may then be called again.
 */
export interface Quarantine {
  /** Newest first. */
  list(projectId: string | null, request?: ListRequest): Promise<FoundPage>;
  count(projectId: string | null, filter?: QuarantineFilter): Promise<QuarantineCount[]>;
  /** One with everything that is known of it; null when there is none of this id. */
  show(projectId: string | null, id: string): Promise<Quarantined | null>;
  /**
   * Sends what matches on its way again: rejected events through validation against what is declared now, dead letters
   * as they are. Each once, however often it is called and wherever a call was interrupted; what an interrupted call
   * left is finished first. Rejects with what `add` rejects with.
   */
  replay(request: ReplayRequest, tools: ReplayTools): Promise<ReplayReport>;
  /** All that match with everything, newest first, read as they are taken. */
  export(projectId: string | null, filter?: QuarantineFilter): AsyncIterable<Quarantined>;
  /** Deletes what matches, in small steps. What is being replayed stays. */
  purge(projectId: string | null, filter?: QuarantineFilter): Promise<PurgedFromQuarantine>;
  /**
   * Removes everything of an account: its rejected events, its rows in dead letters, and what is being replayed of it.
   * Dead letters may still come of events that were pending, so call it again when nothing of the account is.
   */
  eraseAccount(projectId: string, accountId: string): Promise<ErasedFromQuarantine>;
  /** Everything of an account; of dead letters its own rows alone. */
  exportAccount(projectId: string, accountId: string): AsyncIterable<Quarantined>;
  close(): Promise<void>;
}

export interface ListRequest extends QuarantineFilter {
  /** `next` of the page before. */
  readonly after?: string | null | undefined;
  readonly limit?: number;
}

export interface ReplayRequest extends QuarantineFilter {
  readonly projectId: string | null;
}

/** Connects at first use. */
export function createQuarantine(source: PostgresSource): Quarantine {
  const { postgres: db, close } = usePostgres(source);
  return {
    list: (projectId, request = {}) => findQuarantined(db, { limit: 100, ...request, projectId }),
    count: (projectId, filter = {}) => countQuarantined(db, projectId, filter),
    async show(projectId, id) {
      const { found } = await findQuarantined(db, { projectId, ids: [id], state: 'any', limit: 1 });
      return (await readQuarantined(db, found))[0] ?? null;
    },
    replay: ({ projectId, ...filter }, tools) => replayQuarantined(db, { projectId, filter }, tools),
    export: (projectId, filter = {}) => walkQuarantined(db, { ...filter, projectId }),
    purge: (projectId, filter = {}) => purgeQuarantined(db, projectId, filter),
    eraseAccount: (projectId, accountId) => eraseAccount(db, { projectId, accountId }),
    exportAccount: (projectId, accountId) => exportAccount(db, { projectId, accountId }),
    close,
  };
}
