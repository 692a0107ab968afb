import { type CountsByType, hashAccount } from '@tickrate/contract';

export type ErasureState = 'requested' | 'waiting' | 'counting' | 'copying' | 'removing' | 'done';

export interface ErasureRequest {
  readonly projectId: string;
  /** Null: the whole project. */
  readonly accountId: string | null;
  /** `mask` keeps the events for counting, without personal data. */
  readonly mode: 'remove' | 'mask';
  /** Shown in the certificate: the id of a key or a role, never a name or an address. */
  readonly requestedBy: string;
}

/**
 * Requests the erasure in the caller's transaction and returns its `id`. An earlier request that has not begun covers
 * this one too. If one of the two removes the events, they are removed. A new request never delays an earlier one: an
 * erasure covers everything that was received until the account could send no more. `accountRows` counts the rows of
 * the account itself that the same transaction removed.
 */
export function erasureStatement(id: string, request: ErasureRequest, accountRows: CountsByType = {}) {
  const { projectId, accountId, mode, requestedBy } = request;
  if (accountId === '') throw new RangeError('The id of the account is empty');
  return {
    sql: `INSERT INTO delivery.erasures AS e (id, project, account, account_hash, mode, requested_by, account_rows)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (project, account) WHERE state IN ('requested', 'waiting') DO UPDATE
       SET account_rows = delivery.larger_counts(e.account_rows, excluded.account_rows),
           mode = CASE WHEN e.mode = 'remove' THEN 'remove' ELSE excluded.mode END
     RETURNING e.id`,
    values: [
      id,
      projectId,
      accountId ?? '',
      accountId && hashAccount(accountId),
      mode,
      requestedBy,
      JSON.stringify(accountRows),
    ],
  };
}
