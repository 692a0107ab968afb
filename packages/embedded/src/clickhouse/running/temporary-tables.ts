import type { Connection } from '../engine/engine.ts';
import type { Spool } from '../request/spool.ts';
import { stringLiteral } from '../sql/literal.ts';

/** The temporary tables of one request. Names are quoted where they need it. */
export type TemporaryTables = ReturnType<typeof createTemporaryTables>;

export function createTemporaryTables(connection: Connection, spool: Spool) {
  const made: string[] = [];
  return {
    connection,
    async create(table: string, definition: string): Promise<void> {
      await connection.query(`CREATE TEMPORARY TABLE ${table} ${definition}`, 'Null');
      made.push(table);
    },
    /** The rows take the way of a file. */
    async insert(table: string, format: string, rows: AsyncIterable<Uint8Array>): Promise<void> {
      const file = await spool.store(rows);
      try {
        await connection.write(
          `INSERT INTO ${table} FROM INFILE ${stringLiteral(file.path)} FORMAT ${format}`,
        );
      } finally {
        await file.remove();
      }
    },
    /** Only a connection that outlives the request, which is that of a session, needs it. */
    async drop(): Promise<void> {
      for (const table of made) await connection.query(`DROP TEMPORARY TABLE IF EXISTS ${table}`, 'Null');
    },
  };
}
