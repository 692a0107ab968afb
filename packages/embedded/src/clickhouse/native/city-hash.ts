/**
 * CityHash128 of version 1.0.2, with which ClickHouse checks its compressed blocks.
 * All arithmetic is modulo 2^64.
 */
const K0 = 0xc3a5c85c97cb3127n;
const K1 = 0xb492b66fbe98f273n;
const K2 = 0x9ae16a3b2f90404fn;
const K3 = 0xc949d7c7509e6557n;
const MULTIPLIER = 0x9ddfea08eb382d69n;

type Pair = readonly [bigint, bigint];

/** The low and the high half. */
export function cityHash128(data: Buffer): Pair {
  const length = data.length;
  if (length >= 16) {
    return withSeed(data.subarray(16), [fetch(data, 0) ^ K3, fetch(data, 8)]);
  }
  if (length >= 8) {
    const seed: Pair = [fetch(data, 0) ^ wrap(BigInt(length) * K0), fetch(data, length - 8) ^ K1];
    return withSeed(Buffer.alloc(0), seed);
  }
  return withSeed(data, [K0, K1]);
}

function withSeed(data: Buffer, seed: Pair): Pair {
  if (data.length < 128) return murmur(data, seed);
  let [x, y] = seed;
  let z = wrap(BigInt(data.length) * K1);
  let v: Pair = start(data, y);
  let w: Pair = [wrap(rotate(y + z, 35n) * K1 + x), wrap(rotate(x + fetch(data, 88), 53n) * K1)];
  let at = 0;
  for (; data.length - at >= 128; ) {
    for (const end = at + 128; at < end; at += 64) {
      x = wrap(rotate(x + y + v[0] + fetch(data, at + 16), 37n) * K1) ^ w[1];
      y = wrap(rotate(y + v[1] + fetch(data, at + 48), 42n) * K1) ^ v[0];
      z = rotate(z ^ w[0], 33n);
      v = weak(data, at, [v[1] * K1, x + w[0]]);
      w = weak(data, at + 32, [z + w[1], y]);
      [z, x] = [x, z];
    }
  }
  return finish(data, at, { x, y, z, v, w });
}

function start(data: Buffer, y: bigint): Pair {
  const first = wrap(rotate(y ^ K1, 49n) * K1 + fetch(data, 0));
  return [first, wrap(rotate(first, 42n) * K1 + fetch(data, 8))];
}

interface State {
  x: bigint;
  y: bigint;
  z: bigint;
  v: Pair;
  w: Pair;
}

function finish(data: Buffer, at: number, state: State): Pair {
  let { x, y, v, w } = state;
  const left = data.length - at;
  y = wrap(y + rotate(w[0], 37n) * K0 + state.z);
  x = wrap(x + rotate(v[0] + state.z, 49n) * K0);
  for (let done = 0; done < left; ) {
    done += 32;
    y = wrap(rotate(y - x, 42n) * K0 + v[1]);
    w = [wrap(w[0] + fetch(data, at + left - done + 16)), w[1]];
    x = wrap(rotate(x, 49n) * K0 + w[0]);
    w = [wrap(w[0] + v[0]), w[1]];
    v = weak(data, at + left - done, v);
  }
  x = hash16(x, v[0]);
  y = hash16(y, w[0]);
  return [wrap(hash16(wrap(x + v[1]), w[1]) + y), hash16(wrap(x + w[1]), wrap(y + v[1]))];
}

function murmur(data: Buffer, seed: Pair): Pair {
  let [a, b] = seed;
  let c: bigint;
  let d: bigint;
  const length = data.length;
  if (length <= 16) {
    a = wrap(mix(wrap(a * K1)) * K1);
    c = wrap(b * K1 + hashUpTo16(data));
    d = mix(wrap(a + (length >= 8 ? fetch(data, 0) : c)));
  } else {
    c = hash16(wrap(fetch(data, length - 8) + K1), a);
    d = hash16(wrap(b + BigInt(length)), wrap(c + fetch(data, length - 16)));
    a = wrap(a + d);
    for (let at = 0, left = length - 16; left > 0; at += 16, left -= 16) {
      a = wrap((a ^ wrap(mix(wrap(fetch(data, at) * K1)) * K1)) * K1);
      b ^= a;
      c = wrap((c ^ wrap(mix(wrap(fetch(data, at + 8) * K1)) * K1)) * K1);
      d ^= c;
    }
  }
  a = hash16(a, c);
  b = hash16(d, b);
  return [a ^ b, hash16(b, a)];
}

function hashUpTo16(data: Buffer): bigint {
  const length = data.length;
  const size = BigInt(length);
  if (length > 8) {
    const b = fetch(data, length - 8);
    return hash16(fetch(data, 0), rotate(b + size, size)) ^ b;
  }
  if (length >= 4) {
    return hash16(wrap(size + (BigInt(data.readUInt32LE(0)) << 3n)), BigInt(data.readUInt32LE(length - 4)));
  }
  if (length === 0) return K2;
  const [a, b, c] = [data.readUInt8(0), data.readUInt8(length >> 1), data.readUInt8(length - 1)];
  const y = BigInt(a + (b << 8));
  const z = BigInt(length + (c << 2));
  return wrap(mix(wrap(y * K2) ^ wrap(z * K3)) * K2);
}

function weak(data: Buffer, at: number, seeds: Pair): Pair {
  const [w, x, y, z] = [fetch(data, at), fetch(data, at + 8), fetch(data, at + 16), fetch(data, at + 24)];
  const first = wrap(seeds[0] + w);
  const sum = wrap(first + x + y);
  const b = wrap(rotate(seeds[1] + first + z, 21n) + rotate(sum, 44n));
  return [wrap(sum + z), wrap(b + first)];
}

function hash16(low: bigint, high: bigint): bigint {
  const a = mix(wrap((low ^ high) * MULTIPLIER));
  const b = mix(wrap((high ^ a) * MULTIPLIER));
  return wrap(b * MULTIPLIER);
}

const fetch = (data: Buffer, at: number): bigint => data.readBigUInt64LE(at);
const wrap = (value: bigint): bigint => BigInt.asUintN(64, value);
const mix = (value: bigint): bigint => value ^ (value >> 47n);

function rotate(value: bigint, by: bigint): bigint {
  const bits = wrap(value);
  return wrap((bits >> by) | (bits << (64n - by)));
}
