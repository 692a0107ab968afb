const SHORTEST_MATCH = 4;
const LAST_LITERALS = 5;
const MATCH_LIMIT = 12;
const FARTHEST = 65_535;
const HASH_BITS = 14;

/** Packs into one LZ4 block (the format without a frame). */
export function packLz4(data: Buffer): Buffer {
  const out = Buffer.allocUnsafe(data.length + Math.ceil(data.length / 255) + 16);
  const seen = new Int32Array(1 << HASH_BITS).fill(-1);
  let written = 0;
  let anchor = 0;
  for (let at = 0; at < data.length - MATCH_LIMIT; ) {
    const sequence = data.readUInt32LE(at);
    const slot = Math.imul(sequence, 2654435761) >>> (32 - HASH_BITS);
    const candidate = seen[slot] ?? -1;
    seen[slot] = at;
    if (candidate < 0 || at - candidate > FARTHEST || data.readUInt32LE(candidate) !== sequence) {
      at++;
      continue;
    }
    let length = SHORTEST_MATCH;
    while (at + length < data.length - LAST_LITERALS && data[at + length] === data[candidate + length])
      length++;
    written = putSequence(out, written, {
      literals: data.subarray(anchor, at),
      offset: at - candidate,
      length,
    });
    at += length;
    anchor = at;
  }
  return out.subarray(
    0,
    putSequence(out, written, { literals: data.subarray(anchor), offset: 0, length: 0 }),
  );
}

interface Sequence {
  readonly literals: Buffer;
  readonly offset: number;
  /** The length of the match; 0 for the last sequence, which has none. */
  readonly length: number;
}

function putSequence(out: Buffer, from: number, { literals, offset, length }: Sequence): number {
  const extra = length === 0 ? 0 : length - SHORTEST_MATCH;
  let at = out.writeUInt8((Math.min(literals.length, 15) << 4) | Math.min(extra, 15), from);
  if (literals.length >= 15) at = putLength(out, at, literals.length - 15);
  at += literals.copy(out, at);
  if (length === 0) return at;
  at = out.writeUInt16LE(offset, at);
  return extra >= 15 ? putLength(out, at, extra - 15) : at;
}

function putLength(out: Buffer, from: number, length: number): number {
  let at = from;
  let left = length;
  for (; left >= 255; left -= 255) at = out.writeUInt8(255, at);
  return out.writeUInt8(left, at);
}

/** Unpacks one LZ4 block; throws a `RangeError` for any other data or size. */
export function unpackLz4(packed: Buffer, size: number): Buffer {
  const out = Buffer.alloc(size);
  let [at, written] = [0, 0];
  const length = (start: number): number => {
    let total = start;
    if (start !== 15) return total;
    for (let more = 255; more === 255; total += more) more = packed.readUInt8(at++);
    return total;
  };
  while (at < packed.length) {
    const token = packed.readUInt8(at++);
    const literals = length(token >> 4);
    if (at + literals > packed.length || written + literals > size)
      throw new RangeError('literals beyond the end');
    written += packed.copy(out, written, at, at + literals);
    at += literals;
    if (at >= packed.length) break;
    const offset = packed.readUInt16LE(at);
    at += 2;
    const match = length(token & 15) + SHORTEST_MATCH;
    if (offset === 0 || offset > written || written + match > size)
      throw new RangeError('a match out of bounds');
    for (const end = written + match; written < end; written++) out[written] = out[written - offset] ?? 0;
  }
  if (written !== size) throw new RangeError('shorter than it says');
  return out;
}
