import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createNamedId, createRecordId } from './record-ids.ts';

test('a project id has twelve characters that cannot be misread', () => {
  const bytes = Uint8Array.from([0, 25, 31, 32, 255, 1, 2, 3, 4, 5, 6, 7]);
  expect(createNamedId('p', () => bytes)).toBe('p-a39a9bcdefgh');
  expect(createNamedId('p', randomBytes)).toMatch(/^p-[a-km-np-z2-9]{12}$/);
});

test('ids of accounts, sessions, exchanges and devices have twenty', () => {
  for (const prefix of ['u', 'us', 'x', 'd'] as const) {
    expect(createNamedId(prefix, randomBytes)).toMatch(new RegExp(`^${prefix}-[a-km-np-z2-9]{20}$`));
  }
});

test('a record id is a UUIDv7 of its time', () => {
  const id = createRecordId(0x0123_4567_89ab, () => new Uint8Array(10).fill(0xff));
  expect(id).toBe('01234567-89ab-7fff-bfff-ffffffffffff');
});

const time = fc.integer({ min: 0, max: 2 ** 48 - 1 });
const tenBytes = fc.uint8Array({ minLength: 10, maxLength: 10 });

test('any time and any random bytes make a UUIDv7 that holds both, and sorts by time', () => {
  fc.assert(
    fc.property(time, time, tenBytes, (ms, otherMs, bytes) => {
      const id = createRecordId(ms, () => bytes);
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      const hex = id.replaceAll('-', '');
      expect(Number.parseInt(hex.slice(0, 12), 16)).toBe(ms);
      expect(hex.slice(18)).toBe(Buffer.from(bytes).toString('hex', 3));
      const other = createRecordId(otherMs, () => bytes);
      expect(id < other).toBe(ms < otherMs);
    }),
  );
});
