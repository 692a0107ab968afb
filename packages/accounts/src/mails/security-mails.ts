import type { Accounts } from '../accounts.ts';
import type { InRealm } from '../store/in-realm.ts';

export type SecurityMailKind =
  | 'password-changed'
  | 'email-changed'
  | 'identity-linked'
  | 'identity-unlinked'
  | 'second-factor-enrolled'
  | 'second-factor-removed';

interface NewSecurityMail {
  readonly accountId: string;
  readonly kind: SecurityMailKind;
  /** Where to send the mail, instead of the account's address. */
  readonly to?: string;
}

/**
 * Call it in the transaction of the change: the mail is due exactly if the change is committed; auth sends it. An
 * account without an address gets no mail.
 */
export async function queueSecurityMail(
  { newId, now }: Pick<Accounts, 'newId' | 'now'>,
  people: InRealm,
  { accountId, kind, to }: NewSecurityMail,
): Promise<void> {
  await people.rows(
    `INSERT INTO auth.notices (id, account_id, kind, recipient, left_at, due)
     SELECT $3, a.id, $4, COALESCE($5, a.email), $6, $6 FROM auth.accounts a
     WHERE a.realm = $1 AND a.id = $2 AND COALESCE($5, a.email) IS NOT NULL`,
    [accountId, newId(), kind, to ?? null, new Date(now())],
  );
}
