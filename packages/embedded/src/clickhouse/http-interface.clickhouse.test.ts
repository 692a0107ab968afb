import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
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
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EmbeddedServer } from '../embedded-server.ts';
import { scratchFolder } from '../scratch-folder.ts';
import { packBlock, unpackBlocks } from './native/blocks.ts';
import { startClickHouse } from './start-clickhouse.ts';

const folder = scratchFolder();
const lines: string[] = [];
let server: EmbeddedServer;

beforeAll(async () => {
  server = await startClickHouse({
    dataDir: folder.path,
    port: 0,
    user: 'tickrate',
    password: 'secret',
    database: 'tickrate',
    onLog: (line) => lines.push(line),
  });
});

afterAll(async () => {
  await server.stop();
  folder.remove();
});

interface Call {
  readonly method?: string;
  readonly path?: string;
  readonly search?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

interface Reply {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: Buffer;
  readonly text: string;
}

const ACCESS = { 'X-ClickHouse-User': 'tickrate', 'X-ClickHouse-Key': 'secret' };

/** What curl would do: nothing is added, nothing is unpacked. */
function http({ method = 'POST', path = '/', search = {}, headers = ACCESS, body }: Call): Promise<Reply> {
  const query = new URLSearchParams(search).toString();
  return new Promise((resolve, reject) => {
    const sending = request(
      {
        host: '127.0.0.1',
        port: server.port,
        method,
        path: query === '' ? path : `${path}?${query}`,
        headers,
        agent: false,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const all = Buffer.concat(chunks);
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: all,
            text: all.toString(),
          });
        });
      },
    );
    sending.on('error', reject);
    sending.end(body);
  });
}

const select = (sql: string): Promise<string> => http({ body: sql }).then(({ text }) => text);

async function table(name: string, columns: string): Promise<void> {
  expect(await select(`CREATE TABLE ${name} (${columns}) ENGINE = MergeTree ORDER BY tuple()`)).toBe('');
}

describe('health and other paths', () => {
  test('/ping and /replicas_status answer without credentials', async () => {
    for (const path of ['/ping', '/replicas_status', '/']) {
      expect(await http({ method: 'GET', path, headers: {} })).toMatchObject({ status: 200, text: 'Ok.\n' });
    }
  });

  test('HEAD has no body, OPTIONS tells what is allowed, unknown paths and methods are 404', async () => {
    expect(await http({ method: 'HEAD', path: '/ping' })).toMatchObject({ status: 200, text: '' });
    const options = await http({ method: 'OPTIONS', headers: { Origin: 'http://x' } });
    expect([options.status, options.headers['access-control-allow-methods']]).toEqual([
      204,
      'POST, GET, HEAD, OPTIONS',
    ]);
    expect((await http({ method: 'GET', path: '/nope' })).status).toBe(404);
    expect((await http({ method: 'DELETE', search: { query: 'SELECT 1' } })).status).toBe(404);
  });
});

describe('credentials', () => {
  const search = { query: 'SELECT 1' };
  const basic = (text: string): Record<string, string> => ({
    Authorization: `Basic ${Buffer.from(text).toString('base64')}`,
  });

  test.each([
    ['headers', { search, headers: ACCESS }],
    ['Basic', { search, headers: basic('tickrate:secret') }],
    ['the URL', { search: { ...search, user: 'tickrate', password: 'secret' }, headers: {} }],
  ])('%s let in', async (_, call) => {
    expect(await http({ method: 'GET', ...call })).toMatchObject({ status: 200, text: '1\n' });
  });

  test.each([
    ['a wrong password', { search, headers: { ...ACCESS, 'X-ClickHouse-Key': 'no' } }, 403],
    ['an unknown user', { search, headers: basic('nobody:secret') }, 403],
    ['two ways at once', { search, headers: { ...ACCESS, ...basic('tickrate:secret') } }, 403],
    ['no credentials', { search, headers: {} }, 401],
  ])('%s: 516', async (_, call, status) => {
    const reply = await http({ method: 'GET', ...call });
    expect([reply.status, reply.headers['x-clickhouse-exception-code']]).toEqual([status, '516']);
  });
});

