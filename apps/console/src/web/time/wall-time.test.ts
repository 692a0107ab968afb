import { expect, test } from 'vitest';
import { fromWallTime, toWallTime } from './wall-time.ts';

const noon = Date.parse('2026-11-22T12:00:00Z');

test('shows and reads the wall clock of a zone, in summer and winter', () => {
  expect(toWallTime(noon, 'Europe/Berlin')).toBe('2026-11-22T13:00:00');
  for (const at of [noon, Date.parse('2026-07-01T00:30:00Z')]) {
    for (const zone of ['UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'America/St_Johns'])
      expect(fromWallTime(toWallTime(at, zone), zone)).toBe(at);
  }
});

test('does not read an incomplete time', () => {
  expect(fromWallTime('2026-11', 'UTC')).toBeNaN();
  expect(fromWallTime('', 'UTC')).toBeNaN();
});
