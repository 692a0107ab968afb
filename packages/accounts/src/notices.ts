import type { Queryable } from './database.ts';
import type { InRealm } from './in-realm.ts';

/** What was done to an account by somebody else. */
export type NoticeKind = 'second-factor-removed';

/** In the transaction that does it: the mail is due from now on; auth sends it. An account without address hears nothing. */
export async function leaveNotice(
  people: InRealm,
  notice: {
    readonly id: string;
    readonly accountId: string;
    readonly kind: NoticeKind;
    readonly nowMs: number;
  },
): Promise<void> {
  await people.rows(
    `INSERT INTO auth.notices (id, account_id, kind, left_at, due)
     SELECT $3, a.id, $4, $5, $5 FROM auth.accounts a WHERE a.realm = $1 AND a.id = $2 AND a.email IS NOT NULL`,
    [notice.accountId, notice.id, notice.kind, new Date(notice.nowMs)],
  );
}

export interface Notice {
  readonly id: string;
  readonly realm: string;
  readonly to: string;
  readonly locale: string | null;
  readonly kind: NoticeKind;
}

const mostTries = 10;

/**
 * Takes mails that are due, of all realms, for whoever asks first. One that is not settled is due again after a minute,
 * then two, four and so on, ten times in all, as invitations are.
 */
export function claimNotices(
  db: Queryable,
  { nowMs, limit }: { readonly nowMs: number; readonly limit: number },
): Promise<Notice[]> {
  return db.query<Notice>(
    `UPDATE auth.notices n
        SET tries = tries + 1, due = CASE WHEN tries + 1 < ${mostTries} THEN $1 + interval '1 minute' * 2 ^ tries END
       FROM auth.accounts a
      WHERE a.id = n.account_id AND a.email IS NOT NULL AND n.id IN (
        SELECT id FROM auth.notices WHERE due <= $1 ORDER BY due LIMIT $2 FOR UPDATE SKIP LOCKED)
      RETURNING n.id, a.realm, a.email AS "to", a.locale, n.kind`,
    [new Date(nowMs), limit],
  );
}

/** The mail server has it. */
export async function settleNotice(db: Queryable, id: string): Promise<void> {
  await db.query('DELETE FROM auth.notices WHERE id = $1', [id]);
}
