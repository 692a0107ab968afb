import { closedObject, parameterInvalid } from '@tickrate/contract';
import { type Registry, type SavedKind, type SavedRecord, savedVersion } from '@tickrate/registry';
import Type from 'typebox';
import type { ConsoleParts } from '../../parts.ts';
import { nameOf } from '../calls/caller.ts';
import { recordId, withTimes } from '../calls/fields.ts';
import { type ManagedRoute, managed } from '../calls/managed.ts';
import { readPage, wordsOf } from '../calls/pages.ts';
import { dashboards, type SavedOperations, savedQueries } from './saved-operations.ts';

export function createSavedRoutes({ registry }: ConsoleParts): ManagedRoute[] {
  return [...routesOf(registry, 'query', savedQueries), ...routesOf(registry, 'dashboard', dashboards)];
}

const place = closedObject({ name: Type.String({ maxLength: 200 }), id: recordId });

function routesOf(
  registry: Registry,
  kind: SavedKind,
  { create, list, get, edit, remove }: SavedOperations,
): ManagedRoute[] {
  return [
    managed(create, async ({ caller, body: { name, content } }) => {
      const { projectId } = caller;
      await checkTiles(registry, projectId, { tiles: tilesOf(content), kept: [] });
      return show(await registry.save({ projectId, kind, name, content, createdBy: nameOf(caller) }));
    }),
    managed(list, ({ caller: { projectId }, query }) =>
      readPage(query, {
        place,
        read: (after, limit) =>
          registry.savedPage({ projectId, kind, after, limit, words: wordsOf(query.search) }),
        show,
      }),
    ),
    managed(get, async ({ caller: { projectId }, params: { id } }) =>
      show(await registry.savedRecord({ projectId, kind, id })),
    ),
    managed(edit, async ({ caller: { projectId }, params: { id }, body }) => {
      const tiles = tilesOf(body.content);
      if (tiles.length > 0) {
        const before = await registry.savedRecord({ projectId, kind, id });
        await checkTiles(registry, projectId, { tiles, kept: tilesOf(before.content) });
      }
      return show(await registry.editSaved({ ...body, projectId, kind, id }));
    }),
    managed(remove, async ({ caller: { projectId }, params: { id } }) =>
      show(await registry.deleteSaved({ projectId, kind, id })),
    ),
  ];
}

interface QueryTile {
  readonly savedQueryId?: string | undefined;
}

function tilesOf(content: object | undefined): readonly QueryTile[] {
  return content !== undefined && 'tiles' in content ? (content.tiles as readonly QueryTile[]) : [];
}

interface CheckedTiles {
  readonly tiles: readonly QueryTile[];
  /** Their queries may be gone: an edit of something else does not fail for them. */
  readonly kept: readonly QueryTile[];
}

/** Throws 1003 for the first tile whose saved query is not one of this project. */
async function checkTiles(
  registry: Registry,
  projectId: string,
  { tiles, kept }: CheckedTiles,
): Promise<void> {
  const ids = tiles.flatMap(({ savedQueryId }) => savedQueryId ?? []);
  if (ids.length === 0) return;
  const own = await registry.savedIds({ projectId, kind: 'query', ids });
  const known = new Set([...own, ...kept.map(({ savedQueryId }) => savedQueryId)]);
  const at = tiles.findIndex(({ savedQueryId }) => savedQueryId !== undefined && !known.has(savedQueryId));
  if (at >= 0) throw parameterInvalid(`content.tiles.${at}.savedQueryId`, 'no saved query of this project');
}

function show({ projectId: _project, kind: _kind, ...record }: SavedRecord) {
  return { ...withTimes(record), content: { ...record.content }, version: savedVersion(record) };
}
