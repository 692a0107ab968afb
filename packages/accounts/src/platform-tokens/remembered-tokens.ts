import type { Queryable } from '@tickrate/postgres';

export interface RememberedToken {
  readonly hash: string;
  readonly identity: Buffer;
}

export function findRememberedTokens(
  db: Queryable,
  scopes: readonly Buffer[],
  { hashes, nowMs }: { readonly hashes: readonly string[]; readonly nowMs: number },
): Promise<RememberedToken[]> {
  return db.query<RememberedToken>(
    `SELECT DISTINCT ON (hash) encode(hash, 'hex') AS hash, identity FROM auth.remembered_tokens
     WHERE scope = ANY ($1) AND hash = ANY (SELECT decode(h, 'hex') FROM unnest($2::text[]) AS h) AND expires > $3`,
    [scopes, hashes, new Date(nowMs)],
  );
}

export async function rememberToken(
  db: Queryable,
  scopes: readonly Buffer[],
  { hash, identity, expiresMs }: RememberedToken & { readonly expiresMs: number },
): Promise<void> {
  await db.query(
    `INSERT INTO auth.remembered_tokens (scope, hash, identity, expires)
     SELECT scope, decode($2, 'hex'), $3, $4 FROM unnest($1::bytea[]) AS scope ON CONFLICT DO NOTHING`,
    [scopes, hash, identity, new Date(expiresMs)],
  );
}
