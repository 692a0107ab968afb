import { type Kysely, type Selectable, sql } from 'kysely';
import type { RegistryDatabase } from '../store/database-schema.ts';

/** One management action: its actor, object, address and outcome. */
export interface Act {
  readonly id: string;
  readonly atMs: number;
  readonly projectId: string;
  /** The operation: `revokeKey`. */
  readonly act: string;
  /** The id of an account, or `key …`. */
  readonly actor: string;
  readonly requestId: string;
  readonly clientAddress: string;
  /** Its object and details. Never contains a secret. */
  readonly details: Readonly<Record<string, unknown>>;
  /** Null if the process ended before the outcome was known. */
  readonly outcome: ActOutcome | null;
}

/** 'done', or the reason of the error. */
export type ActOutcome = string;

export interface ActPage {
  readonly projectId: string;
  readonly act?: string | undefined;
  /** Actions by this account or on it. */
  readonly accountId?: string | undefined;
  /** Actions before this one, newest first. */
  readonly after?: { readonly atMs: number; readonly id: string } | null;
  readonly limit: number;
}

/**
 * The audit trail of management. An action is recorded before it is done, and its outcome after it. So every action is
 * recorded, even if the process ends before the outcome.
 */
export interface Acts {
  beginAct(act: Omit<Act, 'outcome'>): Promise<void>;
  endAct(id: string, outcome: ActOutcome, made: Readonly<Record<string, unknown>>): Promise<void>;
  actPage(page: ActPage): Promise<Act[]>;
}

export function createActs(database: Kysely<RegistryDatabase>): Acts {
  return {
    async beginAct({ atMs, projectId, requestId, clientAddress, details, ...act }) {
      await database
        .insertInto('registry.acts')
        .values({
          ...act,
          at: new Date(atMs),
          project_id: projectId,
          request_id: requestId,
          client_address: clientAddress,
          details: JSON.stringify(details),
          outcome: null,
        })
        .execute();
    },
    async endAct(id, outcome, made) {
      await database
        .updateTable('registry.acts')
        .set({ outcome, details: sql`details || ${JSON.stringify(made)}::jsonb` })
        .where('id', '=', id)
        .where('outcome', 'is', null)
        .execute();
    },
    async actPage({ projectId, act, accountId, after = null, limit }) {
      const rows = await database
        .selectFrom('registry.acts')
        .selectAll()
        .where('project_id', '=', projectId)
        .$if(act !== undefined, (query) => query.where('act', '=', act ?? ''))
        .$if(accountId !== undefined, (query) =>
          query.where(sql<boolean>`(actor = ${accountId} OR details ->> 'accountId' = ${accountId})`),
        )
        .$if(after !== null, (query) =>
          query.where(sql<boolean>`(at, id) < (${new Date(after?.atMs ?? 0)}, ${after?.id}::uuid)`),
        )
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(actOf);
    },
  };
}

function actOf(row: Selectable<RegistryDatabase['registry.acts']>): Act {
  return {
    id: row.id,
    atMs: row.at.getTime(),
    projectId: row.project_id,
    act: row.act,
    actor: row.actor,
    requestId: row.request_id,
    clientAddress: row.client_address,
    details: row.details,
    outcome: row.outcome,
  };
}
