/** The first question of clickhouse-go, which it reads in the revision of the protocol that it asks for. */
export function isHello(sql: string): boolean {
  return /^SELECT\s+displayName\(\),\s*version\(\),\s*revision\(\),\s*timezone\(\)$/i.test(sql);
}

const revisionWithSerialization = 54_454;

/**
 * The answer to `isHello`, as a block of the format Native. It says that the revision is 0: all later blocks have neither
 * the head of a block nor flags of columns, whatever the engine.
 */
export function helloBlock(revision: number): Buffer {
  const flag = revision >= revisionWithSerialization ? [Buffer.of(0)] : [];
  const number = Buffer.alloc(4);
  const columns = [
    ['displayName()', 'String', textOf('Tickrate')],
    ['version()', 'String', textOf('25.8.0')],
    ['revision()', 'UInt32', number],
    ['timezone()', 'String', textOf('UTC')],
  ] as const;
  return Buffer.concat([
    revision > 0 ? Buffer.of(1, 0, 2, 0xff, 0xff, 0xff, 0xff, 0) : Buffer.of(),
    Buffer.of(columns.length, 1),
    ...columns.flatMap(([name, type, value]) => [textOf(name), textOf(type), ...flag, value]),
  ]);
}

/** Shorter than 128 bytes. */
function textOf(text: string): Buffer {
  return Buffer.concat([Buffer.of(Buffer.byteLength(text)), Buffer.from(text)]);
}
