import { beforeAll, expect, test } from 'vitest';
import { httpHarness, type Reply } from './http-harness.ts';

const { http, select, table } = httpHarness();

type More = Readonly<Record<string, string>>;
const get = (query: string, more: More = {}, method = 'GET'): Promise<Reply> =>
  http({ method, search: { query, ...more } });
const post = (body: string, search: More): Promise<Reply> => http({ body, search });

beforeAll(() => table('shown', 'a UInt8'));

const writes = [
  'CREATE TABLE never (a UInt8) ENGINE = Memory',
  'DROP TABLE IF EXISTS shown',
  'INSERT INTO shown VALUES (1)',
  'INSERT INTO shown SELECT 1',
  'ALTER TABLE shown DELETE WHERE 1',
  'CREATE TABLE never ENGINE = Memory AS SELECT 1 SETTINGS readonly = 0',
];

// Invariant (Queries): The embedded ClickHouse serves listed statements only, one per request, and GET
// changes nothing
// Invariant (Tools): GET writes nothing to the embedded ClickHouse, whatever its URL and query say
test.each(writes)('GET rejects %s, also in a session', async (query) => {
  expect((await get(query)).text).toMatch(/^Code: 164\. /);
  expect((await get(query, { session_id: 'reader' })).text).toMatch(/^Code: 164\. /);
});

test.each(['0', '3', '-1', '', ' 0', '00', 'false', 'auto'])(
  'GET with readonly=%s in the URL does not write',
  async (readonly) => {
    for (const more of [{}, { session_id: 'tries' }]) {
      for (const method of ['GET', 'HEAD']) {
        const reply = await get(
          'CREATE TABLE never (a UInt8) ENGINE = Memory',
          { readonly, ...more },
          method,
        );
        expect(reply.headers['x-clickhouse-exception-code']).toBe('164');
      }
    }
    expect(await select('EXISTS TABLE never')).toBe('0\n');
  },
);

test('GET rejects readonly=0 for a SELECT too and accepts 1 and 2', async () => {
  expect((await get('SELECT 1', { readonly: '0' })).text).toMatch(/^Code: 164\. /);
  for (const readonly of ['1', '2']) {
    expect((await get("SELECT getSetting('readonly')", { readonly })).text).toBe(`${readonly}\n`);
    expect((await get(writes[0] ?? '', { readonly })).text).toMatch(/^Code: 164\. /);
  }
});

test('settings of the query do not let GET write', async () => {
  expect((await get('SELECT 1 SETTINGS readonly = 0')).text).toMatch(/^Code: 164\. /);
  expect((await get('SET readonly = 0')).text).toMatch(/^Code: 164\. /);
});

test('GET accepts other settings, and POST can write in the same session', async () => {
  expect((await get("SELECT getSetting('max_threads')", { max_threads: '2' })).text).toBe('2\n');
  expect((await get('SELECT 1', { session_id: 'reader' })).text).toBe('1\n');
  const reply = await post('CREATE TABLE written (a UInt8) ENGINE = Memory', { session_id: 'reader' });
  expect(reply.status).toBe(200);
});

test('readonly in the URL of a POST applies to this request only', async () => {
  for (const more of [{}, { session_id: 'both' }]) {
    for (const readonly of ['1', '2']) {
      const refused = await post('INSERT INTO shown SELECT 1', { ...more, readonly });
      expect(refused.text).toMatch(/^Code: 164\. /);
      expect((await post('SELECT 1', { ...more, readonly })).text).toBe('1\n');
    }
    expect((await post('INSERT INTO shown SELECT 1', more)).text).toBe('');
    expect((await post('INSERT INTO shown SELECT 1', { ...more, readonly: '0' })).text).toBe('');
  }
});

test('a session stays read-only after SET readonly', async () => {
  const session = { session_id: 'sealed' };
  expect((await post('SET readonly = 1', session)).text).toBe('');
  expect((await post('INSERT INTO shown SELECT 1', session)).text).toMatch(/^Code: 164\. /);
  expect((await post('INSERT INTO shown SELECT 1', { ...session, readonly: '0' })).text).toMatch(
    /^Code: 164\. /,
  );
  expect((await post('SET readonly = 0', session)).text).toMatch(/^Code: 164\. /);
});
