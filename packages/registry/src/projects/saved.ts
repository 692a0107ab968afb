import { createRecordId, objectNotFound, uuidShape } from '@tickrate/contract';
import { milliseconds, type Queryable } from '@tickrate/postgres';
import { checkText, recordVersion, requireVersion } from '../store/record-version.ts';
import type { RegistryDeps } from '../store/registry-deps.ts';

export type SavedKind = 'query' | 'dashboard';

/** A record that a user saved for the whole project. */
export interface SavedRecord {
  readonly id: string;
  readonly projectId: string;
  readonly kind: SavedKind;
  readonly name: string;
  /** The code that defines the kind owns its schema. */
  readonly content: object;
  readonly createdBy: string;
  readonly createdMs: number;
}

export interface SavedPlace {
  readonly projectId: string;
  readonly kind: SavedKind;
  readonly id: string;
}

export interface SavedPage extends Omit<SavedPlace, 'id'> {
  /** Records after this one, by name. */
  readonly after?: { readonly name: string; readonly id: string } | null;
  readonly limit: number;
  /** Only records with each of these in their name, in any case. */
  readonly words?: readonly string[];
}

export interface SavedEdit extends SavedPlace {
  /** The version that `savedVersion` returned. */
  readonly version: string;
  readonly name?: string | undefined;
  readonly content?: object | undefined;
}

export interface SavedIds {
  readonly projectId: string;
  readonly kind: SavedKind;
  /** UUIDs. */
  readonly ids: readonly string[];
}

export function savedVersion({ name, content }: Pick<SavedRecord, 'name' | 'content'>): string {
  return recordVersion({ name, content });
}

const columns = `id, project_id AS "projectId", kind, name, content, created_by AS "createdBy",
  ${milliseconds('created')} AS "createdMs"`;
const longestName = 200;

export async function save(
  { db, now, randomBytes }: RegistryDeps,
  record: Omit<SavedRecord, 'id' | 'createdMs'>,
): Promise<SavedRecord> {
  const { projectId, kind, name, content, createdBy } = record;
  checkText('name', name, longestName);
  const createdMs = now();
  const id = createRecordId(createdMs, randomBytes);
  await db.query(
    `INSERT INTO registry.saved (id, project_id, kind, name, content, created_by, created)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [id, projectId, kind, name, JSON.stringify(content), createdBy, new Date(createdMs)],
  );
  return { ...record, id, createdMs };
}

export function pageOfSaved(
  db: Queryable,
  { projectId, kind, after = null, limit, words = [] }: SavedPage,
): Promise<SavedRecord[]> {
  return db.query<SavedRecord>(
    `SELECT ${columns} FROM registry.saved
      WHERE project_id = $1 AND kind = $2 AND ($4::uuid IS NULL OR (name, id) > ($3, $4))
        AND NOT EXISTS (SELECT FROM unnest($6::text[]) AS w (word) WHERE strpos(lower(name), lower(w.word)) = 0)
      ORDER BY name, id LIMIT $5`,
    [projectId, kind, after?.name ?? null, after?.id ?? null, limit, words],
  );
}

/** Throws 3001, also for a record of another project. */
export async function findSaved(db: Queryable, place: SavedPlace): Promise<SavedRecord> {
  const [record] = await db.query<SavedRecord>(
    `SELECT ${columns} FROM registry.saved WHERE id = $1 AND project_id = $2 AND kind = $3`,
    [uuidOf(place), place.projectId, place.kind],
  );
  if (!record) throw notFound(place);
  return record;
}

/** Those of the ids that records of this project and kind have. */
export async function findSavedIds(
  db: Queryable,
  { projectId, kind, ids }: SavedIds,
): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ id: string }>(
    'SELECT id FROM registry.saved WHERE id = ANY ($1::uuid[]) AND project_id = $2 AND kind = $3',
    [ids, projectId, kind],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Throws 3001, also for a record of another project. */
export async function deleteSaved(db: Queryable, place: SavedPlace): Promise<SavedRecord> {
  const [record] = await db.query<SavedRecord>(
    `DELETE FROM registry.saved WHERE id = $1 AND project_id = $2 AND kind = $3 RETURNING ${columns}`,
    [uuidOf(place), place.projectId, place.kind],
  );
  if (!record) throw notFound(place);
  return record;
}

/** Throws 3001, also for a record of another project, and 3004. */
export async function editSaved({ db }: RegistryDeps, edit: SavedEdit): Promise<SavedRecord> {
  if (edit.name !== undefined) checkText('name', edit.name, longestName);
  const [current] = await db.query<SavedRecord>(
    `SELECT ${columns} FROM registry.saved WHERE id = $1 AND project_id = $2 AND kind = $3 FOR UPDATE`,
    [uuidOf(edit), edit.projectId, edit.kind],
  );
  if (!current) throw notFound(edit);
  requireVersion(savedVersion(current), edit.version);
  const edited = { ...current, name: edit.name ?? current.name, content: edit.content ?? current.content };
  await db.query('UPDATE registry.saved SET name = $2, content = $3 WHERE id = $1', [
    edit.id,
    edited.name,
    JSON.stringify(edited.content),
  ]);
  return edited;
}

function uuidOf(place: SavedPlace): string {
  if (!uuidShape.test(place.id)) throw notFound(place);
  return place.id;
}

function notFound({ kind, id }: SavedPlace) {
  return objectNotFound(kind === 'query' ? 'savedQuery' : 'dashboard', id);
}
