import type { Queryable } from './database.ts';

export type MailTokenKind = 'reset' | 'verify' | 'register';

export interface MailToken {
  readonly kind: MailTokenKind;
  readonly email: string;
  readonly email_folded: string;
  readonly account_id: string | null;
  readonly password_hash: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

export interface NewMailToken {
  readonly hash: Buffer;
  readonly realm: string;
  readonly kind: MailTokenKind;
  readonly email: string;
  readonly folded: string;
  readonly accountId: string | null;
  readonly passwordHash: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly expiresMs: number;
}

export async function insertMailToken(db: Queryable, token: NewMailToken): Promise<void> {
  await db.query(
    `INSERT INTO auth.mail_tokens (hash, realm, kind, email, email_folded, account_id, password_hash, details, expires)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      token.hash,
      token.realm,
      token.kind,
      token.email,
      token.folded,
      token.accountId,
      token.passwordHash,
      JSON.stringify(token.details),
      new Date(token.expiresMs),
    ],
  );
}

export interface TokenLookup {
  readonly hash: Buffer;
  readonly realm: string;
  readonly kinds: readonly MailTokenKind[];
  readonly nowMs: number;
}

const columns = 'kind, email, email_folded, account_id, password_hash, details';

export async function findMailToken(
  db: Queryable,
  { hash, realm, kinds, nowMs }: TokenLookup,
): Promise<MailToken | null> {
  const [row] = await db.query<MailToken>(
    `SELECT ${columns} FROM auth.mail_tokens WHERE hash = $1 AND realm = $2 AND kind = ANY ($3) AND expires > $4`,
    [hash, realm, kinds, new Date(nowMs)],
  );
  return row ?? null;
}

/** For the one caller who gets to use it. With it go all others of its kind for the address. */
export async function spendMailToken(
  tx: Queryable,
  { hash, realm, kinds, nowMs }: TokenLookup,
): Promise<MailToken | null> {
  const [row] = await tx.query<MailToken>(
    `DELETE FROM auth.mail_tokens WHERE hash = $1 AND realm = $2 AND kind = ANY ($3) AND expires > $4
     RETURNING ${columns}`,
    [hash, realm, kinds, new Date(nowMs)],
  );
  if (!row) return null;
  await tx.query('DELETE FROM auth.mail_tokens WHERE realm = $1 AND email_folded = $2 AND kind = $3', [
    realm,
    row.email_folded,
    row.kind,
  ]);
  return row;
}
