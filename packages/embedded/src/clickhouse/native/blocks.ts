import { Transform } from 'node:stream';
import { zstdDecompressSync } from 'node:zlib';
import { Code, fault } from '../answer/http-fault.ts';
import { cityHash128 } from './city-hash.ts';
import { packLz4, unpackLz4 } from './lz4-block.ts';

/** A block: 16 bytes of checksum, then method, packed size (from the method on), size, packed data. */
const CHECKSUM = 16;
const HEADER = 9;
const LZ4 = 0x82;
const ZSTD = 0x90;
const PLAIN = 0x02;
const BLOCK_BYTES = 1024 * 1024;
const LARGEST_BLOCK = 1024 * 1024 * 1024;

/** For `compress=1`: ClickHouse's own compressed blocks. */
export function createBlockPacker(): Transform {
  let held: Buffer[] = [];
  let heldBytes = 0;
  const take = (): Buffer | undefined => {
    if (heldBytes === 0) return undefined;
    const block = packBlock(Buffer.concat(held));
    held = [];
    heldBytes = 0;
    return block;
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      held.push(chunk);
      heldBytes += chunk.length;
      done(null, heldBytes >= BLOCK_BYTES ? take() : undefined);
    },
    flush(done) {
      done(null, take());
    },
  });
}

export function packBlock(data: Buffer): Buffer {
  const packed = packLz4(data);
  const block = Buffer.alloc(CHECKSUM + HEADER + packed.length);
  block.writeUInt8(LZ4, CHECKSUM);
  block.writeUInt32LE(HEADER + packed.length, CHECKSUM + 1);
  block.writeUInt32LE(data.length, CHECKSUM + 5);
  packed.copy(block, CHECKSUM + HEADER);
  const [low, high] = cityHash128(block.subarray(CHECKSUM));
  block.writeBigUInt64LE(low, 0);
  block.writeBigUInt64LE(high, 8);
  return block;
}

/** For `decompress=1`: reads ClickHouse's compressed blocks. Throws 271 or 40 for other bodies. */
export async function* unpackBlocks(
  packed: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncIterable<Buffer> {
  let rest = Buffer.alloc(0);
  for await (const chunk of packed) {
    rest = Buffer.concat([rest, chunk]);
    for (let size = blockSize(rest); size !== undefined && rest.length >= size; size = blockSize(rest)) {
      yield unpackBlock(rest.subarray(0, size));
      rest = rest.subarray(size);
    }
  }
  if (rest.length > 0) throw fault(Code.cannotDecompress, 'Cannot decompress: the last block is not whole');
}

function blockSize(data: Buffer): number | undefined {
  if (data.length < CHECKSUM + HEADER) return undefined;
  const size = data.readUInt32LE(CHECKSUM + 1);
  if (size < HEADER || size > LARGEST_BLOCK || data.readUInt32LE(CHECKSUM + 5) > LARGEST_BLOCK) {
    throw fault(Code.cannotDecompress, 'Cannot decompress: the size of a block is out of bounds');
  }
  return CHECKSUM + size;
}

function unpackBlock(block: Buffer): Buffer {
  const [low, high] = cityHash128(block.subarray(CHECKSUM));
  if (block.readBigUInt64LE(0) !== low || block.readBigUInt64LE(8) !== high) {
    throw fault(
      Code.checksumDoesNotMatch,
      'Checksum does not match: the data of a compressed block are damaged',
    );
  }
  const method = block.readUInt8(CHECKSUM);
  const size = block.readUInt32LE(CHECKSUM + 5);
  const packed = block.subarray(CHECKSUM + HEADER);
  try {
    if (method === PLAIN) return packed;
    if (method === ZSTD) return zstdDecompressSync(packed, { maxOutputLength: size });
    if (method === LZ4) return unpackLz4(packed, size);
  } catch (error) {
    throw fault(
      Code.cannotDecompress,
      `Cannot decompress: ${error instanceof Error ? error.message : error}`,
    );
  }
  throw fault(Code.unknownCompressionMethod, `Unknown compression method: ${method}`);
}
