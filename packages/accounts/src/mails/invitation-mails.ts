import type { Queryable } from '@tickrate/postgres';
import { type ClaimedMail, claimSql, nextDueSql } from './due-mails.ts';

/** The mail of an invitation. */
export interface InvitationMail extends ClaimedMail {
  readonly projectId: string;
  readonly to: string;
  readonly folded: string;
  readonly role: string;
  readonly projectName: string;
  /** The address of the administrator who invites. Null for a key. */
  readonly inviter: string | null;
  /** The language of that administrator. */
  readonly locale: string | null;
  readonly expires: Date;
}

/**
 * Claims one mail that is due; null if none is. Only the claimer sends it. It is due again only if the claimer ends
 * without settling it: then it may be sent twice.
 */
export async function claimInvitationMail(db: Queryable, nowMs: number): Promise<InvitationMail | null> {
  const [mail] = await db.query<InvitationMail & { expires: Date }>(
    `UPDATE auth.invitations i SET mail_tries = mail_tries + 1, mail_due = ${claimSql}
       FROM registry.projects p
      WHERE p.id = i.project_id AND i.id = (
        SELECT id FROM auth.invitations WHERE mail_due <= $1 AND used IS NULL AND expires > $1
         ORDER BY mail_due LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING i.id, i.mail_due AS due, i.project_id AS "projectId", i.email AS "to", i.email_folded AS folded,
        i.role, i.expires, p.name AS "projectName",
        (SELECT email FROM auth.accounts WHERE id = i.invited_by AND email_verified IS NOT NULL) AS inviter,
        (SELECT locale FROM auth.accounts WHERE id = i.invited_by) AS locale`,
    [new Date(nowMs)],
  );
  return mail ?? null;
}

/** The mail server has accepted it. */
export async function settleInvitationMail(
  db: Queryable,
  { id, due }: ClaimedMail,
  nowMs: number,
): Promise<void> {
  await db.query('UPDATE auth.invitations SET mailed = $3, mail_due = NULL WHERE id = $1 AND mail_due = $2', [
    id,
    due,
    new Date(nowMs),
  ]);
}

/** The mail server has not accepted it. */
export async function putOffInvitationMail(
  db: Queryable,
  { id, due }: ClaimedMail,
  nowMs: number,
): Promise<void> {
  await db.query(
    `UPDATE auth.invitations SET mail_due = ${nextDueSql('mail_tries')} WHERE id = $1 AND mail_due = $2`,
    [id, due, new Date(nowMs)],
  );
}
