import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import type { Connection } from '../engine/engine.ts';
import { quotedIdentifier, stringLiteral } from '../sql/literal.ts';
import type { Coding } from './content-coding.ts';
import type { Spool, SpooledFile } from './spool.ts';

/** Decodes a coding that Node does not know: the engine reads the packed file and writes a plain one. */
export async function* unpackWithEngine(
  connection: Connection,
  spool: Spool,
  packed: { file: SpooledFile; coding: Coding },
): AsyncIterable<Uint8Array> {
  const plain = spool.reserve();
  const table = quotedIdentifier(`_packed_${basename(plain.path)}`);
  const source = `${stringLiteral(packed.file.path)} COMPRESSION ${stringLiteral(packed.coding)}`;
  const target = `${stringLiteral(plain.path)} TRUNCATE`;
  try {
    await connection.query(`CREATE TEMPORARY TABLE ${table} (bytes String) ENGINE = Memory`, 'Null');
    await connection.write(`INSERT INTO ${table} FROM INFILE ${source} FORMAT RawBLOB`);
    await connection.query(`SELECT bytes FROM ${table} INTO OUTFILE ${target} FORMAT RawBLOB`, 'Null');
    await connection.query(`DROP TEMPORARY TABLE ${table}`, 'Null');
    yield* createReadStream(plain.path);
  } finally {
    await plain.remove();
    await packed.file.remove();
  }
}
