import { expect, test } from 'vitest';
import { requestCoding, responseCoding } from './content-coding.ts';

test.each([
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['gzip', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip;q=0.9, zstd;q=1.0', 'zstd'],
  ['gzip;q=0', undefined],
  ['GZIP', 'gzip'],
  ['lz4, gzip;q=0.5', 'gzip'],
  ['lz4', undefined],
  ['*', undefined],
  ['compress', undefined],
])('Accept-Encoding %j: %s', (header, coding) => {
  expect(responseCoding(header)).toBe(coding);
});

test.each([
  [undefined, undefined],
  ['identity', undefined],
  ['x-gzip', 'gzip'],
  [' ZSTD ', 'zstd'],
])('Content-Encoding %j: %s', (header, coding) => {
  expect(requestCoding(header)).toBe(coding);
});

test.each(['compress', 'lz4', 'xz', 'bz2', 'snappy'])('Content-Encoding %s fails with 89', (coding) => {
  expect(() => requestCoding(coding)).toThrow(expect.objectContaining({ code: 89 }));
});
