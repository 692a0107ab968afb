import { createHash } from 'node:crypto';
import { createRecordId, isPermitted, objectNotFound, uuidShape } from '@tickrate/contract';
import { milliseconds, type Queryable } from '@tickrate/postgres';
import type { KeyMaker } from '../keys/key-lineage.ts';
import type { RegistryDeps } from '../store/registry-deps.ts';
import type { SavedRecord } from './saved.ts';

/** A link with which anyone can read one dashboard until it expires. */
export interface Share {
  readonly id: string;
  readonly projectId: string;
  readonly dashboardId: string;
  readonly dashboardName: string;
  readonly createdBy: string;
  readonly createdMs: number;
  readonly expiresMs: number;
}

export interface SharedDashboard {
  readonly shareId: string;
  readonly expiresMs: number;
  readonly dashboard: SavedRecord;
}

export interface ShareRequest {
  readonly projectId: string;
  readonly dashboardId: string;
  readonly createdBy: string;
  /** The key of the call: the link ends with it. Null for a person. */
  readonly keyId: string | null;
  readonly expiresMs: number;
}

export interface SharePage {
  readonly projectId: string;
  /** Shares before this one: the newest come first. */
  readonly before: string | null;
  readonly limit: number;
}

interface SharedRow extends Omit<SavedRecord, 'kind'> {
  readonly shareId: string;
  readonly expiresMs: number;
  readonly keyScopes: readonly string[] | null;
}

/** What a key needs for a link, and while the link is used. */
const shareScope = 'queries:write';
/** The key that made the link, and the newest key of its line, which replaces it after a rotation. */
const keysOfShare = `LEFT JOIN registry.keys maker ON maker.id = s.key_id
          LEFT JOIN LATERAL (SELECT k.* FROM registry.keys k WHERE k.project_id = maker.project_id AND k.line = maker.line
                              ORDER BY k.created DESC, k.id DESC LIMIT 1) heir ON true`;
const isKeyAlive = '(s.key_id IS NULL OR (maker.revoked IS NULL AND heir.revoked IS NULL))';

const columns = `s.id, s.project_id AS "projectId", s.dashboard_id AS "dashboardId", d.name AS "dashboardName",
  s.created_by AS "createdBy", ${milliseconds('s.created')} AS "createdMs", ${milliseconds('s.expires')} AS "expiresMs"`;
/** Of the newest key in the line of the key that made the link. Null for a person's. */
const selectScopes = 'heir.scopes AS "keyScopes"';

/** Newest first, also those that have expired, without those that were revoked or whose key was. */
export function pageOfShares(db: Queryable, { projectId, before, limit }: SharePage): Promise<Share[]> {
  return db.query<Share>(
    `SELECT ${columns} FROM registry.shares s JOIN registry.saved d ON d.id = s.dashboard_id
      ${keysOfShare}
      WHERE s.project_id = $1 AND ${isKeyAlive} AND ($2::uuid IS NULL OR s.id < $2) ORDER BY s.id DESC LIMIT $3`,
    [projectId, before, limit],
  );
}

/** Throws 3001. */
export async function revokeShare(
  db: Queryable,
  { projectId, id }: Pick<Share, 'projectId' | 'id'>,
): Promise<Share> {
  const [share] = uuidShape.test(id)
    ? await db.query<Share>(
        `DELETE FROM registry.shares s USING registry.saved d
          WHERE s.id = $1 AND s.project_id = $2 AND d.id = s.dashboard_id RETURNING ${columns}`,
        [id, projectId],
      )
    : [];
  if (share === undefined) throw objectNotFound('share', id);
  return share;
}

/** Null for a token that is unknown, revoked or expired, or whose key has ended or lost its rights. */
export async function findSharedDashboard(
  { db, now }: RegistryDeps,
  token: string,
): Promise<SharedDashboard | null> {
  const [row] = await db.query<SharedRow>(
    `SELECT s.id AS "shareId", ${milliseconds('s.expires')} AS "expiresMs", d.id, d.project_id AS "projectId", d.name,
            d.content, d.created_by AS "createdBy", ${milliseconds('d.created')} AS "createdMs", ${selectScopes}
       FROM registry.shares s JOIN registry.saved d ON d.id = s.dashboard_id
      ${keysOfShare}
      WHERE s.hash = $1 AND s.expires > $2 AND ${isKeyAlive}
        AND heir.origins IS NULL AND (heir.expires IS NULL OR heir.expires > $2)`,
    [hashOf(token), new Date(now())],
  );
  if (row === undefined || !mayShare(row.keyScopes)) return null;
  const { shareId, expiresMs, keyScopes, ...record } = row;
  return { shareId, dashboard: { ...record, kind: 'dashboard' }, expiresMs };
}

/** The token is returned only once. Throws 3001, also for a dashboard of another project. */
export async function createShare(
  { db, now, randomBytes }: RegistryDeps,
  { projectId, dashboardId, createdBy, keyId, expiresMs }: ShareRequest,
): Promise<{ readonly share: Share; readonly token: string }> {
  const token = Buffer.from(randomBytes(32)).toString('base64url');
  const nowMs = now();
  const [share] = uuidShape.test(dashboardId)
    ? await db.query<Share>(
        `WITH d AS (SELECT id, name, project_id FROM registry.saved WHERE id = $2 AND project_id = $3 AND kind = 'dashboard'),
               s AS (INSERT INTO registry.shares (id, project_id, dashboard_id, hash, created_by, created, expires, key_id)
                     SELECT $1, project_id, id, $4, $5, $6, $7, $8::uuid FROM d RETURNING *)
             SELECT ${columns} FROM s JOIN d ON d.id = s.dashboard_id`,
        [
          createRecordId(nowMs, randomBytes),
          dashboardId,
          projectId,
          hashOf(token),
          createdBy,
          new Date(nowMs),
          new Date(expiresMs),
          keyId,
        ],
      )
    : [];
  if (share === undefined) throw objectNotFound('dashboard', dashboardId);
  return { token, share };
}

/** The links that a person made and those of keys, which end with the rights of the newest key of their line. */
export async function sharesOf(
  db: Queryable,
  { projectId, accountId, keyIds }: KeyMaker & { readonly keyIds: readonly string[] },
): Promise<Share[]> {
  const rows = await db.query<Share & Pick<SharedRow, 'keyScopes'>>(
    `SELECT ${columns}, ${selectScopes} FROM registry.shares s JOIN registry.saved d ON d.id = s.dashboard_id
      ${keysOfShare}
      WHERE s.project_id = $1 AND s.expires > now() AND ${isKeyAlive}
        AND heir.origins IS NULL AND (heir.expires IS NULL OR heir.expires > now())
        AND (s.key_id IS NULL AND s.created_by = $2 OR heir.id = ANY ($3::uuid[]))
      ORDER BY s.id`,
    [projectId, accountId, keyIds],
  );
  return rows.filter((row) => mayShare(row.keyScopes)).map(({ keyScopes, ...share }) => share);
}

/** Ends the links that a person made. The links of a key end with the key's rights. */
export async function endSharesOf(db: Queryable, { projectId, accountId }: KeyMaker): Promise<void> {
  await db.query('DELETE FROM registry.shares WHERE project_id = $1 AND created_by = $2 AND key_id IS NULL', [
    projectId,
    accountId,
  ]);
}

/** Null: a person's link. It is deleted when the person may no longer share. */
function mayShare(keyScopes: readonly string[] | null): boolean {
  return keyScopes === null || isPermitted(keyScopes, shareScope);
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
