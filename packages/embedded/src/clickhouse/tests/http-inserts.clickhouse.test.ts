import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ACCESS, httpHarness, RAW_ACCESS } from './http-harness.ts';

const { folder, http, select, table, port } = httpHarness();

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
  ])('a result in %s can be inserted again', async (format) => {
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

  test('incomplete data store nothing', async () => {
    await table('torn', 'a UInt32');
    const head = `POST /?query=INSERT+INTO+torn+FORMAT+TSV HTTP/1.1\r\n${RAW_ACCESS}Content-Length: 1000\r\n\r\n`;
    const socket = await tornPost(`${head}1\n2\n`);
    socket.destroy();
    await expect.poll(() => readdirSync(join(folder.path, 'spool')).length).toBe(0);
    expect(await select('SELECT count() FROM torn')).toBe('0\n');
  });

  test('a query can read the tables of its form', async () => {
    const form = new FormData();
    form.append('things', new Blob(['1\tone\n2\ttwo\n']), 'things.tsv');
    const search = new URLSearchParams({
      query: 'SELECT sum(a), max(b) FROM things',
      things_structure: 'a UInt8, b String',
    });
    const reply = await fetch(`http://127.0.0.1:${port()}/?${search}`, {
      method: 'POST',
      headers: ACCESS,
      body: form,
    });
    expect(await reply.text()).toBe('3\ttwo\n');
  });
});

function tornPost(text: string): Promise<{ destroy(): void }> {
  return new Promise((resolve, reject) => {
    const sending = request({ host: '127.0.0.1', port: port(), method: 'POST', agent: false });
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
