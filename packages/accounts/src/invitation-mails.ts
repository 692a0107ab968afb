import type { Queryable } from './database.ts';

/** A mail to somebody who is invited. */
export interface InvitationMail {
  readonly id: string;
  readonly projectId: string;
  readonly to: string;
  readonly folded: string;
  readonly role: string;
  readonly projectName: string;
  readonly expiresMs: number;
}

const mostTries = 10;

/**
 * Takes mails that are due, for whoever asks first. One that is not settled is due again after a minute, then two, four
 * and so on, ten times in all: a process that ends in between, or a mail server that is away, loses none.
 */
export async function claimInvitationMails(
  db: Queryable,
  { nowMs, limit }: { readonly nowMs: number; readonly limit: number },
): Promise<InvitationMail[]> {
  const rows = await db.query<{
    id: string;
    project_id: string;
    email: string;
    email_folded: string;
    role: string;
    name: string;
    expires: Date;
  }>(
    `UPDATE auth.invitations i
        SET mail_tries = mail_tries + 1,
            mail_due = CASE WHEN mail_tries + 1 < ${mostTries} THEN $1 + interval '1 minute' * 2 ^ mail_tries END
       FROM registry.projects p
      WHERE p.id = i.project_id AND i.id IN (
        SELECT id FROM auth.invitations WHERE mail_due <= $1 AND used IS NULL AND expires > $1
         ORDER BY mail_due LIMIT $2 FOR UPDATE SKIP LOCKED)
      RETURNING i.id, i.project_id, i.email, i.email_folded, i.role, i.expires, p.name`,
    [new Date(nowMs), limit],
  );
  return rows.map(
    ({ id, project_id: projectId, email: to, email_folded: folded, role, name: projectName, expires }) => ({
      ...{ id, projectId, to, folded, role, projectName, expiresMs: expires.getTime() },
    }),
  );
}

/** The mail server has it. */
export async function settleInvitationMail(db: Queryable, id: string, nowMs: number): Promise<void> {
  await db.query('UPDATE auth.invitations SET mailed = $2, mail_due = NULL WHERE id = $1', [
    id,
    new Date(nowMs),
  ]);
}
