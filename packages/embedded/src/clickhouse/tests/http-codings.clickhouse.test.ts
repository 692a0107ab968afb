import {
  brotliCompressSync,
  brotliDecompressSync,
  deflateSync,
  gunzipSync,
  gzipSync,
  inflateSync,
  zstdCompressSync,
  zstdDecompressSync,
} from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ACCESS, httpHarness } from './http-harness.ts';

const { http, select, table } = httpHarness();

describe('content codings', () => {
  const text = "SELECT 1, repeat('x', 1000)";
  const expected = `1\t${'x'.repeat(1000)}\n`;

  test.each([
    ['gzip', gunzipSync],
    ['deflate', inflateSync],
    ['br', brotliDecompressSync],
    ['zstd', zstdDecompressSync],
  ] as const)('compresses an answer with %s if accepted', async (coding, unpack) => {
    const headers = { ...ACCESS, 'Accept-Encoding': coding };
    const reply = await http({ headers, search: { enable_http_compression: '1' }, body: text });
    expect(reply.headers['content-encoding']).toBe(coding);
    expect(unpack(reply.body).toString()).toBe(expected);
    const plain = await http({ headers, search: { enable_http_compression: '0' }, body: text });
    expect([plain.headers['content-encoding'], plain.text]).toEqual([undefined, expected]);
  });

  test.each(['x', '-5', '1e9', ''])('accepts the level %s', async (http_zlib_compression_level) => {
    const headers = { ...ACCESS, 'Accept-Encoding': 'gzip' };
    const search = { enable_http_compression: '1', http_zlib_compression_level };
    for (const body of ['SELECT 1', 'SELECT nope']) {
      expect((await http({ headers, search, body })).headers['content-encoding']).toBe('gzip');
    }
    expect(await select('SELECT 1')).toBe('1\n');
  });

  test('an answer stays plain where only other codings are accepted', async () => {
    const reply = await http({ headers: { ...ACCESS, 'Accept-Encoding': 'lz4, xz' }, body: text });
    expect([reply.headers['content-encoding'], reply.text]).toEqual([undefined, expected]);
  });

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ] as const)(
    'a query and its data may be packed with %s, together or the data alone',
    async (coding, pack) => {
      await table(`packed_${coding}`, 'a UInt32');
      const headers = { ...ACCESS, 'Content-Encoding': coding };
      await http({ headers, body: pack(`INSERT INTO packed_${coding} FORMAT TSV\n1\n2\n`) });
      await http({
        headers,
        search: { query: `INSERT INTO packed_${coding} FORMAT TSV` },
        body: pack('3\n4\n'),
      });
      expect((await http({ headers, body: pack(`SELECT sum(a) FROM packed_${coding}`) })).text).toBe('10\n');
    },
  );

  test('rejects an unknown coding and damaged data', async () => {
    expect((await http({ headers: { ...ACCESS, 'Content-Encoding': 'lz4' }, body: 'x' })).text).toMatch(
      /^Code: 89\. /,
    );
    expect(
      (await http({ headers: { ...ACCESS, 'Content-Encoding': 'gzip' }, body: 'SELECT 1' })).text,
    ).toMatch(/^Code: 271\. /);
  });
});
