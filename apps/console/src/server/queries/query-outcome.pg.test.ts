import { expect, test } from 'vitest';
import { createAdministrator } from '../../testing/administrator-harness.ts';
import { startConsoleWorld } from '../../testing/console-harness.ts';
import { findQueryOwner } from './query-outcome.ts';

const { world } = await startConsoleWorld();

async function makeWith(key: string): Promise<{ readonly projectId: string; readonly key: string }> {
  const made = await world.send({ method: 'POST', path: '/v1/projects', key, body: { name: 'Kart 2' } });
  expect(made.status).toBe(200);
  return { projectId: made.body.project.id, key: made.body.text };
}

// Invariant (Queries): Many owners cannot keep another one from running a query; a key gets no further
// budget with the projects that it makes
test('projects that a key made, directly or not, count against the project of that key', async () => {
  const first = await world.project();
  const second = await makeWith(first.key);
  const third = await makeWith(second.key);
  for (const { projectId } of [first, second, third]) {
    expect(await findQueryOwner(world, projectId)).toBe(first.projectId);
  }
  expect(await findQueryOwner(world, (await world.project()).projectId)).not.toBe(first.projectId);
});

test('and against the account that owns the nearest project of the lineage', async () => {
  const first = await world.project();
  const second = await makeWith(first.key);
  const third = await makeWith(second.key);
  const { accountId: account } = await createAdministrator(world.accounts, { [second.projectId]: 'owner' });
  expect(await findQueryOwner(world, third.projectId)).toBe(account);
  expect(await findQueryOwner(world, first.projectId)).toBe(first.projectId);
});
