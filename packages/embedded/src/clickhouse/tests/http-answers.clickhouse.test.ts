import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ACCESS, httpHarness, RAW_ACCESS } from './http-harness.ts';

const { folder, http, select, table, raw, lines } = httpHarness();

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

  test('take the format from the query, then from the header, then from default_format', async () => {
    expect(await http({ body: 'SELECT 1 AS a' })).toMatchObject({ text: '1\n' });
    const search = { default_format: 'JSONCompactEachRow' };
    expect(await http({ search, body: 'SELECT 1 AS a' })).toMatchObject({ text: '[1]\n' });
    const headers = { ...ACCESS, 'X-ClickHouse-Format': 'CSVWithNames' };
    expect(await http({ headers, search, body: 'SELECT 1 AS a' })).toMatchObject({ text: '"a"\n1\n' });
    expect(await http({ headers, search, body: 'SELECT 1 AS a FORMAT Vertical' })).toMatchObject({
      text: expect.stringContaining('Row 1:'),
      headers: { 'x-clickhouse-format': 'Vertical' },
    });
    expect(await http({ search: { default_format: "CSV' x" }, body: 'SELECT 1' })).toMatchObject({
      status: 404,
    });
  });

  test('take the database from the header, then from the URL', async () => {
    const body = 'SELECT currentDatabase()';
    const headers = { ...ACCESS, 'X-ClickHouse-Database': 'tickrate' };
    expect((await http({ headers, search: { database: 'system' }, body })).text).toBe('tickrate\n');
    expect((await http({ search: { database: 'system' }, body })).text).toBe('system\n');
  });

  test.each([
    ['CREATE', {}, 'CREATE TABLE IF NOT EXISTS formless (a UInt8) ENGINE = Memory'],
    ['INSERT', {}, 'INSERT INTO formless FORMAT CSV\n1\n'],
    ['INSERT of SELECT', {}, 'INSERT INTO formless SELECT 1'],
    ['SET', { default_format: 'JSON' }, 'SET max_threads = 1'],
    ['a fault', { default_format: 'JSON' }, 'SELECT nope'],
  ])('of %s have no result and no format', async (_, search, body) => {
    const { headers } = await http({ search, body });
    expect([headers['x-clickhouse-format'], headers['content-type']]).toEqual([
      undefined,
      'text/plain; charset=UTF-8',
    ]);
  });

  test.each([
    ['SELECT 1 WHERE 0', 'TabSeparated'],
    ['SELECT 1 WHERE 0 FORMAT JSON', 'JSON'],
    ["KILL QUERY WHERE query_id = 'none'", 'TabSeparated'],
    ["KILL QUERY WHERE query_id = 'none' FORMAT JSONEachRow", 'JSONEachRow'],
  ])('of %s have a format, rows or not', async (body, format) => {
    expect((await http({ body })).headers['x-clickhouse-format']).toBe(format);
  });

  test('stream: the first rows arrive while the query runs', async () => {
    const body =
      "SELECT number, sleepEachRow(1), repeat('x', 600000) FROM numbers(20) FORMAT TSV SETTINGS max_block_size = 1";
    const request = `POST / HTTP/1.1\r\n${RAW_ACCESS}Content-Length: ${body.length}\r\n\r\n${body}`;
    const answer = await raw(request, (text) => /\r\n0\t0\t/.test(text));
    expect(answer).not.toContain('19\t0\t');
  });

  test('report the progress of the query when send_progress_in_http_headers=1', async () => {
    const body =
      'SELECT sum(sleepEachRow(0.1)) FROM numbers(10) SETTINGS max_block_size = 1, max_threads = 1';
    const { headers } = await http({ search: { send_progress_in_http_headers: '1' }, body });
    const lines = String(headers['x-clickhouse-progress']).split(/, (?=\{)/);
    const rows = lines.map((line) => Number(JSON.parse(line).read_rows));
    expect(rows.length).toBeGreaterThan(1);
    expect(rows.at(-1)).toBeGreaterThan(rows[0] ?? 0);
    expect((await http({ body: 'SELECT sleep(0.3)' })).headers['x-clickhouse-progress']).toBe(undefined);
  });

  test('wait for up to buffer_size bytes, so that an error has its own status', async () => {
    const body =
      'SELECT throwIf(number = 200000) FROM numbers(300000) FORMAT TSV SETTINGS max_threads = 1, max_block_size = 1000';
    expect((await http({ search: { buffer_size: '10000000' }, body })).status).toBe(500);
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

  test('wait for the end of the query with wait_end_of_query, so that a late error has its own status', async () => {
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

  test('that break off contain the fault at their end and are never complete', async () => {
    const body = 'SELECT throwIf(number = 2999999) FROM numbers(3000000) FORMAT TSV SETTINGS max_threads = 1';
    const answer = await raw(`POST / HTTP/1.1\r\n${RAW_ACCESS}Content-Length: ${body.length}\r\n\r\n${body}`);
    const tag = /X-ClickHouse-Exception-Tag: (\w{16})/.exec(answer)?.[1];
    expect(answer).toContain(`__exception__\r\n${tag}\r\nCode: 395. DB::Exception: `);
    expect(answer.endsWith('\r\n0\r\n\r\n')).toBe(false);
  });
});

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

  test.each([
    ['gzip', gunzipSync],
    ['zstd', zstdDecompressSync],
  ] as const)('are compressed with %s like answers', async (coding, unpack) => {
    const headers = { ...ACCESS, 'Accept-Encoding': coding };
    const reply = await http({ headers, search: { enable_http_compression: '1' }, body: 'SELECT nope' });
    expect([reply.status, reply.headers['content-encoding']]).toEqual([404, coding]);
    expect(unpack(reply.body).toString()).toMatch(/^Code: 47\. /);
    const plain = await http({ headers, search: { enable_http_compression: '0' }, body: 'SELECT nope' });
    expect([plain.headers['content-encoding'], plain.text]).toEqual([
      undefined,
      expect.stringMatching(/^Code: 47\. /),
    ]);
  });

  test.each(['compress', 'decompress'])('refuse %s=1', async (name) => {
    const reply = await http({ search: { [name]: '1' }, body: 'SELECT 1' });
    expect([reply.status, reply.text]).toEqual([501, expect.stringContaining('use Accept-Encoding')]);
  });

  test.each([
    ['data that cannot be read', 'INSERT INTO pathless FORMAT CSV\nx\n'],
    ['data whose columns are unknown', 'INSERT INTO pathless FORMAT Parquet\nnothing\n'],
    ['a statement', 'SELECT nope FROM pathless FORMAT JSON'],
  ])('contain no path of the server: %s', async (_, body) => {
    await select('CREATE TABLE IF NOT EXISTS pathless (a UInt8) ENGINE = MergeTree ORDER BY a');
    const { status, text } = await http({ body });
    expect(status).not.toBe(200);
    expect(text).not.toMatch(/OUTFILE|INFILE|pipe-|shm|spool/);
    expect(text).not.toContain(folder.path);
  });

  test('are logged in one structured line each', async () => {
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
});
