import type { InRealm } from '../../store/in-realm.ts';

export interface NewSignInLink {
  /** The hash of the token: the token itself is not stored. */
  readonly hash: Buffer;
  /** Null for the owner of the installation or, without one, its oldest administrator. */
  readonly folded: string | null;
  readonly expiresMs: number;
  readonly nowMs: number;
}

export interface SignInLinkHolder {
  readonly accountId: string;
  readonly emailAddress: string;
}

/** Null if there is no such administrator. Also deletes the links that have expired. */
export async function insertSignInLink(
  people: InRealm,
  { hash, folded, expiresMs, nowMs }: NewSignInLink,
): Promise<SignInLinkHolder | null> {
  const [holder] = await people.rows<{ account_id: string; email: string }>(
    `WITH expired AS (
       DELETE FROM auth.sign_in_links l USING auth.accounts own
        WHERE own.id = l.account_id AND own.realm = $1 AND l.expires <= $5),
     holder AS (
       SELECT id, email FROM auth.accounts
        WHERE realm = $1 AND archived IS NULL AND email_verified IS NOT NULL
          AND ($3::text IS NULL OR email_folded = $3)
        ORDER BY owns_installation DESC, created, id LIMIT 1),
     made AS (
       INSERT INTO auth.sign_in_links (hash, account_id, expires) SELECT $2, id, $4 FROM holder RETURNING account_id)
     SELECT made.account_id, holder.email FROM made JOIN holder ON holder.id = made.account_id`,
    [hash, folded, new Date(expiresMs), new Date(nowMs)],
  );
  return holder === undefined ? null : { accountId: holder.account_id, emailAddress: holder.email };
}

/** Returns the account, once. Null for a link that is unknown, used or expired. */
export async function useSignInLink(
  people: InRealm,
  { hash, nowMs }: Pick<NewSignInLink, 'hash' | 'nowMs'>,
): Promise<string | null> {
  const [link] = await people.rows<{ account_id: string }>(
    `UPDATE auth.sign_in_links l SET used = $3 FROM auth.accounts own
      WHERE l.hash = $2 AND l.used IS NULL AND l.expires > $3
        AND own.id = l.account_id AND own.realm = $1 AND own.archived IS NULL
      RETURNING l.account_id`,
    [hash, new Date(nowMs)],
  );
  return link?.account_id ?? null;
}
