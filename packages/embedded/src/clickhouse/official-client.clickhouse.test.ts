import { Readable } from 'node:stream';
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EmbeddedServer } from '../embedded-server.ts';
import { scratchFolder } from '../scratch-folder.ts';
import { startClickHouse } from './start-clickhouse.ts';

const folder = scratchFolder();
let server: EmbeddedServer;
let client: ClickHouseClient;

beforeAll(async () => {
  server = await startClickHouse({
    dataDir: folder.path,
    port: 0,
    user: 'tickrate',
    password: 'p@ss:word/é',
    database: 'tickrate',
    fast: true,
  });
  client = connect();
});

afterAll(async () => {
  await client.close();
  await server.stop();
  folder.remove();
});

function connect(options: Parameters<typeof createClient>[0] = {}): ClickHouseClient {
  return createClient({
    url: server.url,
    database: 'tickrate',
    max_open_connections: 64,
    log: { level: ClickHouseLogLevel.OFF },
    ...options,
  });
}

async function rows<T>(query: string, options: Record<string, unknown> = {}): Promise<T[]> {
  const result = await client.query({ query, format: 'JSONEachRow', ...options });
  return result.json<T>();
}

async function table(name: string, columns: string): Promise<string> {
  await client.command({ query: `CREATE TABLE ${name} (${columns}) ENGINE = MergeTree ORDER BY tuple()` });
  return name;
}

describe('queries', () => {
  test('ping succeeds, with and without a query', async () => {
    expect(await client.ping()).toEqual({ success: true });
    expect(await client.ping({ select: true })).toEqual({ success: true });
  });

  test.each([
    ['JSON', (text: string) => JSON.parse(text).data, [{ n: 0 }, { n: 1 }]],
    ['JSONCompact', (text: string) => JSON.parse(text).rows, 2],
    ['JSONEachRow', (text: string) => text, '{"n":0}\n{"n":1}\n'],
    ['CSVWithNames', (text: string) => text, '"n"\n0\n1\n'],
    ['TabSeparated', (text: string) => text, '0\n1\n'],
  ] as const)('returns a result in the format %s', async (format, read, expected) => {
    const result = await client.query({ query: 'SELECT toUInt8(number) AS n FROM numbers(2)', format });
    expect(read(await result.text())).toEqual(expected);
  });

  test('streams a large result completely, row by row', async () => {
    const result = await client.query({
      query: 'SELECT number AS n, repeat(toString(number), 3) AS s FROM numbers(400000)',
      format: 'JSONEachRow',
    });
    let count = 0;
    let last = 0;
    for await (const batch of result.stream<{ n: number }>()) {
      count += batch.length;
      last = batch.at(-1)?.json<{ n: number }>().n ?? last;
    }
    expect([count, last]).toEqual([400_000, 399_999]);
  });

  test("returns the client's query id", async () => {
    const result = await client.query({ query: 'SELECT 1', query_id: 'my query: 1' });
    expect(result.query_id).toBe('my query: 1');
    await result.text();
  });

  test('creates, selects and reads databases', async () => {
    await client.command({ query: 'CREATE DATABASE project_x' });
    const other = connect({ database: 'project_x' });
    await other.command({ query: 'CREATE TABLE t (a UInt8) ENGINE = MergeTree ORDER BY a' });
    await other.insert({ table: 't', values: [{ a: 7 }], format: 'JSONEachRow' });
    await other.close();
    await client.command({ query: 'CREATE VIEW over AS SELECT a FROM project_x.t' });
    expect(await rows('SELECT a FROM over')).toEqual([{ a: 7 }]);
  });

  test('exec returns the raw bytes of a binary format', async () => {
    const { stream } = await client.exec({ query: 'SELECT toUInt32(1) AS a FORMAT RowBinary' });
    expect(Buffer.concat(await Readable.from(stream).toArray())).toEqual(Buffer.from([1, 0, 0, 0]));
  });

  test('the summary of a query contains the number of its rows', async () => {
    const result = await client.query({ query: 'SELECT number FROM numbers(1000)' });
    await result.text();
    const summary = JSON.parse(String(result.response_headers['x-clickhouse-summary']));
    expect(summary).toMatchObject({ result_rows: '1000', read_rows: '1000' });
  });
});

