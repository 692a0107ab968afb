import type { Queryable } from './database.ts';

export interface StoredMail {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  /** Sealed: codes stand in it. */
  readonly body: Buffer;
  readonly nowMs: number;
}

const kept = 500;

/** Where mails go while there is no mail server, for development. The latest few hundred are kept. */
export async function putMail(db: Queryable, mail: StoredMail): Promise<void> {
  await db.query('INSERT INTO auth.outbox (id, recipient, subject, body, sent) VALUES ($1, $2, $3, $4, $5)', [
    mail.id,
    mail.to,
    mail.subject,
    mail.body,
    new Date(mail.nowMs),
  ]);
  await db.query(
    'DELETE FROM auth.outbox WHERE id IN (SELECT id FROM auth.outbox ORDER BY sent DESC OFFSET $1)',
    [kept],
  );
}
