import { createReadStream } from 'node:fs';
import type { Connection } from '../engine/engine.ts';
import { stringLiteral } from '../sql/literal.ts';
import type { Coding } from './content-coding.ts';
import type { Spool, SpooledFile } from './spool.ts';

/** Undoes a coding that Node does not know: the engine reads the packed file and writes a plain one. */
export async function* unpackWithEngine(
  connection: Connection,
  spool: Spool,
  packed: { file: SpooledFile; coding: Coding },
): AsyncIterable<Uint8Array> {
  const plain = spool.reserve();
  const source = `file(${stringLiteral(packed.file.path)}, RawBLOB, 'all String', ${stringLiteral(packed.coding)})`;
  try {
    await connection.query(
      `SELECT * FROM ${source} INTO OUTFILE ${stringLiteral(plain.path)} TRUNCATE FORMAT RawBLOB`,
      'Null',
    );
    yield* createReadStream(plain.path);
  } finally {
    await plain.remove();
    await packed.file.remove();
  }
}
