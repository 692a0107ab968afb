import { createPostgres } from '@tickrate/postgres';
import { freshPostgres } from '@tickrate/testkit';
import { expect, test } from 'vitest';
import { migrateRegistry } from './migrate-registry.ts';
import { migrations } from './migrations.ts';

const { url } = await freshPostgres();

test('concurrent migrations of several processes succeed, and each is applied once', async () => {
  await Promise.all(Array.from({ length: 6 }, () => migrateRegistry(url)));
  await migrateRegistry(url);
  expect(await query('SELECT name FROM registry.migrations ORDER BY name')).toEqual(
    migrations.map(({ name }) => ({ name })),
  );
});

test('a migration of a newer version does not change', async () => {
  await query("INSERT INTO registry.migrations VALUES ('999-later', now())");
  await migrateRegistry(url);
  expect(await query("SELECT name FROM registry.migrations WHERE name = '999-later'")).toHaveLength(1);
});

test('the declaration of a version cannot be changed, even with SQL', async () => {
  await query(`
    INSERT INTO registry.projects VALUES ('p-aaaaaaaaaaaa', 'x', false, now());
    INSERT INTO registry.event_types VALUES ('p-aaaaaaaaaaaa', 'a', null, now());
    INSERT INTO registry.event_type_versions
      VALUES ('p-aaaaaaaaaaaa', 'a', 1, 'available', '{}', decode(repeat('00', 32), 'hex'), now())`);
  await expect(query("UPDATE registry.event_type_versions SET declaration = '{}'")).rejects.toMatchObject({
    code: '23001',
  });
});

async function query(text: string): Promise<unknown[]> {
  const client = createPostgres({ postgresUrl: url });
  try {
    return await client.query(text);
  } finally {
    await client.close();
  }
}