describe('parameters', () => {
  test.each([
    ['String', 'it\'s \\ "quoted" `ticks`'],
    ['String', 'a\nb\tc\rd\0e\b'],
    ['String', 'žluťoučký 🐎 \u2028'],
    ['String', "'; DROP TABLE x; --"],
    ['Int64', '-9223372036854775808'],
    ['Array(String)', ["a'b", 'c\\d', 'e\nf', '']],
    ['Array(Array(UInt8))', [[1, 2], []]],
    ['Map(String, UInt8)', { "k'": 1, b: 2 }],
    ['Nullable(String)', null],
    ['Bool', true],
    ['Date', '2026-02-28'],
    ['Float64', 1.5],
  ])('a %s arrives unchanged: %j', async (type, value) => {
    const [row] = await rows<{ v: unknown }>(`SELECT {v: ${type}} AS v`, {
      query_params: { v: value },
      clickhouse_settings: { output_format_json_quote_64bit_integers: 1 },
    });
    expect(row?.v).toEqual(value);
  });

  test('an identifier parameter is quoted if necessary', async () => {
    await client.command({ query: 'CREATE TABLE `odd ``name` (a UInt8) ENGINE = Memory' });
    expect(
      await rows('SELECT count() AS c FROM {t: Identifier}', { query_params: { t: 'odd `name' } }),
    ).toEqual([{ c: 0 }]);
  });

  test('sends parameters that exceed a URL as a form', async () => {
    const values = Array.from({ length: 5000 }, (_, i) => `value ' ${i}`);
    const query = 'SELECT length({v: Array(String)}) AS n, {v: Array(String)}[5000] AS last';
    const options = { query_params: { v: values }, use_multipart_params_auto: true };
    expect(await rows(query, options)).toEqual([{ n: 5000, last: "value ' 4999" }]);
  });

  test('a missing parameter fails with 456, also after a request with it', async () => {
    await rows('SELECT {gone: UInt8} AS v', { query_params: { gone: 1 } });
    await expect(rows('SELECT {gone: UInt8} AS v')).rejects.toMatchObject({ code: '456' });
  });
});

describe('settings', () => {
  test('a setting applies to its request only', async () => {
    const query = "SELECT getSetting('max_threads') AS n";
    const [before] = await rows<{ n: number }>(query);
    expect(await rows(query, { clickhouse_settings: { max_threads: 13 } })).toEqual([{ n: 13 }]);
    expect(await rows(query)).toEqual([before]);
  });

  test('a format setting changes the format', async () => {
    const settings = { output_format_json_quote_64bit_integers: 1 as const };
    expect(await rows('SELECT toUInt64(1) AS n', { clickhouse_settings: settings })).toEqual([{ n: '1' }]);
  });

  test('an unknown setting fails with 115', async () => {
    await expect(rows('SELECT 1', { clickhouse_settings: { no_such: 1 } })).rejects.toMatchObject({
      code: '115',
      type: 'UNKNOWN_SETTING',
    });
  });
});

