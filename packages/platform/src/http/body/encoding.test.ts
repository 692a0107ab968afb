import fc from 'fast-check';
import { expect, test } from 'vitest';
import { negotiateCoding } from './encoding.ts';

// Invariant (HTTP): An answer never uses an encoding that the client rejects or, for `*`, may not know
test.each([
  // Nothing is said, or nothing that is offered: as it is.
  [undefined, 'identity'],
  ['', 'identity'],
  [' , ,', 'identity'],
  ['deflate', 'identity'],
  ['identity', 'identity'],
  // Casing, spaces and old names mean nothing.
  ['gzip', 'gzip'],
  ['GZIP;Q=0.5', 'gzip'],
  ['x-gzip', 'gzip'],
  ['X-GZip ; q=0.3', 'gzip'],
  ['\tbr\t;\tq=1', 'br'],
  // Between codings that are named alike, the one that costs least here.
  ['gzip, deflate, br, zstd', 'zstd'],
  ['gzip, deflate, br', 'br'],
  ['identity, gzip', 'gzip'],
  ['gzip;q=1.0, br;q=0.8, zstd;q=0.2', 'gzip'],
  ['identity, gzip;q=0.5', 'identity'],
  ['gzip;q=0.001', 'gzip'],
  // A coding that is refused.
  ['br;q=0, gzip', 'gzip'],
  ['gzip;q=0.000', 'identity'],
  ['x-gzip;q=0, gzip', 'identity'],
  // Named twice: a refusal stands, and the lower weight counts.
  ['gzip, gzip;q=0', 'identity'],
  ['gzip;q=0, gzip', 'identity'],
  ['zstd, gzip;q=0.5, zstd;q=0.1', 'gzip'],
  // Any: what every client of HTTP reads, never what is only read where it is named.
  ['*', 'gzip'],
  ['*;q=0.1', 'gzip'],
  ['*;q=0.1, zstd;q=0', 'gzip'],
  ['br, *', 'br'],
  ['br;q=0.5, *', 'gzip'],
  ['gzip;q=0, *', 'identity'],
  ['*, gzip;q=0.5', 'identity'],
  ['identity;q=0.5, *', 'gzip'],
  // Nothing else: what is not named is refused, as it is unless it is named.
  ['gzip, *;q=0', 'gzip'],
  ['identity;q=0.5, *;q=0', 'identity'],
  ['identity;q=0, gzip;q=0.1', 'gzip'],
  ['identity;q=0, gzip;q=0, *', 'br'],
  ['gzip;q=0, br;q=0, identity;q=0, *', 'zstd'],
  // Nothing is acceptable: an answer as it is says more than none.
  ['*;q=0', 'identity'],
  ['identity;q=0', 'identity'],
  ['identity;q=0, *;q=0', 'identity'],
  // A weight that is none: as if the coding were not named.
  ['gzip;q=nonsense', 'identity'],
  ['gzip;q=7', 'identity'],
  ['gzip;q=-1, br', 'br'],
  ['gzip;q=.5', 'identity'],
  ['gzip;q=', 'identity'],
  ['gzip;level=9', 'gzip'],
] as const)('for Accept-Encoding %j the coding is %s', (header, coding) => {
  expect(negotiateCoding(header)).toBe(coding);
});

test('a coding that the client refuses is never chosen', () => {
  const others = fc.array(fc.oneof(fc.string(), fc.constantFrom('*', 'gzip', 'br', 'zstd', 'identity;q=0')));
  fc.assert(
    fc.property(fc.constantFrom('gzip', 'br', 'zstd'), others, others, (refused, before, after) => {
      const header = [...before, `${refused};q=0`, ...after].join(',');
      expect(negotiateCoding(header)).not.toBe(refused);
    }),
  );
});

test('brotli and zstd are only for clients that name them, unless all others are refused', () => {
  const items = fc.array(fc.constantFrom('*', '*;q=0.5', 'gzip;q=0', 'deflate', 'identity;q=0.2'));
  fc.assert(
    fc.property(items, (said) => {
      expect(['gzip', 'identity']).toContain(negotiateCoding(said.join(', ')));
    }),
  );
});
