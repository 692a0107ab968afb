import fc from 'fast-check';
import { expect, test } from 'vitest';
import { negotiateCoding } from './http-encoding.ts';

test('the coding is the one that the client likes best of those offered', () => {
  for (const [header, coding] of [
    [undefined, 'identity'],
    ['', 'identity'],
    ['deflate', 'identity'],
    ['gzip', 'gzip'],
    ['GZIP;Q=0.5', 'gzip'],
    ['x-gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1.0, br;q=0.8, zstd;q=0.2', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['*', 'zstd'],
    ['*;q=0.1, zstd;q=0', 'br'],
    ['identity, gzip;q=0.5', 'identity'],
    ['gzip;q=nonsense', 'gzip'],
    ['gzip;q=7', 'identity'],
  ] as const) {
    expect([header, negotiateCoding(header)]).toEqual([header, coding]);
  }
});

test('a coding that the client refuses is never chosen, whatever else it says', () => {
  fc.assert(
    fc.property(fc.constantFrom('gzip', 'br', 'zstd'), fc.array(fc.string()), (refused, rest) => {
      const header = [`${refused};q=0`, ...rest.map((each) => each.replaceAll(refused, ''))].join(',');
      expect(negotiateCoding(header)).not.toBe(refused);
    }),
  );
});
