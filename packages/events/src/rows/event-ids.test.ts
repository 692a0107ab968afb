import { randomFillSync } from 'node:crypto';
import { constants, zstdCompressSync } from 'node:zlib';
import { uuidText } from '@tickrate/contract';
import { expect, test } from 'vitest';
import { createEventIds } from './event-ids.ts';

const ms = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

function idsOf(count: number, fillRandom: (pool: Uint8Array) => void): string[] {
  const ids = createEventIds(fillRandom);
  const out = new Uint8Array(16);
  return Array.from({ length: count }, () => {
    ids.write(out, 0, ms);
    return uuidText(out, 0);
  });
}

test('an id is a UUIDv7 with its millisecond', () => {
  const [id = ''] = idsOf(1, randomFillSync);
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(ms);
});

test('ids of one run ascend without duplicates, also when the counter wraps', () => {
  const ids = idsOf(1_024, (pool) => pool.fill(0xff));
  expect(ids[0]).toMatch(/ffffffff$/);
  expect(ids[1]).toMatch(/00000000$/);
  expect(ids[2]).toMatch(/00000001$/);
  expect(new Set(ids).size).toBe(1_024);
});

test('runs in the same millisecond start with new random bits', () => {
  const ids = idsOf(1_024 * 50, randomFillSync);
  expect(new Set(ids).size).toBe(ids.length);
  expect(new Set(ids.map((id) => id.slice(14, 28))).size).toBe(50);
});

test('the ids of a chunk compress well', () => {
  const bytes = new Uint8Array(16 * 1_000);
  const ids = createEventIds(randomFillSync);
  for (let at = 0; at < bytes.length; at += 16) ids.write(bytes, at, ms);
  const compressed = zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 1 } });
  expect(compressed.length).toBeLessThan(bytes.length / 3);
});
