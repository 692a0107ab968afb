import { expect, test } from 'vitest';
import { createAccountsWorld } from '../testing/accounts-world.ts';
import { createOwnedProject } from './members.ts';
import { findRole } from './roles.ts';

const world = await createAccountsWorld();
const { db, now } = world;
const accountId = await world.createAccount('installation', { email: 'kim@example.com' });

function createProject(id: string, owner: string | null) {
  return createOwnedProject(db, { accountId: owner, nowMs: now() }, async (tx) => {
    await tx.query(
      "INSERT INTO registry.projects (id, name, test_mode, created) VALUES ($1, 'Kart', true, $2)",
      [id, new Date(now())],
    );
    return { project: { id } };
  });
}

test('a new project gets its owner', async () => {
  expect(await createProject('p-ownedowned00', accountId)).toEqual({ project: { id: 'p-ownedowned00' } });
  expect(await findRole(db, { accountId, projectId: 'p-ownedowned00' })).toBe('owner');
});

test('a project that a key creates has no owner', async () => {
  await createProject('p-freefree0000', null);
  expect(await findRole(db, { accountId, projectId: 'p-freefree0000' })).toBeNull();
});

test('without an owner that exists, no project is created', async () => {
  await expect(createProject('p-lostlost0000', 'u-unknown')).rejects.toThrow();
  expect(await db.query("SELECT id FROM registry.projects WHERE id = 'p-lostlost0000'", [])).toEqual([]);
});
