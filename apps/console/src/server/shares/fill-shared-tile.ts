import { createSchemaCheck, parameterInvalid } from '@tickrate/contract';
import { type FilledTile, fillTile, type Tile } from '../../tiles/fill-tile.ts';
import { type DashboardContent, savedQueryContent } from '../saved/saved-operations.ts';

/** What a viewer chooses instead of the defaults of the dashboard. */
interface Given {
  readonly range?: { readonly from: string; readonly to: string } | undefined;
  readonly variables?: Readonly<Record<string, string>> | undefined;
}

export interface SharedTileContext {
  readonly content: DashboardContent;
  /** The content of its saved query; null if it has none. */
  readonly saved: object | null;
  readonly given: Given;
  readonly now: () => number;
}

const defaultSeconds = 7 * 86_400;

/** Null for a tile without a query and without an analysis. Throws 1003 for variables that the dashboard does not have. */
export function fillSharedTile(
  tile: Tile,
  { content, saved, given, now }: SharedTileContext,
): FilledTile | null {
  return fillTile(tile, {
    saved: createSchemaCheck(savedQueryContent).accepts(saved) ? saved : null,
    range: given.range ?? rangeOf(content, now()),
    timeZone: content.timeZone,
    variables: variablesOf(content, given.variables ?? {}),
  });
}

function variablesOf(
  { variables = [] }: DashboardContent,
  given: Readonly<Record<string, string>>,
): ReadonlyMap<string, string> {
  const values = new Map(variables.map(({ name, value }) => [name, value]));
  for (const [name, value] of Object.entries(given)) {
    if (!values.has(name)) throw parameterInvalid('variables', `the dashboard has no variable ${name}`);
    values.set(name, value);
  }
  return values;
}

function rangeOf({ range }: DashboardContent, nowMs: number): { readonly from: string; readonly to: string } {
  if (range !== undefined && 'from' in range) return range;
  const seconds = range?.lastSeconds ?? defaultSeconds;
  return { from: new Date(nowMs - seconds * 1_000).toISOString(), to: new Date(nowMs).toISOString() };
}