describe('where the query is', () => {
  test('in the URL, in the body, or begun in one and ended in the other', async () => {
    expect((await http({ method: 'GET', search: { query: 'SELECT 1' } })).text).toBe('1\n');
    expect((await http({ body: 'SELECT 2' })).text).toBe('2\n');
    expect((await http({ search: { query: 'SELECT' }, body: '3' })).text).toBe('3\n');
  });

  test('in a URL of half a megabyte', async () => {
    const list = Array.from({ length: 90_000 }, (_, i) => i).join(',');
    const search = {
      query: `SELECT length([${list}])`,
      max_query_size: '1000000',
      max_ast_elements: '1000000',
    };
    expect((await http({ search, body: '' })).text).toBe('90000\n');
  });

  test('in chunks of unknown length', async () => {
    const reply = await http({ headers: { ...ACCESS, 'Transfer-Encoding': 'chunked' }, body: 'SELECT 4' });
    expect(reply.text).toBe('4\n');
  });

  test('a POST without a length is refused', async () => {
    const sending = await fetch(`http://127.0.0.1:${server.port}/?query=SELECT+1`, {
      method: 'POST',
      headers: ACCESS,
    });
    expect(await sending.text()).toBe('1\n');
    const bare = await rawPost(
      'POST /?query=SELECT+1 HTTP/1.1\r\nHost: x\r\nX-ClickHouse-User: tickrate\r\nX-ClickHouse-Key: secret\r\nConnection: close\r\n\r\n',
    );
    expect(bare).toMatch(/^HTTP\/1\.1 411 [\s\S]*Code: 381\. /);
  });

  test('comments, semicolons and settings around it do not matter', async () => {
    expect(await select('-- first\n /* and */ SELECT 5 -- last\n;;')).toBe('5\n');
    expect(await select('SELECT 6 FORMAT CSV SETTINGS max_threads = 1')).toBe('6\n');
    expect(await select('SELECT 7 SETTINGS max_threads = 1 -- FORMAT JSON')).toBe('7\n');
    expect(await select("SELECT 'FORMAT JSON' AS format FORMAT TSV;")).toBe('FORMAT JSON\n');
  });

  test('an empty query is the fault 62', async () => {
    expect(await http({ body: ' -- nothing' })).toMatchObject({
      status: 400,
      text: expect.stringMatching(/^Code: 62\. /),
    });
  });
});

