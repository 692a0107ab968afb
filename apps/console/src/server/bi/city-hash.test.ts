import { expect, test } from 'vitest';
import { cityHash128 } from './city-hash.ts';

const bytes = Buffer.from(Array.from({ length: 700 }, (_, at) => (at * 7 + Math.floor(at / 13)) & 0xff));

// From github.com/go-faster/city 1.0.1, which clickhouse-go uses: the low half, then the high half.
test.each<[length: number, hash: string]>([
  [0, '3df09dfc64c09a2b3cb540c392e51e29'],
  [3, '904c24441e897ae0ead37d2c71af49a5'],
  [7, '2ac1cb1e79a3033e1a511db9333e0d88'],
  [9, 'a265dd086e2f5623b1335aea54897d3b'],
  [16, '371a6c62eb0ec11e5f391b96fb8ecb09'],
  [33, '6adf93f344dcedf47b36f0b7bb9349a5'],
  [143, '4acc57bda290e798e37dc0511493f389'],
  [144, '2ca2f1806dfd9162314d5cdb3221c447'],
  [300, '93d5e5ac2bef4c91a946554bb3742173'],
  [512, '8388e6b619936d621aa329ead0be84be'],
])('the hash of %i bytes is that of ClickHouse', (length, hash) => {
  const halves = cityHash128(bytes.subarray(0, length));
  const texts = [0, 8].map((at) => halves.readBigUInt64LE(at).toString(16).padStart(16, '0'));
  expect(texts.join('')).toBe(hash);
});
