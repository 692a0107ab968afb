import { type CountsByType, hashAccount } from '@tickrate/contract';

export type ErasureState = 'requested' | 'waiting' | 'counting' | 'copying' | 'removing' | 'done';

export interface ErasureRequest {
  readonly projectId: string;
  readonly accountId: string;
  /** `mask` leaves the events for counting, without anything personal. */
  readonly mode: 'remove' | 'mask';
  /** Stands in the certificate: a key's id or a role, never a name or an address. */
  readonly requestedBy: string;
}

export interface ErasureStatement {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/**
 * Asks for the erasure, in whatever transaction it runs; it gives the `id` of the one that will be carried out. One that
 * was asked for before and has not begun covers this request too, and then nothing stays if either says so. It is put
 * off by none: it reaches what was received until the account could send no more, whenever it was asked for.
 * `accountRows` is what the same transaction has removed of the account itself.
 */
export function erasureStatement(
  id: string,
  request: ErasureRequest,
  accountRows: CountsByType = {},
): ErasureStatement {
  const { projectId, accountId, mode, requestedBy } = request;
  if (accountId === '') throw new RangeError('an account has an id');
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
      accountId,
      hashAccount(accountId),
      mode,
      requestedBy,
      JSON.stringify(accountRows),
    ],
  };
}
