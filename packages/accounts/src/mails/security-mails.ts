import type { Queryable } from '@tickrate/postgres';
import type { AccountsDeps } from '../accounts-deps.ts';
import type { InRealm } from '../store/in-realm.ts';
import { type ClaimedMail, claimSql, nextDueSql } from './due-mails.ts';

/** A change of an account, by any actor. */
export type SecurityMailKind =
  | 'password-changed'
  | 'email-changed'
  | 'identity-linked'
  | 'identity-unlinked'
  | 'second-factor-enrolled'
  | 'second-factor-removed';

export interface NewSecurityMail {
  readonly id: string;
  readonly accountId: string;
  readonly kind: SecurityMailKind;
  /** Where to send the mail, instead of the account's address. */
  readonly to?: string | null;
  readonly nowMs: number;
}

/**
 * Call it in the transaction of the change: the mail is due exactly if the change is committed; auth sends it. An
 * account without an address gets no mail.
 */
export async function insertSecurityMail(people: InRealm, mail: NewSecurityMail): Promise<void> {
  await people.rows(
    `INSERT INTO auth.notices (id, account_id, kind, recipient, left_at, due)
     SELECT $3, a.id, $4, COALESCE($5, a.email), $6, $6 FROM auth.accounts a
     WHERE a.realm = $1 AND a.id = $2 AND COALESCE($5, a.email) IS NOT NULL`,
    [mail.accountId, mail.id, mail.kind, mail.to ?? null, new Date(mail.nowMs)],
  );
}

/** The same with a new id, now. */
export function queueSecurityMail(
  { newId, now }: Pick<AccountsDeps, 'newId' | 'now'>,
  people: InRealm,
  mail: Omit<NewSecurityMail, 'id' | 'nowMs'>,
): Promise<void> {
  return insertSecurityMail(people, { ...mail, id: newId(), nowMs: now() });
}

export interface SecurityMail extends ClaimedMail {
  readonly realm: string;
  readonly accountId: string;
  readonly to: string;
  readonly locale: string | null;
  readonly kind: SecurityMailKind;
}

/** Claims one mail that is due, of all realms, like the mails of invitations; null if none is. */
export async function claimSecurityMail(db: Queryable, nowMs: number): Promise<SecurityMail | null> {
  const [mail] = await db.query<SecurityMail>(
    `UPDATE auth.notices n SET tries = tries + 1, due = ${claimSql}
       FROM auth.accounts a
      WHERE a.id = n.account_id AND n.id = (
        SELECT id FROM auth.notices WHERE due <= $1 ORDER BY due, id LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING n.id, n.due, a.realm, a.id AS "accountId", n.recipient AS "to", a.locale, n.kind`,
    [new Date(nowMs)],
  );
  return mail ?? null;
}

/** The mail server has accepted it. */
export async function settleSecurityMail(db: Queryable, { id, due }: ClaimedMail): Promise<void> {
  await db.query('DELETE FROM auth.notices WHERE id = $1 AND due = $2', [id, due]);
}

/** The mail server has not accepted it. */
export async function putOffSecurityMail(
  db: Queryable,
  { id, due }: ClaimedMail,
  nowMs: number,
): Promise<void> {
  await db.query(`UPDATE auth.notices SET due = ${nextDueSql('tries')} WHERE id = $1 AND due = $2`, [
    id,
    due,
    new Date(nowMs),
  ]);
}
