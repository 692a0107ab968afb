import type { KeyKind } from '@tickrate/contract';
import type { Queryable } from '@tickrate/postgres';
import type { Principal, PrincipalSource } from './principal.ts';

interface KeyRow {
  readonly hash: string;
  readonly id: string;
  readonly line: string;
  readonly project_id: string;
  readonly kind: KeyKind;
  readonly scopes: string[];
  readonly origins: string[] | null;
  readonly expires: Date | null;
}

const findKeys = `
SELECT encode(hash, 'hex') AS hash, id, line, project_id, kind, scopes, origins, expires
FROM registry.keys
WHERE hash = ANY (SELECT decode(h, 'hex') FROM unnest($1::text[]) AS h) AND revoked IS NULL`;

/** Public and administrative keys in their current state in the registry. */
export function createKeySource(db: Queryable): PrincipalSource {
  return async (hashes) => {
    const rows = await db.query<KeyRow>(findKeys, [hashes]);
    return new Map(rows.map((row) => [row.hash, principalOf(row)]));
  };
}

function principalOf(row: KeyRow): Principal {
  return {
    keyId: row.id,
    keyLine: row.line,
    kind: row.kind,
    projectId: row.project_id,
    scopes: row.scopes,
    origins: row.origins,
    sessionId: null,
    accountId: null,
    expiresMs: row.expires?.getTime() ?? null,
    lateEventsUntilMs: null,
  };
}