describe('inserts', () => {
  test('an array of rows is stored and counted', async () => {
    await table('ins_array', 'a UInt32, s String');
    const { summary } = await client.insert({
      table: 'ins_array',
      values: [
        { a: 1, s: "quote ' and\nbreak" },
        { a: 2, s: 'ž' },
      ],
      format: 'JSONEachRow',
    });
    expect(summary).toMatchObject({ written_rows: '2' });
    expect(await rows('SELECT * FROM ins_array ORDER BY a')).toEqual([
      { a: 1, s: "quote ' and\nbreak" },
      { a: 2, s: 'ž' },
    ]);
  });

  test('a stream of rows is stored', async () => {
    await table('ins_stream', 'a UInt32');
    await client.insert({
      table: 'ins_stream',
      values: Readable.from(
        Array.from({ length: 20_000 }, (_, a) => ({ a })),
        { objectMode: true },
      ),
      format: 'JSONEachRow',
    });
    expect(await rows('SELECT count() AS c, max(a) AS m FROM ins_stream')).toEqual([
      { c: 20_000, m: 19_999 },
    ]);
  });

  test('stores a stream of raw CSV in the named columns', async () => {
    await table('ins_csv', "a UInt32, b String DEFAULT 'none', c UInt8");
    await client.insert({
      table: 'ins_csv',
      columns: ['c', 'a'],
      values: Readable.from(['1,10\n2,', '20\n'], { objectMode: false }),
      format: 'CSV',
    });
    expect(await rows('SELECT a, b, c FROM ins_csv ORDER BY a')).toEqual([
      { a: 10, b: 'none', c: 1 },
      { a: 20, b: 'none', c: 2 },
    ]);
  });

  test('an empty array succeeds and stores nothing', async () => {
    await table('ins_none', 'a UInt32');
    await client.insert({ table: 'ins_none', values: [], format: 'JSONEachRow' });
    expect(await rows('SELECT count() AS c FROM ins_none')).toEqual([{ c: 0 }]);
  });

  test('an asynchronous insert is stored when it returns', async () => {
    await table('ins_async', 'a UInt32');
    const settings = { async_insert: 1 as const, wait_for_async_insert: 0 as const };
    await client.insert({
      table: 'ins_async',
      values: [{ a: 1 }],
      format: 'JSONEachRow',
      clickhouse_settings: settings,
    });
    expect(await rows('SELECT count() AS c FROM ins_async')).toEqual([{ c: 1 }]);
  });

  test('command and exec insert with VALUES and with SELECT', async () => {
    await table('ins_values', 'a Int64, s String');
    await client.command({ query: "INSERT INTO ins_values VALUES (1, 'x;y'), (2, concat('a', 'b'))" });
    await client.command({
      query: 'INSERT INTO ins_values SELECT {a: Int64}, {s: String}',
      query_params: { a: 3, s: "q'" },
    });
    const { stream } = await client.exec({ query: "INSERT INTO ins_values VALUES (4, '(')" });
    stream.destroy();
    expect(await rows('SELECT * FROM ins_values ORDER BY a')).toEqual([
      { a: 1, s: 'x;y' },
      { a: 2, s: 'ab' },
      { a: 3, s: "q'" },
      { a: 4, s: '(' },
    ]);
  });

  test('an error names the invalid row', async () => {
    await table('ins_bad', 'a UInt32');
    const bad = client.insert({
      table: 'ins_bad',
      values: [{ a: 1 }, { a: 2 }, { a: 'x' }],
      format: 'JSONEachRow',
    });
    await expect(bad).rejects.toMatchObject({ code: '27', message: expect.stringContaining('(at row 3)') });
    expect(await rows('SELECT count() AS c FROM ins_bad')).toEqual([{ c: 0 }]);
  });
});

describe('compression', () => {
  test('compresses requests and answers', async () => {
    const packed = connect({ compression: { request: true, response: true } });
    await table('zipped', 'a UInt32, s String');
    const values = Array.from({ length: 5000 }, (_, a) => ({ a, s: `row ${a}` }));
    await packed.insert({ table: 'zipped', values, format: 'JSONEachRow' });
    const result = await packed.query({ query: 'SELECT * FROM zipped ORDER BY a', format: 'JSONEachRow' });
    expect(result.response_headers['content-encoding']).toBe('gzip');
    expect(await result.json()).toEqual(values);
    await packed.close();
  });

  test('errors are readable with compressed answers', async () => {
    const packed = connect({ compression: { request: true, response: true } });
    await expect(packed.query({ query: 'SELECT nope' })).rejects.toMatchObject({ code: '47' });
    await packed.close();
  });
});

describe('faults', () => {
  test.each([
    ['selec 1', '62', 'SYNTAX_ERROR'],
    ['SELECT * FROM no_such_table', '60', 'UNKNOWN_TABLE'],
    ['SELECT no_such_column', '47', 'UNKNOWN_IDENTIFIER'],
    ["SELECT toUInt8('x')", '6', 'CANNOT_PARSE_TEXT'],
    ['SELECT 1; SELECT 2', '62', 'SYNTAX_ERROR'],
    ["SELECT 1 INTO OUTFILE '/tmp/never'", '48', 'NOT_IMPLEMENTED'],
    ['CREATE TABLE tickrate.broken (a Nope) ENGINE = Memory', '50', 'UNKNOWN_TYPE'],
  ])('%s fails with %s', async (query, code, type) => {
    await expect(rows(query)).rejects.toMatchObject({ code, type });
  });

  test('a wrong password fails with 516', async () => {
    const stranger = connect({
      url: `http://127.0.0.1:${server.port}`,
      username: 'tickrate',
      password: 'wrong',
    });
    await expect(stranger.query({ query: 'SELECT 1' })).rejects.toMatchObject({ code: '516' });
    await stranger.close();
  });

  test('a fault in the middle of a stream reaches its reader', async () => {
    const result = await client.query({
      query: 'SELECT number, throwIf(number = 3000000) FROM numbers(4000000) SETTINGS max_threads = 1',
      format: 'JSONEachRow',
    });
    const reading = async (): Promise<number> => {
      let count = 0;
      for await (const batch of result.stream()) count += batch.length;
      return count;
    };
    await expect(reading()).rejects.toMatchObject({ code: '395' });
  });

  test('a query beyond its time limit fails with 159', async () => {
    const settings = { max_execution_time: 1, function_sleep_max_microseconds_per_block: '20000000' };
    const slow = rows('SELECT sleepEachRow(1) FROM numbers(10)', { clickhouse_settings: settings });
    await expect(slow).rejects.toMatchObject({ code: '159' });
  });
});

