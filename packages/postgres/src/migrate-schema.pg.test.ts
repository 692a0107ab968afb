import { createTcpProxy, freshPostgres } from '@tickrate/testkit';
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { migrateSchema } from './migrate-schema.ts';
import { createPostgres } from './postgres.ts';

const { url } = await freshPostgres();
const postgres = createPostgres({ postgresUrl: url });
afterAll(() => postgres.close());

const first = {
  name: '001-first',
  sql: 'CREATE TABLE registry.things (id int); INSERT INTO registry.things VALUES (1)',
};
const second = { name: '002-second', sql: 'INSERT INTO registry.things VALUES (2)' };
const schema = { name: 'registry', migrations: [first, second] } as const;
const names = () => postgres.query('SELECT name FROM registry.migrations ORDER BY name');

beforeEach(async () => void (await postgres.query('DROP SCHEMA IF EXISTS registry CASCADE')));

test('concurrent migrations of several processes succeed, and each is applied once', async () => {
  await Promise.all(Array.from({ length: 6 }, () => migrateSchema(url, schema)));
  await migrateSchema(url, schema);
  expect(await names()).toEqual([{ name: '001-first' }, { name: '002-second' }]);
  expect(await postgres.query('SELECT id FROM registry.things ORDER BY id')).toEqual([{ id: 1 }, { id: 2 }]);
});

test('a migration that fails leaves the schema unchanged', async () => {
  await migrateSchema(url, schema);
  const before = await names();
  const third = { name: '003-third', sql: 'CREATE TABLE registry.others (id int); SELECT 1 / 0' };
  const failing = migrateSchema(url, { name: 'registry', migrations: [first, second, third] });
  await expect(failing).rejects.toMatchObject({ code: '22012' });
  expect(await names()).toEqual(before);
  await expect(postgres.query('SELECT FROM registry.others')).rejects.toMatchObject({ code: '42P01' });
});

test('a migration of a newer version stays, and the afterwork runs each time', async () => {
  await migrateSchema(url, schema);
  await postgres.query("INSERT INTO registry.migrations VALUES ('999-later', now())");
  await migrateSchema(url, {
    name: 'registry',
    migrations: [first],
    afterwards: async (tx) => void (await tx.query('INSERT INTO registry.things VALUES (3)')),
  });
  expect(await names()).toContainEqual({ name: '999-later' });
  expect(await postgres.query('SELECT id FROM registry.things WHERE id = 3')).toHaveLength(1);
});

test('a server that is away is reported as unavailable', async () => {
  const proxy = await createTcpProxy(url);
  onTestFinished(() => proxy.close());
  proxy.refuse();
  const failing = migrateSchema(proxy.url, { name: 'auth', migrations: [] });
  await expect(failing).rejects.toMatchObject({ code: 6001, outcome: 'away' });
});