describe('answers', () => {
  test('have the headers of ClickHouse', async () => {
    const reply = await http({ search: { query_id: 'abc' }, body: 'SELECT 1 FORMAT JSONEachRow' });
    expect(reply.headers).toMatchObject({
      'content-type': 'application/x-ndjson; charset=UTF-8',
      'x-clickhouse-format': 'JSONEachRow',
      'x-clickhouse-query-id': 'abc',
      'x-clickhouse-timezone': 'UTC',
      'x-clickhouse-server-display-name': expect.stringMatching(/./),
      'x-clickhouse-summary': expect.stringContaining('"read_rows":"1"'),
    });
  });

  test('take the format from the query, then from default_format, then from the header', async () => {
    expect(await http({ body: 'SELECT 1 AS a' })).toMatchObject({ text: '1\n' });
    const headers = { ...ACCESS, 'X-ClickHouse-Format': 'CSVWithNames' };
    expect(await http({ headers, body: 'SELECT 1 AS a' })).toMatchObject({ text: '"a"\n1\n' });
    const search = { default_format: 'JSONCompactEachRow' };
    expect(await http({ headers, search, body: 'SELECT 1 AS a' })).toMatchObject({ text: '[1]\n' });
    expect(await http({ headers, search, body: 'SELECT 1 AS a FORMAT Vertical' })).toMatchObject({
      text: expect.stringContaining('Row 1:'),
      headers: { 'x-clickhouse-format': 'Vertical' },
    });
    expect(await http({ search: { default_format: "CSV' x" }, body: 'SELECT 1' })).toMatchObject({
      status: 404,
    });
  });

  test('of SHOW, DESCRIBE, EXPLAIN, EXISTS and CHECK have rows', async () => {
    await table('shown', 'a UInt8');
    expect(await select("SHOW TABLES LIKE 'shown'")).toBe('shown\n');
    expect(await select('DESCRIBE TABLE shown FORMAT CSV')).toMatch(/^"a","UInt8"/);
    expect(await select('EXPLAIN SELECT 1')).toMatch(/ReadFromSystemOne/);
    expect(await select('EXISTS TABLE shown')).toBe('1\n');
    expect(await select('CHECK TABLE shown SETTINGS check_query_single_value_result = 1')).toBe('1\n');
    expect(await select('SHOW CREATE TABLE shown FORMAT TSVRaw')).toMatch(/^CREATE TABLE/);
  });

  test('to HEAD have the headers and no body', async () => {
    const reply = await http({ method: 'HEAD', search: { query: 'SELECT 1 FORMAT CSV' } });
    expect([reply.status, reply.headers['x-clickhouse-format'], reply.text]).toEqual([200, 'CSV', '']);
  });

  test('are whole in formats that have a beginning and an end', async () => {
    const json = JSON.parse(await select('SELECT number FROM numbers(200000) FORMAT JSON'));
    expect([json.rows, json.data.length]).toEqual([200_000, 200_000]);
    const parquet = (await http({ body: 'SELECT number FROM numbers(200000) FORMAT Parquet' })).body;
    expect(parquet.toString('latin1').match(/PAR1/g)).toHaveLength(2);
  });

  test('wait for the end of the query when asked to, and then a late fault has its own status', async () => {
    const body = 'SELECT throwIf(number = 2999999) FROM numbers(3000000) FORMAT TSV';
    const search = { wait_end_of_query: '1' };
    expect(await http({ search, body })).toMatchObject({
      status: 500,
      text: expect.stringMatching(/^Code: 395\. /),
    });
    const whole = await http({ search, body: 'SELECT number FROM numbers(1000000)' });
    expect([whole.body.length, whole.headers['x-clickhouse-summary']]).toEqual([
      6_888_890,
      expect.stringContaining('"read_rows":"1000000"'),
    ]);
  });

  test('that break off tell the fault at their end and are never whole', async () => {
    const body = 'SELECT throwIf(number = 2999999) FROM numbers(3000000) FORMAT TSV SETTINGS max_threads = 1';
    const raw = await rawPost(
      `POST / HTTP/1.1\r\nHost: x\r\nX-ClickHouse-User: tickrate\r\nX-ClickHouse-Key: secret\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    const tag = /X-ClickHouse-Exception-Tag: (\w{16})/.exec(raw)?.[1];
    expect(raw).toContain(`__exception__\r\n${tag}\r\nCode: 395. DB::Exception: `);
    expect(raw.endsWith('\r\n0\r\n\r\n')).toBe(false);
  });
});

function rawPost(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const sending = request({
      host: '127.0.0.1',
      port: server.port,
      method: 'GET',
      path: '/ping',
      agent: false,
    });
    sending.on('error', reject);
    sending.on('socket', (socket) => {
      socket.removeAllListeners('data');
      socket.on('connect', () => {
        socket.removeAllListeners();
        socket.on('data', (chunk: Buffer) => chunks.push(chunk));
        socket.on('error', reject);
        socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
        socket.write(text);
      });
    });
  });
}

describe('faults', () => {
  test.each([
    ['SELECT nope', 404, 47, 'UNKNOWN_IDENTIFIER'],
    ['SELECT 1 FORMAT Nope', 404, 73, 'UNKNOWN_FORMAT'],
    ['selec 1', 400, 62, 'SYNTAX_ERROR'],
    ["SELECT toDate('x')", 400, 38, 'CANNOT_PARSE_DATE'],
    ['SELECT * FROM nope.nope', 404, 81, 'UNKNOWN_DATABASE'],
    ['SELECT throwIf(1)', 500, 395, 'FUNCTION_THROW_IF_VALUE_IS_NON_ZERO'],
  ])('%s: status %i, code %i', async (body, status, code, name) => {
    const reply = await http({ body });
    expect(reply.status).toBe(status);
    expect(reply.headers['x-clickhouse-exception-code']).toBe(String(code));
    expect(reply.text).toMatch(
      new RegExp(
        `^Code: ${code}\\. DB::Exception: [\\s\\S]+\\. \\(${name}\\) \\(version [\\d.]+ \\(official build\\)\\)\\n$`,
      ),
    );
    expect(reply.text).not.toMatch(/OUTFILE|pipe-/);
  });

  test('are told in one structured line each', async () => {
    await http({ search: { query_id: 'logged' }, body: 'SELECT nope' });
    await expect.poll(() => lines.find((line) => line.includes('"logged"'))).toBeDefined();
    const line = JSON.parse(lines.find((each) => each.includes('"logged"')) ?? '{}');
    expect(line).toMatchObject({
      event: 'clickhouse.request.failed',
      code: 47,
      status: 404,
      queryId: 'logged',
    });
  });

  test('a query id that runs already is the fault 216', async () => {
    const search = { query_id: 'twice' };
    const slow = http({ search, body: 'SELECT sleep(1)' });
    const codes = async (): Promise<unknown> =>
      (await http({ search, body: 'SELECT 1' })).headers['x-clickhouse-exception-code'];
    await expect.poll(codes).toBe('216');
    expect((await slow).status).toBe(200);
  });
});

describe('GET only reads', () => {
  const get = (query: string, more: Record<string, string> = {}): Promise<Reply> =>
    http({ method: 'GET', search: { query, ...more } });

  test.each([
    'CREATE TABLE never (a UInt8) ENGINE = Memory',
    'DROP TABLE IF EXISTS shown',
    'INSERT INTO shown VALUES (1)',
  ])('%s is refused, in a session too', async (query) => {
    expect((await get(query)).text).toMatch(/^Code: 164\. /);
    expect((await get(query, { session_id: 'reader' })).text).toMatch(/^Code: 164\. /);
  });

  test('settings may still be given, and a session can write again by POST', async () => {
    expect((await get("SELECT getSetting('max_threads')", { max_threads: '2' })).text).toBe('2\n');
    expect((await get('SELECT 1', { session_id: 'reader' })).text).toBe('1\n');
    const search = { session_id: 'reader' };
    expect((await http({ search, body: 'CREATE TABLE written (a UInt8) ENGINE = Memory' })).status).toBe(200);
  });
});

describe('sessions', () => {
  test('one that must exist and does not is the fault 372', async () => {
    const search = { session_id: 'unheard', session_check: '1' };
    expect((await http({ search, body: 'SELECT 1' })).text).toMatch(/^Code: 372\. /);
  });

  test('one is forgotten after its timeout', async () => {
    const search = { session_id: 'short', session_timeout: '1' };
    await http({ search, body: 'SELECT 1' });
    const check = async (): Promise<string> =>
      (await http({ search: { ...search, session_check: '1', session_timeout: '0' }, body: 'SELECT 1' }))
        .text;
    await expect.poll(check, { timeout: 5000 }).toMatch(/^Code: 372\. /);
  });

  test('a timeout that is no number or too long is the fault 374', async () => {
    for (const session_timeout of ['soon', '3601']) {
      expect((await http({ search: { session_id: 's', session_timeout }, body: 'SELECT 1' })).text).toMatch(
        /^Code: 374\. /,
      );
    }
  });
});

describe('content codings', () => {
  const text = "SELECT 1, repeat('x', 1000)";
  const expected = `1\t${'x'.repeat(1000)}\n`;

  test.each([
    ['gzip', gunzipSync],
    ['deflate', inflateSync],
    ['br', brotliDecompressSync],
    ['zstd', zstdDecompressSync],
  ] as const)('an answer is packed with %s when that is accepted', async (coding, unpack) => {
    const headers = { ...ACCESS, 'Accept-Encoding': coding };
    const reply = await http({ headers, search: { enable_http_compression: '1' }, body: text });
    expect(reply.headers['content-encoding']).toBe(coding);
    expect(unpack(reply.body).toString()).toBe(expected);
    const plain = await http({ headers, search: { enable_http_compression: '0' }, body: text });
    expect([plain.headers['content-encoding'], plain.text]).toEqual([undefined, expected]);
  });

  test('an answer is packed with lz4 by the engine, and it reads that again', async () => {
    await table('lz4ed', 'a UInt8, s String');
    const packed = await http({
      headers: { ...ACCESS, 'Accept-Encoding': 'lz4' },
      search: { enable_http_compression: '1' },
      body: text,
    });
    expect(packed.headers['content-encoding']).toBe('lz4');
    const headers = { ...ACCESS, 'Content-Encoding': 'lz4' };
    expect(
      (await http({ headers, search: { query: 'INSERT INTO lz4ed FORMAT TSV' }, body: packed.body })).text,
    ).toBe('');
    expect(await select('SELECT * FROM lz4ed')).toBe(expected);
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

  test('a query packed with lz4 is unpacked by the engine', async () => {
    const headers = { ...ACCESS, 'Accept-Encoding': 'lz4' };
    const packed = await http({
      headers,
      search: { enable_http_compression: '1' },
      body: "SELECT 'SELECT 8' FORMAT TSVRaw",
    });
    expect((await http({ headers: { ...ACCESS, 'Content-Encoding': 'lz4' }, body: packed.body })).text).toBe(
      '8\n',
    );
  });

  test('an unknown coding and damaged data are faults', async () => {
    expect((await http({ headers: { ...ACCESS, 'Content-Encoding': 'rot13' }, body: 'x' })).text).toMatch(
      /^Code: 89\. /,
    );
    expect(
      (await http({ headers: { ...ACCESS, 'Content-Encoding': 'gzip' }, body: 'SELECT 1' })).text,
    ).toMatch(/^Code: 271\. /);
  });

  test('compress=1 answers in checked blocks, decompress=1 takes them', async () => {
    const reply = await http({ search: { compress: '1' }, body: 'SELECT number FROM numbers(300000)' });
    const parts: Buffer[] = [];
    for await (const part of unpackBlocks(toStream(reply.body))) parts.push(part);
    expect(Buffer.concat(parts).toString()).toBe(
      Array.from({ length: 300_000 }, (_, i) => `${i}\n`).join(''),
    );
    await table('blocks', 'a UInt32');
    const search = { query: 'INSERT INTO blocks FORMAT TSV', decompress: '1' };
    const two = Buffer.concat([packBlock(Buffer.from('1\n2')), packBlock(Buffer.from('0\n3\n'))]);
    expect((await http({ search, body: two })).text).toBe('');
    expect(await select('SELECT sum(a) FROM blocks')).toBe('24\n');
    two[3] = (two[3] ?? 0) ^ 1;
    expect((await http({ search, body: two })).text).toMatch(/^Code: 40\. /);
  });

  test('the checksum of blocks is the one that the engine writes', async () => {
    await select(
      'CREATE TABLE parts (s String CODEC(LZ4)) ENGINE = MergeTree ORDER BY tuple() SETTINGS min_bytes_for_wide_part = 0',
    );
    await select('INSERT INTO parts SELECT repeat(toString(number), 10) FROM numbers(20000)');
    const part = (
      await select("SELECT path FROM system.parts WHERE table = 'parts' AND active LIMIT 1")
    ).trim();
    const path = part.startsWith('/') ? part : join(folder.path, 'data', part);
    const file = readdirSync(path).find((name) => /^s(\.str)?\.bin$/.test(name)) ?? '';
    const unpacked: Buffer[] = [];
    for await (const block of unpackBlocks(toStream(readFileSync(join(path, file))))) unpacked.push(block);
    expect(Buffer.concat(unpacked).toString('latin1')).toContain('1999919999');
  });
});

function* toStream(data: Buffer): Iterable<Buffer> {
  for (let at = 0; at < data.length; at += 10_000) yield data.subarray(at, at + 10_000);
}

describe('inserts', () => {
  test.each([
    ['VALUES in the body', {}, "INSERT INTO many VALUES (1, 'a;b'), (2, 'c')"],
    ['VALUES begun in the URL', { query: 'INSERT INTO many VALUES' }, "(1, 'a;b') (2, 'c')"],
    ['a format behind the statement', {}, 'INSERT INTO many FORMAT TSV\n1\ta;b\n2\tc\n'],
    [
      'a format on the same line',
      {},
      'INSERT INTO many (n, s) FORMAT JSONEachRow {"n":1,"s":"a;b"} {"n":2,"s":"c"}',
    ],
    ['settings before the format', {}, 'INSERT INTO many SETTINGS max_threads = 1 FORMAT CSV\n1,a;b\n2,c\n'],
    ['settings behind the format', {}, 'INSERT INTO many FORMAT CSV SETTINGS max_threads = 1\n1,a;b\n2,c\n'],
    [
      'a format in the URL',
      { query: 'INSERT INTO default.many (s, n) FORMAT CSVWithNames' },
      's,n\na;b,1\nc,2\n',
    ],
    ['SELECT', {}, "INSERT INTO many SELECT number + 1, if(number = 0, 'a;b', 'c') FROM numbers(2);"],
    [
      'WITH and SELECT',
      {},
      "WITH 'c' AS c INSERT INTO many SELECT number + 1, if(number = 0, 'a;b', c) FROM numbers(2)",
    ],
    [
      'input()',
      {
        query:
          "INSERT INTO many SELECT x / 10, concat(y, '') FROM input('x UInt32, y String') WHERE x > 0 FORMAT CSV",
      },
      '10,a;b\n20,c\n0,no\n',
    ],
  ])('%s', async (_, search, body) => {
    await select('DROP TABLE IF EXISTS many');
    await table('many', 'n UInt32, s String');
    const reply = await http({ search, body });
    expect([reply.status, reply.text]).toEqual([200, '']);
    expect(await select('SELECT * FROM many ORDER BY n')).toBe('1\ta;b\n2\tc\n');
  });

  test.each([
    'Native',
    'RowBinary',
    'RowBinaryWithNamesAndTypes',
    'Parquet',
    'Arrow',
    'Avro',
    'MsgPack',
    'JSONCompactEachRow',
    'JSONColumns',
    'TSVWithNamesAndTypes',
    'Values',
    'BSONEachRow',
  ])('what is read in %s can be inserted in it', async (format) => {
    await select('DROP TABLE IF EXISTS round');
    await table('round', 'a UInt32, s String, l Array(Int64), t DateTime64(3)');
    const source =
      "SELECT toUInt32(number) AS a, concat('s''\\n', toString(number)) AS s, [toInt64(number), -1] AS l, toDateTime64('2026-01-02 03:04:05.678', 3) AS t FROM numbers(1000)";
    const { body } = await http({ body: `${source} FORMAT ${format}` });
    const reply = await http({ search: { query: `INSERT INTO round FORMAT ${format}` }, body });
    expect([reply.status, reply.text]).toEqual([200, '']);
    expect(JSON.parse(String(reply.headers['x-clickhouse-summary']))).toMatchObject({ written_rows: '1000' });
    expect(await select(`SELECT count() FROM (SELECT * FROM round EXCEPT ${source})`)).toBe('0\n');
    expect(await select('SELECT uniqExact(a) FROM round')).toBe('1000\n');
  });

  test('data that do not end as they say store nothing', async () => {
    await table('torn', 'a UInt32');
    const head =
      'POST /?query=INSERT+INTO+torn+FORMAT+TSV HTTP/1.1\r\nHost: x\r\nX-ClickHouse-User: tickrate\r\nX-ClickHouse-Key: secret\r\nContent-Length: 1000\r\n\r\n';
    const socket = await tornPost(`${head}1\n2\n`);
    socket.destroy();
    await expect.poll(() => readdirSync(join(folder.path, 'spool')).length).toBe(0);
    expect(await select('SELECT count() FROM torn')).toBe('0\n');
  });

  test('tables brought along in a form are there for the query', async () => {
    const form = new FormData();
    form.append('things', new Blob(['1\tone\n2\ttwo\n']), 'things.tsv');
    const search = new URLSearchParams({
      query: 'SELECT sum(a), max(b) FROM things',
      things_structure: 'a UInt8, b String',
    });
    const reply = await fetch(`http://127.0.0.1:${server.port}/?${search}`, {
      method: 'POST',
      headers: ACCESS,
      body: form,
    });
    expect(await reply.text()).toBe('3\ttwo\n');
  });
});

function tornPost(text: string): Promise<{ destroy(): void }> {
  return new Promise((resolve, reject) => {
    const sending = request({ host: '127.0.0.1', port: server.port, method: 'POST', agent: false });
    sending.on('error', () => undefined);
    sending.on('socket', (socket) => {
      socket.on('error', reject);
      socket.on('connect', () => {
        socket.write(text, () => {
          void expect
            .poll(() => spooled())
            .toBeGreaterThan(0)
            .then(() => resolve(sending), reject);
        });
      });
    });
  });
}

function spooled(): number {
  const memory = readdirSync('/dev/shm').filter((name) => name.startsWith('tickrate-'));
  return (
    readdirSync(join(folder.path, 'spool')).length +
    memory.flatMap((name) => readdirSync(join('/dev/shm', name))).length
  );
}
