import { zstdCompressSync } from 'node:zlib';
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
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
    password: 'secret',
    database: 'tickrate',
  });
  client = createClient({ url: server.url, database: 'tickrate', log: { level: ClickHouseLogLevel.OFF } });
  await client.command({
    query: `CREATE TABLE events (project String, id UInt64, at DateTime64(3), data JSON)
      ENGINE = ReplacingMergeTree ORDER BY (project, id) PARTITION BY toYYYYMM(at)
      SETTINGS non_replicated_deduplication_window = 10000`,
  });
});

afterAll(async () => {
  await client.close();
  await server.stop();
  folder.remove();
});

const INT64 = 0x0a;
const STRING = 0x15;

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}

/** One row of RowBinary with its JSON in the binary form: paths, each with type and value. */
function row(id: number): Buffer {
  const fixed = Buffer.alloc(16);
  fixed.writeBigUInt64LE(BigInt(id), 0);
  fixed.writeBigInt64LE(1_760_000_000_000n + BigInt(id), 8);
  const level = Buffer.alloc(8);
  level.writeBigInt64LE(BigInt(id % 50));
  const members = [
    text('level'),
    Buffer.from([INT64]),
    level,
    text('map.name'),
    Buffer.from([STRING]),
    text(`m${id}`),
  ];
  return Buffer.concat([text('project'), fixed, Buffer.from([2]), ...members]);
}

/** A batch in the format of the worker: the frames of its chunks one after the other. */
function frames(from: number, count: number): Buffer {
  const chunks: Buffer[] = [];
  for (let id = from; id < from + count; id += 300) {
    const rows = Array.from({ length: Math.min(300, from + count - id) }, (_, i) => row(id + i));
    chunks.push(zstdCompressSync(Buffer.concat(rows)));
  }
  return Buffer.concat(chunks);
}

async function insert(
  body: Buffer,
  token: string,
): Promise<{ status: number; reply: string; written: string }> {
  const search = new URLSearchParams({
    database: 'tickrate',
    query: 'INSERT INTO events (project, id, at, data) FORMAT RowBinary',
    insert_deduplication_token: token,
    input_format_binary_read_json_as_string: '0',
    async_insert: '0',
  });
  const response = await fetch(`http://127.0.0.1:${server.port}/?${search}`, {
    method: 'POST',
    headers: { 'X-ClickHouse-User': 'tickrate', 'X-ClickHouse-Key': 'secret', 'Content-Encoding': 'zstd' },
    body: new Uint8Array(body),
  });
  const summary = JSON.parse(response.headers.get('x-clickhouse-summary') ?? '{}');
  return { status: response.status, reply: await response.text(), written: summary.written_rows };
}

async function one(query: string): Promise<unknown> {
  const result = await client.query({ query, format: 'JSONEachRow' });
  return (await result.json())[0];
}

test('stores a batch of concatenated zstd frames of binary rows', async () => {
  expect(await insert(frames(0, 2000), 'batch 1')).toEqual({ status: 200, reply: '', written: '2000' });
  expect(
    await one(
      'SELECT count() AS c, sum(data.level.:Int64) AS s, uniqExact(data.map.name.:String) AS u FROM events WHERE id < 2000',
    ),
  ).toEqual({
    c: 2000,
    s: 49_000,
    u: 2000,
  });
});

test('the same token stores nothing a second time, and another token does', async () => {
  const count = async (): Promise<unknown> =>
    one('SELECT count() AS c FROM events WHERE id >= 5000 AND id < 6000');
  await client.command({
    query: 'ALTER TABLE events MODIFY SETTING max_bytes_to_merge_at_max_space_in_pool = 1',
  });
  for (const token of ['batch 2', 'batch 2', 'batch 2']) await insert(frames(5000, 1000), token);
  expect(await count()).toEqual({ c: 1000 });
  await insert(frames(5000, 1000), 'batch 3');
  expect(await count()).toEqual({ c: 2000 });
  await client.command({ query: 'ALTER TABLE events RESET SETTING max_bytes_to_merge_at_max_space_in_pool' });
});

test('stores two concurrent batches', async () => {
  await Promise.all([insert(frames(10_000, 3000), 'batch 4'), insert(frames(20_000, 3000), 'batch 5')]);
  expect(await one('SELECT count() AS c FROM events WHERE id >= 10000')).toEqual({ c: 6000 });
});

test('names the invalid row and stores nothing of its batch', async () => {
  const broken = Buffer.concat([frames(30_000, 10), zstdCompressSync(row(30_010).subarray(0, 20))]);
  const { status, reply } = await insert(broken, 'batch 6');
  expect([status, reply]).toEqual([
    500,
    expect.stringMatching(/^Code: 33\. .*\(at row 11\)[\s\S]*\(CANNOT_READ_ALL_DATA\)/),
  ]);
  expect(await one('SELECT count() AS c FROM events WHERE id >= 30000')).toEqual({ c: 0 });
});
