import type { SearchSchemaInput } from '@tanstack/react-router';

export interface SqlSearch {
  /** The open tab. */
  readonly tab: string;
  /** A statement that a link brings. It is put into a tab, and not run. */
  readonly sql: string;
}

/** Wrong parts of an address are replaced by their defaults. */
export function readSqlSearch({ tab, sql }: Partial<SqlSearch> & SearchSchemaInput): SqlSearch {
  return {
    tab: typeof tab === 'string' ? tab : '',
    sql: typeof sql === 'string' ? sql.slice(0, 65_536) : '',
  };
}
