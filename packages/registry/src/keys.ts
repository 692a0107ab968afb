import {
  apiKeyPrefix,
  createApiKeyText,
  hashApiKey,
  type KeyKind,
  parameterInvalid,
  systemError,
} from '@tickrate/contract';
import type { Kysely, Selectable, Transaction } from 'kysely';
import { checkText } from './check-text.ts';
import { violatedConstraint } from './database-fault.ts';
import type { RegistryDatabase } from './database-schema.ts';
import { projectNotFound } from './projects.ts';
import { createRecordId, type RandomBytes } from './record-ids.ts';

/** What is shown of a key: never its text, which is not kept. */
export interface KeyRecord {
  readonly id: string;
  readonly projectId: string;
  readonly prefix: string;
  readonly kind: Exclude<KeyKind, 'session'>;
  readonly comment: string;
  readonly scopes: readonly string[];
  readonly origins: readonly string[] | null;
  readonly createdBy: string;
  readonly createdMs: number;
  /** To the minute, and some seconds late. */
  readonly lastUsedMs: number | null;
  readonly expiresMs: number | null;
  readonly revokedMs: number | null;
}

export interface KeyRequest {
  readonly projectId: string;
  readonly kind: Exclude<KeyKind, 'session'>;
  readonly comment: string;
  readonly scopes?: readonly string[];
  /** As a browser sends them: `https://game.example`, `capacitor://localhost`. Null or left out: any. */
  readonly origins?: readonly string[] | null;
  readonly expiresMs?: number | null;
  readonly createdBy: string;
}

/** The text is told this once and cannot be told again. */
export interface CreatedKey {
  readonly text: string;
  readonly key: KeyRecord;
}

export interface RotatedKey extends CreatedKey {
  /** The key that was replaced, with the end of the overlap as its expiry. */
  readonly previous: KeyRecord;
}

export interface KeyRotation {
  readonly keyId: string;
  /** For how long both keys are good: 0 to 7 days. */
  readonly overlapMs: number;
  readonly createdBy: string;
}

interface Deps {
  readonly database: Kysely<RegistryDatabase> | Transaction<RegistryDatabase>;
  readonly now: () => number;
  readonly randomBytes: RandomBytes;
}

const longestOverlapMs = 7 * 24 * 3_600_000;
export const uuidShape = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export async function createKey(deps: Deps, request: KeyRequest): Promise<CreatedKey> {
  return insertKey(deps, request, null);
}

/** A key of its own line, or the next of another's. */
async function insertKey(deps: Deps, request: KeyRequest, line: string | null): Promise<CreatedKey> {
  const nowMs = deps.now();
  const expiresMs = request.expiresMs ?? null;
  if (expiresMs !== null && !(expiresMs > nowMs)) throw parameterInvalid('expires', 'in the past');
  checkKeyTexts(request);

  const id = createRecordId(nowMs, deps.randomBytes);
  const text = createApiKeyText(request.kind, deps.randomBytes);
  const row = await deps.database
    .insertInto('registry.keys')
    .values({
      id,
      line: line ?? id,
      project_id: request.projectId,
      hash: hashApiKey(text),
      prefix: apiKeyPrefix(text),
      kind: request.kind,
      comment: request.comment,
      scopes: [...(request.scopes ?? [])],
      origins: request.origins ? [...request.origins] : null,
      created_by: request.createdBy,
      created: new Date(nowMs),
      expires: expiresMs === null ? null : new Date(expiresMs),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => {
      throw violatedConstraint(error, '23503') === null ? error : projectNotFound(request.projectId);
    });
  return { text, key: keyOf(row) };
}

export async function listKeys(
  { database }: Pick<Deps, 'database'>,
  projectId: string,
): Promise<KeyRecord[]> {
  const rows = await database
    .selectFrom('registry.keys')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('created')
    .orderBy('id')
    .execute();
  return rows.map(keyOf);
}

/** Revoking again changes nothing. */
export async function revokeKey(deps: Pick<Deps, 'database' | 'now'>, keyId: string): Promise<KeyRecord> {
  if (!uuidShape.test(keyId)) throw keyNotFound(keyId);
  await deps.database
    .updateTable('registry.keys')
    .set({ revoked: new Date(deps.now()) })
    .where('id', '=', keyId)
    .where('revoked', 'is', null)
    .execute();
  const row = await deps.database
    .selectFrom('registry.keys')
    .selectAll()
    .where('id', '=', keyId)
    .executeTakeFirst();
  if (!row) throw keyNotFound(keyId);
  return keyOf(row);
}

/** A new key with the rights of the old one, which then expires after the overlap. Must run in a transaction. */
export async function rotateKey(
  deps: Deps & { readonly database: Transaction<RegistryDatabase> },
  { keyId, overlapMs, createdBy }: KeyRotation,
): Promise<RotatedKey> {
  if (!(overlapMs >= 0 && overlapMs <= longestOverlapMs))
    throw parameterInvalid('overlap', 'not 0 to 7 days');
  const { line, ...old } = await lockUsableKey(deps, keyId);
  const nowMs = deps.now();
  const lifeMs = old.expiresMs === null ? null : old.expiresMs - old.createdMs;
  const expiresMs = lifeMs === null ? null : nowMs + lifeMs;
  const created = await insertKey(deps, { ...old, createdBy, expiresMs }, line);
  const endMs = Math.min(nowMs + overlapMs, old.expiresMs ?? Number.POSITIVE_INFINITY);
  const row = await deps.database
    .updateTable('registry.keys')
    .set({ expires: new Date(endMs) })
    .where('id', '=', keyId)
    .returningAll()
    .executeTakeFirstOrThrow();
  return { ...created, previous: keyOf(row) };
}

async function lockUsableKey(
  deps: Pick<Deps, 'database' | 'now'>,
  keyId: string,
): Promise<KeyRecord & { readonly line: string }> {
  if (!uuidShape.test(keyId)) throw keyNotFound(keyId);
  const row = await deps.database
    .selectFrom('registry.keys')
    .selectAll()
    .where('id', '=', keyId)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw keyNotFound(keyId);
  const key = keyOf(row);
  if (key.revokedMs !== null) throw keyNotEditable('revoked');
  if (key.expiresMs !== null && key.expiresMs <= deps.now()) throw keyNotEditable('expired');
  return { ...key, line: row.line };
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

export function keyNotFound(keyId: string): Error {
  return systemError('objectNotFound', { objectType: 'key', invalidIdentifier: keyId });
}

export function keyNotEditable(reason: 'revoked' | 'expired'): Error {
  return systemError('objectNotEditable', { objectNotEditableReason: reason });
}

export function keyOf(row: Selectable<RegistryDatabase['registry.keys']>): KeyRecord {
  return {
    id: row.id,
    projectId: row.project_id,
    prefix: row.prefix,
    kind: row.kind,
    comment: row.comment,
    scopes: row.scopes,
    origins: row.origins,
    createdBy: row.created_by,
    createdMs: row.created.getTime(),
    lastUsedMs: row.last_used?.getTime() ?? null,
    expiresMs: row.expires?.getTime() ?? null,
    revokedMs: row.revoked?.getTime() ?? null,
  };
}
