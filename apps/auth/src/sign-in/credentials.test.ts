import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { canBeStrong } from './credentials.ts';

test.each([
  '0123456789abcdef0123456789abcdef',
  'fedcba9876543210fedcba9876543210',
  '12345678901234567890123456789012',
  '01234567-89ab-cdef-0123-456789abcdef',
  'abcdefghijklmnopqrstuv',
  'zyxwvutsrqponmlkjihgfe',
  '7c1f09ab7c1f09ab7c1f09ab7c1f09ab',
  'Q4x_9bLmZ7sQ4x_9bLmZ7sQ4x_',
  '00001111222233334444555566667777',
])('%s comes from no random generator', (secret) => {
  expect(canBeStrong(secret)).toBe(false);
});

test('random secrets of 128 bits pass', () => {
  for (let at = 0; at < 1000; at += 1) {
    for (const encoding of ['hex', 'base64', 'base64url'] as const) {
      const secret = randomBytes(16).toString(encoding);
      expect(canBeStrong(secret), secret).toBe(true);
    }
    expect(canBeStrong(randomUUID())).toBe(true);
  }
});
