import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { httpHarness } from './http-harness.ts';

const { folder, http, select } = httpHarness();
const proof = join(folder.path, 'proof');
const program = `SOURCE(EXECUTABLE(command 'touch ${proof}' format 'TSV'))`;
const dictionary = `CREATE DICTIONARY default.d (a UInt64, b String) PRIMARY KEY a ${program} LAYOUT(FLAT()) LIFETIME(0)`;

// Invariant (Queries): The embedded ClickHouse serves listed statements only, one per request, and GET
// changes nothing
test.each(['GET', 'POST'])('PARALLEL WITH does not start a program with %s', async (method) => {
  const query = `${dictionary} PARALLEL WITH CREATE DATABASE IF NOT EXISTS other`;
  expect((await http({ method, search: { query } })).status).toBe(501);
  await http({ body: 'SELECT * FROM default.d' });
  expect(existsSync(proof)).toBe(false);
});

test.each([
  'CREATE TABLE x3 (a Int8) ENGINE = Memory PARALLEL WITH CREATE TABLE x4 (a Int8) ENGINE = Memory',
  'CREATE TABLE x3 (a Int8) ENGINE = Memory parallel -- \n with CREATE TABLE x4 (a Int8) ENGINE = Memory',
])('PARALLEL WITH writes nothing: %s', async (query) => {
  for (const method of ['GET', 'POST']) expect((await http({ method, search: { query } })).status).toBe(501);
  expect(await select("SELECT count() FROM system.tables WHERE name IN ('x3', 'x4')")).toBe('0\n');
});

test('no statement ends the server', async () => {
  for (const body of ['SYSTEM SHUTDOWN', 'SYSTEM KILL', 'EXECUTE AS default SELECT 1']) {
    expect((await http({ body })).text).toMatch(/^Code: 48\. /);
  }
  expect(await select('SELECT 1')).toBe('1\n');
});

test.each(['1', '2'])('readonly=%s writes nothing through a table function', async (readonly) => {
  for (const method of ['GET', 'POST']) {
    const query = "INSERT INTO FUNCTION null('a Int8') SELECT 1";
    expect((await http({ method, search: { query, readonly } })).text).toMatch(/^Code: 164\. /);
  }
});

test.each(['SET readonly = 0', 'SET `readonly` = 0', 'SELECT 1 SETTINGS readonly = 0'])(
  'GET rejects %s in a session',
  async (query) => {
    const search = { query, session_id: 'reader' };
    expect((await http({ method: 'GET', search })).text).toMatch(/^Code: 164\. /);
  },
);
