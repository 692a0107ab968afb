import { createRecordId, type RandomBytes, systemError } from '@tickrate/contract';
import { type Kysely, type Selectable, sql } from 'kysely';
import { checkText } from '../store/check-text.ts';
import type { RegistryDatabase } from '../store/database-schema.ts';
import { recordVersion, requireVersion } from '../store/record-version.ts';

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
}

export interface SavedEdit extends SavedPlace {
  /** The version that `savedVersion` returned. */
  readonly version: string;
  readonly name?: string | undefined;
  readonly content?: object | undefined;
}

export interface SavedRecords {
  save(record: Omit<SavedRecord, 'id' | 'createdMs'>): Promise<SavedRecord>;
  savedPage(page: SavedPage): Promise<SavedRecord[]>;
  /** Throws 3001, also for a record of another project, and 3004. */
  editSaved(edit: SavedEdit): Promise<SavedRecord>;
  /** Throws 3001. */
  deleteSaved(place: SavedPlace): Promise<SavedRecord>;
}

export function savedVersion({ name, content }: Pick<SavedRecord, 'name' | 'content'>): string {
  return recordVersion({ name, content });
}

interface Deps {
  readonly database: Kysely<RegistryDatabase>;
  readonly now: () => number;
  readonly randomBytes: RandomBytes;
}

const longestName = 200;

export function createSavedRecords({ database, now, randomBytes }: Deps): SavedRecords {
  return {
    async save({ projectId, kind, name, content, createdBy }) {
      checkText('name', name, longestName);
      const createdMs = now();
      const id = createRecordId(createdMs, randomBytes);
      const created = new Date(createdMs);
      await database
        .insertInto('registry.saved')
        .values({
          id,
          kind,
          name,
          created,
          project_id: projectId,
          created_by: createdBy,
          content: JSON.stringify(content),
        })
        .execute();
      return { id, projectId, kind, name, content, createdBy, createdMs };
    },
    async savedPage({ projectId, kind, after = null, limit }) {
      const rows = await database
        .selectFrom('registry.saved')
        .selectAll()
        .where('project_id', '=', projectId)
        .where('kind', '=', kind)
        .$if(after !== null, (query) =>
          query.where(sql<boolean>`(name, id) > (${after?.name}, ${after?.id}::uuid)`),
        )
        .orderBy('name')
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(savedOf);
    },
    editSaved: (edit) => editSaved(database, edit),
    deleteSaved: (place) => deleteSaved(database, place),
  };
}

async function editSaved(database: Kysely<RegistryDatabase>, edit: SavedEdit): Promise<SavedRecord> {
  if (edit.name !== undefined) checkText('name', edit.name, longestName);
  const id = uuidOf(edit);
  return database.transaction().execute(async (transaction) => {
    const row = await transaction
      .selectFrom('registry.saved')
      .selectAll()
      .where('id', '=', id)
      .where('project_id', '=', edit.projectId)
      .where('kind', '=', edit.kind)
      .forUpdate()
      .executeTakeFirst();
    if (!row) throw notFound(edit);
    const current = savedOf(row);
    requireVersion(savedVersion(current), edit.version);
    const edited = { ...current, name: edit.name ?? current.name, content: edit.content ?? current.content };
    await transaction
      .updateTable('registry.saved')
      .set({ name: edited.name, content: JSON.stringify(edited.content) })
      .where('id', '=', id)
      .execute();
    return edited;
  });
}

async function deleteSaved(database: Kysely<RegistryDatabase>, place: SavedPlace): Promise<SavedRecord> {
  const row = await database
    .deleteFrom('registry.saved')
    .where('id', '=', uuidOf(place))
    .where('project_id', '=', place.projectId)
    .where('kind', '=', place.kind)
    .returningAll()
    .executeTakeFirst();
  if (!row) throw notFound(place);
  return savedOf(row);
}

function savedOf(row: Selectable<RegistryDatabase['registry.saved']>): SavedRecord {
  const { id, kind, name, content } = row;
  const createdMs = row.created.getTime();
  return { id, kind, name, content, projectId: row.project_id, createdBy: row.created_by, createdMs };
}

const uuidShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function uuidOf(place: SavedPlace): string {
  if (!uuidShape.test(place.id)) throw notFound(place);
  return place.id;
}

function notFound({ kind, id }: SavedPlace) {
  const objectType = kind === 'query' ? 'savedQuery' : 'dashboard';
  return systemError('objectNotFound', { objectType, invalidIdentifier: id });
}
