import { createSchemaCheck, parameterInvalid } from '@tickrate/contract';
import { type DashboardContent, savedQueryContent } from '../saved/saved-operations.ts';

type Tile = DashboardContent['tiles'][number];

/** What a viewer chooses instead of the defaults of the dashboard. */
interface Given {
  readonly range?: { readonly from: string; readonly to: string } | undefined;
  readonly variables?: Readonly<Record<string, string>> | undefined;
}

export interface TileContext {
  readonly content: DashboardContent;
  /** The content of its saved query; null if it has none. */
  readonly saved: object | null;
  readonly given: Given;
  readonly now: () => number;
}

/** The call that a tile stands for: its range and its variables are filled in. */
export type FilledTile =
  | { readonly kind: 'analysis'; readonly name: string; readonly body: Readonly<Record<string, unknown>> }
  | { readonly kind: 'query'; readonly body: Readonly<Record<string, unknown>> };

const defaultSeconds = 7 * 86_400;

/** Null for a tile without a query and without an analysis. Throws 1003 for variables that the dashboard does not have. */
export function fillTile(tile: Tile, { content, saved, given, now }: TileContext): FilledTile | null {
  const variables = variablesOf(content, given.variables ?? {});
  const range = given.range ?? rangeOf(content, now());
  const { analysis } = tile;
  if (analysis !== undefined) {
    const { timeZone } = content;
    const parameters = filledConditions(analysis.parameters, variables);
    const body = { ...range, ...(timeZone !== undefined && { timeZone }), ...Object(parameters) };
    return { kind: 'analysis', name: analysis.name, body };
  }
  const query = tile.query ?? saved;
  if (!createSchemaCheck(savedQueryContent).accepts(query)) return null;
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
