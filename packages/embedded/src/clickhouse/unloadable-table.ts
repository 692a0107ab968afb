import { mkdirSync, renameSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** A table whose definition ClickHouse has accepted, and cannot load again. Without it, the server starts. */
export interface UnloadableTable {
  readonly database: string;
  readonly table: string;
  /** The file with its definition. */
  readonly definition: string;
  readonly reason: string;
}

const lastWords =
  /' failed: Code: \d+\. DB::Exception: (.*): Cannot attach table `([^`]+)`\.`([^`]+)` from metadata file (\S+\.sql) from/s;

/** ClickHouse names the first one in its last words. */
export function findUnloadableTable(lines: readonly string[], folder: string): UnloadableTable | null {
  const data = join(folder, 'data');
  for (const line of lines.toReversed()) {
    const [, reason = '', database = '', table = '', file = ''] = lastWords.exec(line) ?? [];
    // Within the data, ClickHouse writes the path or leaves out its beginning.
    const definition = resolve(data, file);
    if (file !== '' && definition.startsWith(`${data}/`)) return { database, table, definition, reason };
  }
  return null;
}

/** Moves the definition out of the data. The rows of the table stay where they are. Returns where the file is now. */
export function setAside({ database, table, definition }: UnloadableTable, folder: string): string {
  const place = join(folder, 'unloadable', `${database}.${table}.${dirname(definition).slice(-36)}.sql`);
  mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
  renameSync(definition, place);
  return place;
}
