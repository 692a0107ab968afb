import {
  apiKeyEnding,
  apiKeyPrefix,
  createApiKeyText,
  createRecordId,
  hashApiKey,
  type KeyKind,
  objectNotFound,
  parameterInvalid,
} from '@tickrate/contract';
import { outcomeOf, type Queryable } from '@tickrate/postgres';
import { checkText, returnedRow } from '../store/record-version.ts';
import type { RegistryDeps } from '../store/registry-deps.ts';
import { type KeyBounds, requireWithin } from './key-bounds.ts';
import { holdMaker } from './key-lineage.ts';
import { type KeyRecord, keyColumns } from './key-record.ts';

export interface KeyRequest {
  readonly projectId: string;
  readonly kind: Exclude<KeyKind, 'session'>;
  readonly comment: string;
  readonly scopes?: readonly string[];
  /** In the form that browsers send: `https://game.example`, `capacitor://localhost`. Null or absent means any. */
  readonly origins?: readonly string[] | null;
  readonly expiresMs?: number | null;
  readonly createdBy: string;
  /**
   * The key that creates it. The new key cannot have more scopes, other origins or a later expiry, and ends with it.
   * Absent bounds are copied.
   */
  readonly parentId?: string | null;
}

/** The text is returned only once. */
export interface CreatedKey {
  readonly text: string;
  readonly key: KeyRecord;
}

/** A key with a new rotation line, or the key that succeeds `previous` in its line. */
export async function createKey(
  deps: RegistryDeps,
  request: KeyRequest,
  previous: { readonly line: string; readonly prefix: string } | null = null,
): Promise<CreatedKey> {
  const { scopes, origins, expiresMs } = await boundsOf(deps, request);
  const nowMs = deps.now();
  if (expiresMs !== null && !(expiresMs > nowMs)) throw parameterInvalid('expires', 'in the past');
  checkKeyTexts(request);

  const id = createRecordId(nowMs, deps.randomBytes);
  // SDKs on the web name the buffer of a game after the visible part of its key: the successor finds what waits there.
  const begin = request.kind === 'public' ? previous?.prefix : undefined;
  const text = createApiKeyText(request.kind, deps.randomBytes, begin);
  const rows = await deps.db
    .query<KeyRecord>(insertion, [
      id,
      previous?.line ?? id,
      request.projectId,
      hashApiKey(text),
      apiKeyPrefix(text),
      apiKeyEnding(text),
      request.kind,
      request.comment,
      scopes,
      origins,
      request.createdBy,
      request.parentId ?? null,
      new Date(nowMs),
      expiresMs === null ? null : new Date(expiresMs),
    ])
    .catch((error: unknown) => {
      throw outcomeOf(error) === 'foreignKeyViolation' ? objectNotFound('project', request.projectId) : error;
    });
  return { text, key: returnedRow(rows) };
}

const insertion = `
INSERT INTO registry.keys
  (id, line, project_id, hash, prefix, ending, kind, comment, scopes, origins, created_by, parent_id, created, expires)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) RETURNING ${keyColumns}`;

/** Absent bounds are copied from the creating key. */
async function boundsOf(deps: RegistryDeps, request: KeyRequest): Promise<KeyBounds> {
  const maker = request.parentId ? await holdMaker(deps, request.parentId) : null;
  const bounds = {
    scopes: request.scopes ?? [],
    origins: request.origins === undefined ? (maker?.origins ?? null) : request.origins,
    expiresMs: request.expiresMs === undefined ? (maker?.expiresMs ?? null) : request.expiresMs,
  };
  if (maker !== null) requireWithin(bounds, maker);
  return bounds;
}

export function listKeys(db: Queryable, projectId: string): Promise<KeyRecord[]> {
  return db.query<KeyRecord>(
    `SELECT ${keyColumns} FROM registry.keys WHERE project_id = $1 ORDER BY created, id`,
    [projectId],
  );
}

export function checkKeyTexts({
  comment,
  createdBy,
  scopes,
  origins,
}: Pick<KeyRequest, 'comment' | 'createdBy' | 'scopes' | 'origins'>): void {
  checkText('comment', comment, 1_000);
  checkText('createdBy', createdBy, 200);
  for (const scope of scopes ?? []) checkText('scopes', scope, 200);
  for (const origin of origins ?? []) {
    const url = URL.parse(origin);
    if (!url?.host || `${url.protocol}//${url.host}` !== origin) {
      throw parameterInvalid('origins', 'not a web origin');
    }
  }
}
