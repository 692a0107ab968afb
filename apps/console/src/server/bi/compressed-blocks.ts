import { Transform } from 'node:stream';
import { cityHash128 } from './city-hash.ts';

const mostBytes = 64 * 1024;

/**
 * Frames of LZ4 with a checksum: what ClickHouse sends for `compress=1`. They are not smaller than their content. A driver
 * that asks for them reads nothing else.
 */
export function compressedBlocks(): Transform {
  return new Transform({
    transform(part: Buffer, _encoding, done) {
      for (let at = 0; at < part.byteLength; at += mostBytes)
        this.push(blockOf(part.subarray(at, at + mostBytes)));
      done();
    },
  });
}

function blockOf(content: Buffer): Buffer {
  const literals = lz4Literals(content);
  const head = Buffer.alloc(9);
  head.writeUInt8(0x82, 0);
  head.writeUInt32LE(head.byteLength + literals.byteLength, 1);
  head.writeUInt32LE(content.byteLength, 5);
  const block = Buffer.concat([head, literals]);
  return Buffer.concat([cityHash128(block), block]);
}

/** A sequence of LZ4 without a match. */
function lz4Literals(content: Buffer): Buffer {
  const length = content.byteLength;
  if (length < 15) return Buffer.concat([Buffer.of(length << 4), content]);
  const rest = length - 15;
  return Buffer.concat([
    Buffer.of(0xf0),
    Buffer.alloc(Math.floor(rest / 255), 0xff),
    Buffer.of(rest % 255),
    content,
  ]);
}
