import { Code, fault } from '../answer/http-fault.ts';
import type { Connection } from '../engine/engine.ts';
import type { ExternalTable } from '../request/request-form.ts';
import type { Spool } from '../request/spool.ts';
import { isIdentifier, quotedIdentifier, stringLiteral } from '../sql/literal.ts';

/** Creates them as temporary tables of the connection. Returns a function that removes them. */
export async function openExternalTables(
  connection: Connection,
  spool: Spool,
  tables: readonly ExternalTable[],
): Promise<() => Promise<void>> {
  const made: string[] = [];
  for (const { name, format, structure, data } of tables) {
    if (!isIdentifier(format)) throw fault(Code.unknownFormat, `Unknown format ${format}`);
    const table = quotedIdentifier(name);
    await connection.query(`CREATE TEMPORARY TABLE ${table} (${structure}) ENGINE = Memory`, 'Null');
    made.push(`DROP TEMPORARY TABLE IF EXISTS ${table}`);
    if (data.size === 0) continue;
    const file = await spool.store(data.stream());
    try {
      await connection.write(`INSERT INTO ${table} FROM INFILE ${stringLiteral(file.path)} FORMAT ${format}`);
    } finally {
      await file.remove();
    }
  }
  return async () => {
    for (const drop of made) await connection.query(drop, 'Null');
  };
}
