import type { StoredColumn } from './declaration/stored/stored-columns.ts';

/** Returns a copy of a stored event in which every personal member with a value is null. Does not change the event. */
export function maskPersonal(
  event: Readonly<Record<string, unknown>>,
  columns: readonly Pick<StoredColumn, 'path' | 'personal'>[],
): Record<string, unknown> {
  const personal = new Set(columns.filter((column) => column.personal).map(({ path }) => path));
  return masked(event, '', personal);
}

function masked(
  value: Readonly<Record<string, unknown>>,
  above: string,
  personal: ReadonlySet<string>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const path = above === '' ? name : `${above}.${name}`;
      if (personal.has(path)) return [name, null];
      return [name, isRecord(member) ? masked(member, path, personal) : member];
    }),
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
