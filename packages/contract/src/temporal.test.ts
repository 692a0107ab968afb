import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readDate, readDateTime } from './temporal.ts';

function timeOf(text: string): number {
  const bytes = Buffer.from(text);
  return readDateTime(bytes, 0, bytes.length);
}

function dateOf(text: string): number {
  const bytes = Buffer.from(text);
  return readDate(bytes, 0, bytes.length);
}

const dates = fc.date({
  min: new Date('1900-01-01T00:00:00Z'),
  max: new Date('2299-12-31T23:59:59.999Z'),
  noInvalidDate: true,
});

describe('a time of RFC 3339', () => {
  test('is read to the millisecond with any offset', () => {
    fc.assert(
      fc.property(dates, fc.integer({ min: -1439, max: 1439 }), (date, minutes) => {
        const local = new Date(date.getTime() + minutes * 60_000);
        fc.pre(local.getUTCFullYear() >= 1900 && local.getUTCFullYear() < 2300);
        const sign = minutes < 0 ? '-' : '+';
        const size = Math.abs(minutes);
        const offset = `${sign}${two(Math.floor(size / 60))}:${two(size % 60)}`;
        expect(timeOf(local.toISOString().replace('Z', offset))).toBe(date.getTime());
      }),
    );
  });

  test('can have any number of fractional digits; three are kept', () => {
    expect(timeOf('2026-01-02T03:04:05Z')).toBe(Date.UTC(2026, 0, 2, 3, 4, 5));
    expect(timeOf('2026-01-02T03:04:05.1z')).toBe(Date.UTC(2026, 0, 2, 3, 4, 5, 100));
    expect(timeOf('2026-01-02t03:04:05.123999999Z')).toBe(Date.UTC(2026, 0, 2, 3, 4, 5, 123));
  });

  test('can be a leap second, but only at the end of a UTC day', () => {
    expect(timeOf('2016-12-31T23:59:60Z')).toBe(Date.UTC(2017, 0, 1));
    expect(timeOf('1998-12-31T15:59:60.25-08:00')).toBe(Date.UTC(1999, 0, 1, 0, 0, 0, 250));
    expect(timeOf('1961-07-31T23:59:60Z')).toBe(Date.UTC(1961, 7, 1));
    expect(timeOf('2016-12-31T22:59:60Z')).toBeNaN();
    expect(timeOf('2016-12-31T23:59:60+01:00')).toBeNaN();
    expect(timeOf('2299-12-31T23:59:60Z')).toBeNaN();
  });

  test.each([
    '2026-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01T00:00:60Z',
    '2016-12-31T23:59:61Z',
    '2026-01-01 00:00:00Z',
    '2026-01-01T00:00:00',
    '2026-01-01T00:00:00.Z',
    '2026-01-01T00:00:00+0100',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01T00:00:00ZZ',
    '1899-12-31T23:59:59Z',
    '2300-01-01T00:00:00Z',
    '2026-1-01T00:00:00Z',
    '',
  ])('is not %j', (text) => {
    expect(timeOf(text)).toBeNaN();
  });
});

describe('a date', () => {
  test('is read as its day', () => {
    fc.assert(
      fc.property(dates, (date) => {
        const day = date.toISOString().slice(0, 10);
        expect(dateOf(day)).toBe(Date.parse(`${day}T00:00:00Z`) / 86_400_000);
      }),
    );
  });

  test.each(['2026-02-30', '2100-02-29', '1899-12-31', '2300-01-01', '2026-1-1', '20260101'])(
    'is not %j',
    (text) => {
      expect(dateOf(text)).toBeNaN();
    },
  );
});

function two(value: number): string {
  return String(value).padStart(2, '0');
}
