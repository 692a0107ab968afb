import { type Connection, queryRows } from '../engine/engine.ts';
import { quotedIdentifier, stringLiteral } from '../sql/literal.ts';
import { TABLE_ENGINES } from '../sql/sources.ts';

const KEPT = [...TABLE_ENGINES, 'View', 'MaterializedView'];
const OF_THE_ENGINE = ['system', 'INFORMATION_SCHEMA', 'information_schema'];

const list = (names: readonly string[]): string => names.map(stringLiteral).join(', ');

/**
 * Drops the tables of an earlier start whose engine no client can create any more: they would show what is hidden. They
 * keep no rows of their own.
 */
export async function dropRefusedTables(
  connection: Connection,
  write: (line: string) => void,
): Promise<void> {
  const sql = `SELECT database, name, engine FROM system.tables
WHERE NOT is_temporary AND database NOT IN (${list(OF_THE_ENGINE)}) AND engine NOT IN (${list(KEPT)})`;
  const rows = await queryRows<[string, string, string]>(connection, sql);
  for (const [database, name, engine] of rows) {
    // Without SYNC, UNDROP TABLE brings it back.
    await connection.query(`DROP TABLE ${quotedIdentifier(database)}.${quotedIdentifier(name)} SYNC`, 'Null');
    write(
      `The table ${database}.${name} was dropped: the embedded ClickHouse does not support its engine ${engine}`,
    );
  }
}
