import type { Queryable } from '@tickrate/postgres';
import type { InRealm } from '../store/in-realm.ts';
import { type ClaimedMail, claimSql, nextDueSql } from './due-mails.ts';

/** A change of an account, by any actor. */
export type NoticeKind =
  | 'password-changed'
  | 'email-changed'
  | 'identity-linked'
  | 'identity-unlinked'
  | 'second-factor-enrolled'
  | 'second-factor-removed';

export interface NewNotice {
  readonly id: string;
  readonly accountId: string;
  readonly kind: NoticeKind;
  /** Where to send the mail, instead of the account's address. */
  readonly to?: string | null;
  readonly nowMs: number;
}

/**
 * Call it in the transaction of the change: the mail is due exactly if the change is committed; auth sends it. An
 * account without an address gets no mail.
 */
export async function leaveNotice(people: InRealm, notice: NewNotice): Promise<void> {
  await people.rows(
    `INSERT INTO auth.notices (id, account_id, kind, recipient, left_at, due)
     SELECT $3, a.id, $4, COALESCE($5, a.email), $6, $6 FROM auth.accounts a
     WHERE a.realm = $1 AND a.id = $2 AND COALESCE($5, a.email) IS NOT NULL`,
    [notice.accountId, notice.id, notice.kind, notice.to ?? null, new Date(notice.nowMs)],
  );
}

export interface Notice extends ClaimedMail {
  readonly realm: string;
  readonly to: string;
  readonly locale: string | null;
  readonly kind: NoticeKind;
}

/** Claims one mail that is due, of all realms, like the mails of invitations; null if none is. */
export async function claimNotice(db: Queryable, nowMs: number): Promise<Notice | null> {
  const [notice] = await db.query<Notice>(
    `UPDATE auth.notices n SET tries = tries + 1, due = ${claimSql}
       FROM auth.accounts a
      WHERE a.id = n.account_id AND n.id = (
        SELECT id FROM auth.notices WHERE due <= $1 ORDER BY due, id LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING n.id, n.due, a.realm, n.recipient AS "to", a.locale, n.kind`,
    [new Date(nowMs)],
  );
  return notice ?? null;
}

/** The mail server has accepted it. */
export async function settleNotice(db: Queryable, { id, due }: ClaimedMail): Promise<void> {
  await db.query('DELETE FROM auth.notices WHERE id = $1 AND due = $2', [id, due]);
}

/** The mail server has not accepted it. */
export async function putOffNotice(db: Queryable, { id, due }: ClaimedMail, nowMs: number): Promise<void> {
  await db.query(`UPDATE auth.notices SET due = ${nextDueSql('tries')} WHERE id = $1 AND due = $2`, [
    id,
    due,
    new Date(nowMs),
  ]);
}
