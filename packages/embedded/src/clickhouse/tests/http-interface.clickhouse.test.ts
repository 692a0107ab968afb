import { describe, expect, test } from 'vitest';
import { ACCESS, httpHarness, RAW_ACCESS } from './http-harness.ts';

const { http, select, port, raw } = httpHarness();

describe('health and other paths', () => {
  test('/ping and / answer without credentials', async () => {
    for (const path of ['/ping', '/']) {
      expect(await http({ method: 'GET', path, headers: {} })).toMatchObject({ status: 200, text: 'Ok.\n' });
    }
  });

  test('HEAD has no body, unknown paths and methods are 404', async () => {
    expect(await http({ method: 'HEAD', path: '/ping' })).toMatchObject({ status: 200, text: '' });
    expect((await http({ method: 'GET', path: '/nope' })).status).toBe(404);
    expect((await http({ method: 'DELETE', search: { query: 'SELECT 1' } })).status).toBe(404);
  });

  test('no web page of another origin may read an answer', async () => {
    const headers = { ...ACCESS, Origin: 'http://x' };
    for (const method of ['OPTIONS', 'POST']) {
      const search = { add_http_cors_header: '1', query: 'SELECT 1' };
      const reply = await http({ method, headers, search });
      expect([reply.status, reply.headers['access-control-allow-origin']]).toEqual([
        method === 'POST' ? 200 : 404,
        undefined,
      ]);
    }
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
  ])('%s are accepted', async (_, call) => {
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

describe('place of the query', () => {
  test('in the URL, in the body, or in both', async () => {
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

  test('a POST without a length is rejected', async () => {
    const sending = await fetch(`http://127.0.0.1:${port()}/?query=SELECT+1`, {
      method: 'POST',
      headers: ACCESS,
    });
    expect(await sending.text()).toBe('1\n');
    const bare = await raw(`POST /?query=SELECT+1 HTTP/1.1\r\n${RAW_ACCESS}Connection: close\r\n\r\n`);
    expect(bare).toMatch(/^HTTP\/1\.1 411 [\s\S]*Code: 381\. /);
  });

  test('comments, semicolons and settings may surround it', async () => {
    expect(await select('-- first\n /* and */ SELECT 5 -- last\n;;')).toBe('5\n');
    expect(await select('SELECT 6 FORMAT CSV SETTINGS max_threads = 1')).toBe('6\n');
    expect(await select('SELECT 7 SETTINGS max_threads = 1 -- FORMAT JSON')).toBe('7\n');
    expect(await select("SELECT 'FORMAT JSON' AS format FORMAT TSV;")).toBe('FORMAT JSON\n');
  });

  test('an empty query fails with 62', async () => {
    expect(await http({ body: ' -- nothing' })).toMatchObject({
      status: 400,
      text: expect.stringMatching(/^Code: 62\. /),
    });
  });
});

describe('sessions', () => {
  test('a missing session fails with 372 if it must exist', async () => {
    const search = { session_id: 'unheard', session_check: '1' };
    expect((await http({ search, body: 'SELECT 1' })).text).toMatch(/^Code: 372\. /);
  });

  test('a session ends after its timeout', async () => {
    const search = { session_id: 'short', session_timeout: '1' };
    await http({ search, body: 'SELECT 1' });
    const check = async (): Promise<string> =>
      (await http({ search: { ...search, session_check: '1', session_timeout: '0' }, body: 'SELECT 1' }))
        .text;
    await expect.poll(check, { timeout: 5000 }).toMatch(/^Code: 372\. /);
  });

  test('a session ends after a request with close_session=1, also if it failed', async () => {
    for (const body of ['SELECT 1', 'SELECT nope']) {
      const search = { session_id: 'closed' };
      await http({ search, body: 'CREATE TEMPORARY TABLE kept (a UInt8)' });
      expect((await http({ search, body: 'SELECT count() FROM kept' })).text).toBe('0\n');
      await http({ search: { ...search, close_session: '1' }, body });
      const check = await http({ search: { ...search, session_check: '1' }, body: 'SELECT 1' });
      expect(check.text).toMatch(/^Code: 372\. /);
    }
  });

  test('an invalid timeout fails with 374', async () => {
    for (const session_timeout of ['soon', '3601']) {
      expect((await http({ search: { session_id: 's', session_timeout }, body: 'SELECT 1' })).text).toMatch(
        /^Code: 374\. /,
      );
    }
  });
});
