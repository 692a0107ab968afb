import { milliseconds, type Queryable } from '@tickrate/postgres';
import type { InRealm } from '../store/in-realm.ts';
import { noId, type PageBy } from '../store/page.ts';

export interface StoredMail {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  /** Sealed, because it contains codes. */
  readonly body: Buffer;
  readonly sentMs: number;
}

const kept = 500;

/**
 * The mails of an installation without a mail server, for development. Keeps the latest few hundred of a realm. A mail
 * for an account that is erased meanwhile is not stored.
 */
export async function putMail(
  people: InRealm,
  /** The account is null where the address belongs to none yet. */
  mail: StoredMail & { readonly accountId: string | null },
): Promise<void> {
  await people.rows(
    `INSERT INTO auth.outbox (realm, id, account_id, recipient, subject, body, sent)
     SELECT $1, $2, $3, $4, $5, $6, $7
      WHERE $3::text IS NULL OR EXISTS (SELECT FROM auth.accounts WHERE realm = $1 AND id = $3 FOR KEY SHARE)`,
    [mail.id, mail.accountId, mail.to, mail.subject, mail.body, new Date(mail.sentMs)],
  );
  await people.rows(
    `DELETE FROM auth.outbox WHERE realm = $1 AND id IN (
       SELECT id FROM auth.outbox WHERE realm = $1 ORDER BY sent DESC, id DESC OFFSET $2)`,
    [kept],
  );
}

/** Newest first. */
export function findMails(people: InRealm, { after, limit }: PageBy<'sentMs'>): Promise<StoredMail[]> {
  return people.rows<StoredMail>(
    `SELECT id, recipient AS "to", subject, body, ${milliseconds('sent')} AS "sentMs" FROM auth.outbox
     WHERE realm = $1 AND (sent, id) < ($2::timestamptz, $3::uuid) ORDER BY sent DESC, id DESC LIMIT $4`,
    [after === null ? 'infinity' : new Date(after.sentMs), after?.id ?? noId, limit],
  );
}

/** For all realms: with a mail server, only the receiver can read a mail. */
export async function emptyOutbox(db: Queryable): Promise<void> {
  await db.query('DELETE FROM auth.outbox');
}
