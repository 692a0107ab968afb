import type { Accounts } from '../accounts.ts';
import { normaliseCode } from '../second-factor/totp.ts';
import type { InRealm } from '../store/in-realm.ts';

export type MailTokenKind = 'reset' | 'verify' | 'register' | 'enrol' | 'change-email';

export interface MailToken {
  readonly kind: MailTokenKind;
  readonly email: string;
  readonly email_folded: string;
  readonly account_id: string | null;
  readonly password_hash: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

interface NewMailToken {
  readonly hash: Buffer;
  readonly kind: MailTokenKind;
  readonly email: string;
  readonly folded: string;
  readonly accountId: string | null;
  readonly passwordHash: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly expiresMs: number;
}

export async function insertMailToken(people: InRealm, token: NewMailToken): Promise<void> {
  await people.rows(
    `INSERT INTO auth.mail_tokens (realm, hash, kind, email, email_folded, account_id, password_hash, details, expires)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      token.hash,
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

export async function dropMailTokens(people: InRealm, accountId: string, kind: MailTokenKind): Promise<void> {
  const sql = 'DELETE FROM auth.mail_tokens WHERE realm = $1 AND account_id = $2 AND kind = $3';
  await people.rows(sql, [accountId, kind]);
}

export interface TokenLookup {
  readonly hash: Buffer;
  readonly kinds: readonly MailTokenKind[];
  readonly nowMs: number;
}

const columns = 'kind, email, email_folded, account_id, password_hash, details';

export async function findMailToken(
  people: InRealm,
  { hash, kinds, nowMs }: TokenLookup,
): Promise<MailToken | null> {
  const [row] = await people.rows<MailToken>(
    `SELECT ${columns} FROM auth.mail_tokens WHERE realm = $1 AND hash = $2 AND kind = ANY ($3) AND expires > $4`,
    [hash, kinds, new Date(nowMs)],
  );
  return row ?? null;
}

/** Whether a code of this kind was mailed to the account and is still valid. */
export async function hasMailToken(
  people: InRealm,
  { accountId, kind, nowMs }: { accountId: string; kind: MailTokenKind; nowMs: number },
): Promise<boolean> {
  const rows = await people.rows(
    'SELECT FROM auth.mail_tokens WHERE realm = $1 AND account_id = $2 AND kind = $3 AND expires > $4 LIMIT 1',
    [accountId, kind, new Date(nowMs)],
  );
  return rows.length > 0;
}

/** Returned to only one caller, who may use it. Deletes all other codes of its kind for the address. */
export async function spendMailToken(
  people: InRealm,
  { hash, kinds, nowMs }: TokenLookup,
): Promise<MailToken | null> {
  const [row] = await people.rows<MailToken>(
    `DELETE FROM auth.mail_tokens WHERE realm = $1 AND hash = $2 AND kind = ANY ($3) AND expires > $4
     RETURNING ${columns}`,
    [hash, kinds, new Date(nowMs)],
  );
  if (!row) return null;
  await people.rows('DELETE FROM auth.mail_tokens WHERE realm = $1 AND email_folded = $2 AND kind = $3', [
    row.email_folded,
    row.kind,
  ]);
  return row;
}

export function hashMailCode({ keyring }: Accounts, text: string): Buffer {
  return keyring.mac('mail token', text);
}

/** The stored form of the code that is mailed for the setup of a second factor, for any spelling of it. */
export function hashEnrolmentCode({ keyring }: Accounts, accountId: string, code: string): Buffer {
  return keyring.mac('enrolment mail', accountId, normaliseCode(code));
}
