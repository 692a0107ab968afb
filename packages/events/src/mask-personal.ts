import type { StoredColumn } from './declaration/stored-columns.ts';

/** A stored event without its personal members: each is null that has a value. The event itself stays as it is. */
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
