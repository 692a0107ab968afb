/*
 * The 128-bit CityHash of version 1.0.2, with which ClickHouse guards its compressed blocks.
 */
const k0 = 0xc3a5c85c97cb3127n;
const k1 = 0xb492b66fbe98f273n;
const k2 = 0x9ae16a3b2f90404fn;
const k3 = 0xc949d7c7509e6557n;
const mul = 0x9ddfea08eb382d69n;

/** The low half, then the high half, each with its low byte first. */
export function cityHash128(bytes: Buffer): Buffer {
  const length = bytes.byteLength;
  if (length >= 16) return hashSeeded(bytes.subarray(16), u64(bytes, 0) ^ k3, u64(bytes, 8));
  if (length >= 8) {
    return hashSeeded(
      bytes.subarray(length),
      u64(bytes, 0) ^ wrap(BigInt(length) * k0),
      u64(bytes, length - 8) ^ k1,
    );
  }
  return hashSeeded(bytes, k0, k1);
}

function hashSeeded(s: Buffer, low: bigint, high: bigint): Buffer {
  return s.byteLength < 128 ? murmur(s, low, high) : hashLong(s, low, high);
}

function hashLong(s: Buffer, low: bigint, high: bigint): Buffer {
  const length = s.byteLength;
  let [x, y, z] = [low, high, wrap(BigInt(length) * k1)];
  let v0 = wrap(rotate(y ^ k1, 49n) * k1 + u64(s, 0));
  let v1 = wrap(rotate(v0, 42n) * k1 + u64(s, 8));
  let w0 = wrap(rotate(wrap(y + z), 35n) * k1 + x);
  let w1 = wrap(rotate(wrap(x + u64(s, 88)), 53n) * k1);
  let at = 0;
  for (; length - at >= 128 || at % 128 !== 0; at += 64) {
    x = wrap(rotate(wrap(x + y + v0 + u64(s, at + 16)), 37n) * k1) ^ w1;
    y = wrap(rotate(wrap(y + v1 + u64(s, at + 48)), 42n) * k1) ^ v0;
    z = rotate(z ^ w0, 33n);
    [v0, v1] = weakHash(s, at, [wrap(v1 * k1), wrap(x + w0)]);
    [w0, w1] = weakHash(s, at + 32, [wrap(z + w1), y]);
    [z, x] = [x, z];
  }
  y = wrap(y + rotate(w0, 37n) * k0 + z);
  x = wrap(x + rotate(wrap(v0 + z), 49n) * k0);
  for (let from = length - 32; from > at - 32; from -= 32) {
    y = wrap(rotate(wrap(y - x), 42n) * k0 + v1);
    w0 = wrap(w0 + u64(s, from + 16));
    x = wrap(rotate(x, 49n) * k0 + w0);
    w0 = wrap(w0 + v0);
    [v0, v1] = weakHash(s, from, [v0, v1]);
  }
  x = hash16(x, v0);
  y = hash16(y, w0);
  return written(wrap(hash16(wrap(x + v1), w1) + y), hash16(wrap(x + w1), wrap(y + v1)));
}

function murmur(s: Buffer, low: bigint, high: bigint): Buffer {
  const length = s.byteLength;
  let [a, b, c, d] = [low, high, 0n, 0n];
  if (length <= 16) {
    a = wrap(mix(wrap(a * k1)) * k1);
    c = wrap(b * k1 + hashShort(s));
    d = mix(wrap(a + (length >= 8 ? u64(s, 0) : c)));
  } else {
    c = hash16(wrap(u64(s, length - 8) + k1), a);
    d = hash16(wrap(b + BigInt(length)), wrap(c + u64(s, length - 16)));
    a = wrap(a + d);
    for (let at = 0; at < length - 16; at += 16) {
      a = wrap((a ^ wrap(mix(wrap(u64(s, at) * k1)) * k1)) * k1);
      b ^= a;
      c = wrap((c ^ wrap(mix(wrap(u64(s, at + 8) * k1)) * k1)) * k1);
      d ^= c;
    }
  }
  a = hash16(a, c);
  b = hash16(d, b);
  return written(a ^ b, hash16(b, a));
}

/** Of at most 16 bytes. */
function hashShort(s: Buffer): bigint {
  const length = s.byteLength;
  if (length > 8) {
    const b = u64(s, length - 8);
    return hash16(u64(s, 0), rotate(wrap(b + BigInt(length)), BigInt(length))) ^ b;
  }
  if (length >= 4) {
    return hash16(BigInt(length) + (BigInt(s.readUInt32LE(0)) << 3n), BigInt(s.readUInt32LE(length - 4)));
  }
  if (length === 0) return k2;
  const y = BigInt((s[0] ?? 0) + ((s[length >> 1] ?? 0) << 8));
  const z = BigInt(length + ((s[length - 1] ?? 0) << 2));
  return wrap(mix(wrap(y * k2) ^ wrap(z * k3)) * k2);
}

function hash16(low: bigint, high: bigint): bigint {
  const a = mix(wrap((low ^ high) * mul));
  return wrap(mix(wrap((high ^ a) * mul)) * mul);
}

type Pair = readonly [bigint, bigint];

function weakHash(s: Buffer, at: number, [first, second]: Pair): Pair {
  const [w, z] = [u64(s, at), u64(s, at + 24)];
  const a = wrap(first + w);
  const b = rotate(wrap(second + a + z), 21n);
  const sum = wrap(a + u64(s, at + 8) + u64(s, at + 16));
  return [wrap(sum + z), wrap(b + rotate(sum, 44n) + a)];
}

function u64(s: Buffer, at: number): bigint {
  return s.readBigUInt64LE(at);
}

function wrap(value: bigint): bigint {
  return BigInt.asUintN(64, value);
}

function rotate(value: bigint, by: bigint): bigint {
  return by === 0n ? value : wrap((value >> by) | (value << (64n - by)));
}

function mix(value: bigint): bigint {
  return value ^ (value >> 47n);
}

function written(low: bigint, high: bigint): Buffer {
  const hash = Buffer.alloc(16);
  hash.writeBigUInt64LE(low, 0);
  hash.writeBigUInt64LE(high, 8);
  return hash;
}
