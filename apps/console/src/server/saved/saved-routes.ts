import { type Registry, type SavedKind, type SavedRecord, savedVersion } from '@tickrate/registry';
import Type from 'typebox';
import { nameOf } from '../calls/caller.ts';
import { closed, recordId, timeOf } from '../calls/fields.ts';
import { type ManagedRoute, managed } from '../calls/managed.ts';
import { readPage } from '../calls/pages.ts';
import { dashboardContent, savedOperations, savedQueryContent } from './saved-operations.ts';

export type SavedRegistry = Pick<Registry, 'save' | 'savedPage' | 'editSaved' | 'deleteSaved'>;

const savedQueries = savedOperations({
  noun: 'SavedQuery',
  plural: 'SavedQueries',
  words: 'query',
  path: '/v1/saved-queries',
  content: savedQueryContent,
  example: {
    id: '019ab2c4-5d6e-7f80-9123-456789abca01',
    name: 'Levels',
    versions: ['sQ1dOhx3YTxZVhSJ', 'sQ2kK0nWT0dRrUmA'],
    content: { sql: 'SELECT level, count() AS n FROM level_up GROUP BY level' },
  },
});
const dashboards = savedOperations({
  noun: 'Dashboard',
  plural: 'Dashboards',
  words: 'dashboard',
  path: '/v1/dashboards',
  content: dashboardContent,
  example: {
    id: '019ab2c4-5d6e-7f80-9123-456789abcb01',
    name: 'Overview',
    versions: ['dB1dOhx3YTxZVhSJ', 'dB2kK0nWT0dRrUmA'],
    content: {
      tiles: [
        {
          title: 'Players',
          chart: 'line',
          columns: 6,
          analysis: { name: 'players', parameters: { per: 'day' } },
        },
      ],
    },
  },
});

/** Saved records of a project: queries and dashboards. */
export function createSavedRoutes(registry: SavedRegistry): ManagedRoute[] {
  return [...routesOf(registry, 'query', savedQueries), ...routesOf(registry, 'dashboard', dashboards)];
}

const place = Type.Object({ name: Type.String({ maxLength: 200 }), id: recordId }, closed);

function routesOf(
  registry: SavedRegistry,
  kind: SavedKind,
  { create, list, edit, remove }: ReturnType<typeof savedOperations>,
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
