import { milliseconds, type Queryable } from '@tickrate/postgres';

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
  /** 'done', or the reason of the error. Null if it is not known, or could not be recorded. */
  readonly outcome: string | null;
}

export interface ActPage {
  readonly projectId: string;
  readonly act?: string | undefined;
  /** Actions by this account or on it. */
  readonly accountId?: string | undefined;
  /** Actions before this one, newest first. */
  readonly after?: { readonly atMs: number; readonly id: string } | null;
  readonly limit: number;
}

const columns = `id, ${milliseconds('at')} AS "atMs", project_id AS "projectId", act, actor, request_id AS "requestId",
  client_address AS "clientAddress", details, outcome`;

/**
 * The audit trail of management. An action is recorded before it is done, and its outcome after it. So every action is
 * recorded, even if the process ends before the outcome.
 */
export async function beginAct(db: Queryable, begun: Omit<Act, 'outcome'>): Promise<void> {
  const { id, atMs, projectId, act, actor, requestId, clientAddress, details } = begun;
  await db.query(
    `INSERT INTO registry.acts (id, at, project_id, act, actor, request_id, client_address, details)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [id, new Date(atMs), projectId, act, actor, requestId, clientAddress, JSON.stringify(details)],
  );
}

export async function endAct(
  db: Queryable,
  { id, outcome, details }: Pick<Act, 'id' | 'outcome' | 'details'>,
): Promise<void> {
  await db.query(
    'UPDATE registry.acts SET outcome = $2, details = details || $3::jsonb WHERE id = $1 AND outcome IS NULL',
    [id, outcome, JSON.stringify(details)],
  );
}

export function pageOfActs(
  db: Queryable,
  { projectId, act, accountId, after, limit }: ActPage,
): Promise<Act[]> {
  return db.query<Act>(
    `SELECT ${columns} FROM registry.acts
      WHERE project_id = $1 AND ($2::text IS NULL OR act = $2)
        AND ($3::text IS NULL OR actor = $3 OR details ->> 'accountId' = $3)
        AND ($5::uuid IS NULL OR (at, id) < ($4, $5))
      ORDER BY at DESC, id DESC LIMIT $6`,
    [projectId, act ?? null, accountId ?? null, after && new Date(after.atMs), after?.id ?? null, limit],
  );
}
