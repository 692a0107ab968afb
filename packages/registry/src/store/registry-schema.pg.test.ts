import { createPostgres } from '@tickrate/postgres';
import { freshPostgres } from '@tickrate/testkit';
import { beforeAll, expect, test } from 'vitest';
import { migrateRegistry } from './registry-schema.ts';

const { url } = await freshPostgres();

beforeAll(() => migrateRegistry(url));

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
