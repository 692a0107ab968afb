import { type Registry, type SavedKind, type SavedRecord, savedVersion } from '@tickrate/registry';
import Type from 'typebox';
import { nameOf } from '../calls/caller.ts';
import { closed, recordId, timeOf } from '../calls/fields.ts';
import { type ManagedRoute, managed } from '../calls/managed.ts';
import { readPage } from '../calls/pages.ts';
import { dashboards, type SavedOperations, savedQueries } from './saved-operations.ts';

export type SavedRegistry = Pick<Registry, 'save' | 'savedPage' | 'editSaved' | 'deleteSaved'>;

/** Saved records of a project: queries and dashboards. */
export function createSavedRoutes(registry: SavedRegistry): ManagedRoute[] {
  return [...routesOf(registry, 'query', savedQueries), ...routesOf(registry, 'dashboard', dashboards)];
}

const place = Type.Object({ name: Type.String({ maxLength: 200 }), id: recordId }, closed);

function routesOf(
  registry: SavedRegistry,
  kind: SavedKind,
  { create, list, edit, remove }: SavedOperations,
): ManagedRoute[] {
  return [
    managed(create, async ({ caller, body: { name, content } }) => {
      const { projectId } = caller;
      return show(await registry.save({ projectId, kind, name, content, createdBy: nameOf(caller) }));
    }),
    managed(list, ({ caller: { projectId }, query }) =>
      readPage(query, {
        place,
        placeOf: ({ name, id }) => ({ name, id }),
        read: (after, limit) => registry.savedPage({ projectId, kind, after, limit }),
        show,
      }),
    ),
    managed(edit, async ({ caller: { projectId }, params: { id }, body }) =>
      show(await registry.editSaved({ ...body, projectId, kind, id })),
    ),
    managed(remove, async ({ caller: { projectId }, params: { id } }) =>
      show(await registry.deleteSaved({ projectId, kind, id })),
    ),
  ];
}

function show({ id, name, content, createdBy, createdMs }: SavedRecord) {
  const version = savedVersion({ name, content });
  return { id, name, content: { ...content }, createdBy, created: timeOf(createdMs), version };
}
