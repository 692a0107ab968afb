import { type InRealm, ofAccount } from '../store/in-realm.ts';

/** Also deletes the mailed codes that would reset the password or replace the address: a thief may have requested them. */
export async function setPassword(
  people: InRealm,
  { accountId, hash, nowMs }: { readonly accountId: string; readonly hash: string; readonly nowMs: number },
): Promise<void> {
  await people.rows(
    `INSERT INTO auth.passwords (account_id, hash, changed)
     SELECT a.id, $3, $4 FROM auth.accounts a WHERE a.realm = $1 AND a.id = $2
     ON CONFLICT (account_id) DO UPDATE SET hash = excluded.hash, changed = excluded.changed`,
    [accountId, hash, new Date(nowMs)],
  );
  await people.rows(
    `DELETE FROM auth.mail_tokens m USING auth.accounts a
     WHERE m.realm = $1 AND m.account_id = $2 AND a.id = m.account_id
       AND (m.kind IN ('reset', 'change-email') OR (m.kind = 'verify' AND m.email_folded <> a.email_folded))`,
    [accountId],
  );
}

/** The same password with newer parameters, unless it was changed meanwhile. */
export async function rehashPassword(
  people: InRealm,
  accountId: string,
  hashes: readonly [string, string],
): Promise<void> {
  await people.rows(`UPDATE auth.passwords SET hash = $4 WHERE ${ofAccount} AND hash = $3`, [
    accountId,
    ...hashes,
  ]);
}

export interface Safeguards {
  readonly password_changed: Date | null;
  readonly has_second_factor: boolean;
}

/** The sign-in methods that the account requires now. */
export async function findSafeguards(people: InRealm, accountId: string): Promise<Safeguards | null> {
  const [row] = await people.rows<Safeguards>(
    `SELECT p.changed AS password_changed, t.confirmed IS NOT NULL AS has_second_factor
     FROM auth.accounts a LEFT JOIN auth.passwords p ON p.account_id = a.id LEFT JOIN auth.totps t ON t.account_id = a.id
     WHERE a.realm = $1 AND a.id = $2`,
    [accountId],
  );
  return row ?? null;
}