describe('sessions', () => {
  test('temporary tables, settings and the database last for one session', async () => {
    const session_id = 'session one';
    await client.command({ query: 'CREATE TEMPORARY TABLE mine (a UInt8)', session_id });
    await client.insert({ table: 'mine', values: [{ a: 5 }], format: 'JSONEachRow', session_id } as never);
    await client.command({ query: 'SET max_threads = 11', session_id });
    const inside = "SELECT (SELECT sum(a) FROM mine) AS s, getSetting('max_threads') AS t";
    expect(await rows(inside, { session_id })).toEqual([{ s: 5, t: 11 }]);
    await expect(rows('SELECT * FROM mine')).rejects.toMatchObject({ code: '60' });
  });

  test('a setting of a request does not stay in its session', async () => {
    const session_id = 'session two';
    await client.command({ query: 'SET max_threads = 9', session_id });
    await rows('SELECT 1', { session_id, clickhouse_settings: { max_threads: 3 } });
    expect(await rows("SELECT getSetting('max_threads') AS t", { session_id })).toEqual([{ t: 9 }]);
  });

  test('a second request in a busy session fails with 373', async () => {
    const session_id = 'session three';
    const query_id = 'in session three';
    const first = rows('SELECT count() FROM numbers(1e12)', { session_id, query_id });
    const outcome = expect(first).rejects.toMatchObject({ code: '394' });
    // The first one of two concurrent requests is the one that arrives first.
    const found = `SELECT count() AS c FROM system.processes WHERE query_id = '${query_id}'`;
    await expect.poll(async () => (await rows(found))[0]).toEqual({ c: 1 });
    await expect(rows('SELECT 1', { session_id })).rejects.toMatchObject({ code: '373' });
    await client.command({ query: `KILL QUERY WHERE query_id = '${query_id}' SYNC` });
    await outcome;
  });
});

describe('cancelled requests', () => {
  const running = (): Promise<{ c: number }[]> =>
    rows(
      "SELECT count() AS c FROM system.processes WHERE query LIKE '%numbers(100000000000)%' AND query NOT LIKE '%processes%'",
    );
  const until = async (count: number): Promise<void> => {
    await expect.poll(async () => (await running())[0]?.c, { timeout: 10_000 }).toBe(count);
  };

  test('an aborted query ends in the engine', async () => {
    const stop = new AbortController();
    const endless = rows('SELECT sum(sipHash64(number)) FROM numbers(100000000000)', {
      abort_signal: stop.signal,
    });
    const outcome = expect(endless).rejects.toThrow();
    await until(1);
    stop.abort();
    await outcome;
    await until(0);
  });

  test('a result that is not read to its end is cancelled', async () => {
    const result = await client.query({
      query: 'SELECT * FROM numbers(100000000000)',
      format: 'JSONEachRow',
    });
    await until(1);
    result.close();
    await until(0);
  });

  test("KILL QUERY ends a query by the client's id", async () => {
    const endless = rows('SELECT sum(number) FROM numbers(100000000000)', { query_id: 'kill me' });
    const outcome = expect(endless).rejects.toMatchObject({ code: '394' });
    await until(1);
    await client.command({ query: "KILL QUERY WHERE query_id = 'kill me' SYNC" });
    await outcome;
    await until(0);
  });
});

test('fifty concurrent clients get their own answers', async () => {
  await table('crowd', 'who UInt32, n UInt32');
  const clients = Array.from({ length: 50 }, () => connect({ max_open_connections: 2 }));
  await Promise.all(
    clients.map(async (each, who) => {
      for (let n = 0; n < 4; n++) {
        await each.insert({ table: 'crowd', values: [{ who, n }], format: 'JSONEachRow' });
        const result = await each.query({
          query: 'SELECT {who: UInt32} AS me, count() AS c FROM crowd WHERE who = {who: UInt32}',
          query_params: { who },
          format: 'JSONEachRow',
        });
        expect(await result.json()).toEqual([{ me: who, c: n + 1 }]);
      }
    }),
  );
  await Promise.all(clients.map((each) => each.close()));
  expect(await rows('SELECT count() AS c, uniqExact(who) AS w FROM crowd')).toEqual([{ c: 200, w: 50 }]);
}, 120_000);
