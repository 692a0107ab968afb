import { fillTile, type TileContext } from '../../../../tiles/fill-tile.ts';
import type { Tile } from '../use-dashboards.ts';
import { questionOf } from './analysis-of.ts';
import type { TileOrigin } from './use-tile.ts';

const anyRange = { from: '1970-01-01T00:00:00Z', to: '1970-01-01T00:00:00Z' };

/** The question of a tile with its filters, where it can be changed. Null for one that Explore cannot show whole. */
export function originOf(
  tile: Tile,
  saved: TileContext['saved'],
  variables: TileContext['variables'],
): TileOrigin | null {
  const filled = fillTile(tile, { saved, range: anyRange, timeZone: undefined, variables });
  if (filled === null) return null;
  if (filled.kind === 'query') return { page: 'sql', sql: filled.body.sql };
  const { from: _, to: __, ...parameters } = filled.body;
  const question = questionOf({ name: filled.name, parameters: withoutEmpty(parameters) });
  return question && { page: 'explore', question };
}

/** A condition of an empty filter leaves an empty list, which Explore leaves out. */
function withoutEmpty(parameters: object): Record<string, unknown> {
  const isEmpty = (name: string, value: unknown) =>
    name === 'where' && Array.isArray(value) && value.length === 0;
  return JSON.parse(
    JSON.stringify(parameters, (name, value: unknown) => (isEmpty(name, value) ? undefined : value)),
  );
}
