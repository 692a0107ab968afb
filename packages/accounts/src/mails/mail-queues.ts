import type { Accounts } from '../accounts.ts';
import { type Allowance, takeFrom } from '../credentials/throttles.ts';
import type { SecurityMailKind } from './security-mails.ts';

/** A claimed mail. It belongs to the claimer until it is due again: `due` identifies the claim. */
interface ClaimedMail {
  readonly id: string;
  readonly due: Date;
}

interface InvitationMail extends ClaimedMail {
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

interface SecurityMail extends ClaimedMail {
  readonly realm: string;
  readonly accountId: string;
  readonly to: string;
  readonly locale: string | null;
  readonly kind: SecurityMailKind;
}

/**
 * Mails that are due, of all realms. Only the claimer of a mail sends it. A claimed mail is due again if the claimer ends
 * without settling it: then it may be sent twice.
 */
export interface MailQueue<Mail> {
  /** Null if none is due. */
  claim(): Promise<Mail | null>;
  /** The mail server has accepted it. */
  settle(mail: Mail): Promise<void>;
  /** The mail server has not accepted it: it is due again later. */
  putOff(mail: Mail): Promise<void>;
}

/** The `due` of a claim: longer than any timeout of a mail server, so that no mail is sent twice meanwhile. */
const claimSql = "$1::timestamptz + interval '5 minutes'";

/** After one minute, then two, four and so on, ten times in all. */
const nextDueSql = (tries: string) =>
  `CASE WHEN ${tries} < 10 THEN $3::timestamptz + interval '1 minute' * 2 ^ (${tries} - 1) END`;

export function invitationMails({ db, now }: Accounts): MailQueue<InvitationMail> {
  return {
    async claim() {
      const [mail] = await db.query<InvitationMail>(
        `UPDATE auth.invitations i SET mail_tries = mail_tries + 1, mail_due = ${claimSql}
           FROM registry.projects p
          WHERE p.id = i.project_id AND p.deleted IS NULL AND i.id = (
            SELECT id FROM auth.invitations WHERE mail_due <= $1 AND used IS NULL AND expires > $1
             ORDER BY mail_due LIMIT 1 FOR UPDATE SKIP LOCKED)
          RETURNING i.id, i.mail_due AS due, i.project_id AS "projectId", i.email AS "to", i.email_folded AS folded,
            i.role, i.expires, p.name AS "projectName",
            (SELECT email FROM auth.accounts WHERE id = i.invited_by AND email_verified IS NOT NULL) AS inviter,
            (SELECT locale FROM auth.accounts WHERE id = i.invited_by) AS locale`,
        [new Date(now())],
      );
      return mail ?? null;
    },
    async settle({ id, due }) {
      const sql = 'UPDATE auth.invitations SET mailed = $3, mail_due = NULL WHERE id = $1 AND mail_due = $2';
      await db.query(sql, [id, due, new Date(now())]);
    },
    async putOff({ id, due }) {
      const sql = `UPDATE auth.invitations SET mail_due = ${nextDueSql('mail_tries')} WHERE id = $1 AND mail_due = $2`;
      await db.query(sql, [id, due, new Date(now())]);
    },
  };
}

/** For all projects together, so that invitations cannot fill a mailbox. Counted apart from the mails of sign-in. */
const perAddress: Allowance = { burst: 5, perSecond: 5 / 3_600 };

/** Counts an invitation. False if its address has received too many. */
export async function countInvitation(
  { db, keyring, now }: Accounts,
  { folded }: InvitationMail,
): Promise<boolean> {
  const asked = [{ bucket: keyring.mac('invitation mails', folded), allowance: perAddress }];
  return (await takeFrom(db, asked, now())) === null;
}

export function securityMails({ db, now }: Accounts): MailQueue<SecurityMail> {
  return {
    async claim() {
      const [mail] = await db.query<SecurityMail>(
        `UPDATE auth.notices n SET tries = tries + 1, due = ${claimSql}
           FROM auth.accounts a
          WHERE a.id = n.account_id AND n.id = (
            SELECT id FROM auth.notices WHERE due <= $1 ORDER BY due, id LIMIT 1 FOR UPDATE SKIP LOCKED)
          RETURNING n.id, n.due, a.realm, a.id AS "accountId", n.recipient AS "to", a.locale, n.kind`,
        [new Date(now())],
      );
      return mail ?? null;
    },
    async settle({ id, due }) {
      await db.query('DELETE FROM auth.notices WHERE id = $1 AND due = $2', [id, due]);
    },
    async putOff({ id, due }) {
      const sql = `UPDATE auth.notices SET due = ${nextDueSql('tries')} WHERE id = $1 AND due = $2`;
      await db.query(sql, [id, due, new Date(now())]);
    },
  };
}
