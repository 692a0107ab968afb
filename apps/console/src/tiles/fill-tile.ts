import type { DashboardContent, SavedQueryContent } from '../server/saved/saved-operations.ts';

/*
 * Used by the server for shared dashboards and by the pages for those of a project: both ask the same question.
 */

export type Tile = DashboardContent['tiles'][number];

export interface TileContext {
  /** The content of its saved query; null if it has none. */
  readonly saved: SavedQueryContent | null;
  readonly range: { readonly from: string; readonly to: string };
  readonly timeZone: string | undefined;
  readonly variables: ReadonlyMap<string, string>;
}

/** The call that a tile stands for: its range and its variables are filled in. */
export type FilledTile =
  | { readonly kind: 'analysis'; readonly name: string; readonly body: Readonly<Record<string, unknown>> }
  | {
      readonly kind: 'query';
      readonly body: { readonly sql: string; readonly parameters: Readonly<Record<string, string>> };
    };

/** Null for a tile without a query and without an analysis. */
export function fillTile(tile: Tile, { saved, range, timeZone, variables }: TileContext): FilledTile | null {
  const { analysis } = tile;
  if (analysis !== undefined) {
    const parameters = filledConditions(analysis.parameters, variables);
    const body = { ...range, ...(timeZone !== undefined && { timeZone }), ...Object(parameters) };
    return { kind: 'analysis', name: analysis.name, body };
  }
  const query = tile.query ?? saved;
  if (query === null) return null;
  const { sql, parameters = {} } = query;
  const known = {
    ...parameters,
    from: sqlTime(range.from),
    to: sqlTime(range.to),
    ...Object.fromEntries(variables),
  };
  const named = new Set(Array.from(sql.matchAll(/\{\s*([A-Za-z_]\w*)\s*:/g), ([, name]) => name));
  const used = Object.fromEntries(Object.entries(known).filter(([name]) => named.has(name)));
  return { kind: 'query', body: { sql, parameters: used } };
}

/** As ClickHouse reads a DateTime, in UTC. */
function sqlTime(time: string): string {
  return new Date(time).toISOString().slice(0, 19).replace('T', ' ');
}

/** Conditions with the value `{{name}}` get the value of the variable. While that is empty, they are left out. */
function filledConditions(value: unknown, variables: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) {
    return value.filter((each) => !isEmpty(each, variables)).map((each) => filledConditions(each, variables));
  }
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, filledConditions(member, variables)]),
    );
  }
  const name = variableIn(value);
  return name === null ? value : (variables.get(name) ?? value);
}

function isEmpty(condition: unknown, variables: ReadonlyMap<string, string>): boolean {
  if (typeof condition !== 'object' || condition === null || !('value' in condition)) return false;
  const name = variableIn(condition.value);
  return name !== null && variables.get(name) === '';
}

function variableIn(value: unknown): string | null {
  return typeof value === 'string' ? (/^\{\{([A-Za-z_]\w{0,63})\}\}$/.exec(value)?.[1] ?? null) : null;
}
