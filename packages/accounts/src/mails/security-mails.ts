import type { Accounts } from '../accounts.ts';
import type { InRealm } from '../store/in-realm.ts';

/** A change of an account, by any actor. */
export type SecurityMailKind =
  | 'password-changed'
  | 'email-changed'
  | 'identity-linked'
  | 'identity-unlinked'
  | 'second-factor-enrolled'
  | 'second-factor-removed';

interface NewSecurityMail {
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
  { newId, now }: Pick<Accounts, 'newId' | 'now'>,
  people: InRealm,
  mail: Omit<NewSecurityMail, 'id' | 'nowMs'>,
): Promise<void> {
  return insertSecurityMail(people, { ...mail, id: newId(), nowMs: now() });
}
