import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createProjectId, createRecordId } from './record-ids.ts';

test('a project id has twelve characters that cannot be misread', () => {
  expect(createProjectId(() => Uint8Array.from([0, 25, 31, 32, 255, 1, 2, 3, 4, 5, 6, 7]))).toBe(
    'p-a39a9bcdefgh',
  );
  expect(createProjectId(randomBytes)).toMatch(/^p-[a-km-np-z2-9]{12}$/);
});

test('a record id is a UUIDv7 of its time', () => {
  const id = createRecordId(0x0123_4567_89ab, () => new Uint8Array(10).fill(0xff));
  expect(id).toBe('01234567-89ab-7fff-bfff-ffffffffffff');
  expect(createRecordId(1_000, randomBytes) < createRecordId(2_000, randomBytes)).toBe(true);
});
