import { createErasures } from '@tickrate/pipeline';
import { waitUntil } from '@tickrate/testkit';
import { expect, test } from 'vitest';
import { createAdministrator } from '../../testing/administrator-harness.ts';
import { startConsoleWorld } from '../../testing/console-harness.ts';

const { world, postgresUrl } = await startConsoleWorld();

const remove = (projectId: string, key: string, name = 'Kart') =>
  world.send({ method: 'POST', path: `/v1/projects/${projectId}/deletion`, key, body: { name } });
const deleted = (key: string) => world.send({ path: '/v1/deleted-projects', key });

// Invariant (Management): Only an owner deletes a project, with its name. From then on no call finds it, its keys are refused,
// and sessions of its members continue in another project
test('the last project stays, because a sign-in needs one', async () => {
  const { projectId } = await world.project();
  const { key } = await createAdministrator(world.accounts, { [projectId]: 'owner' });
  const refused = await remove(projectId, key);
  expect([refused.status, refused.body.data.objectNotEditableReason]).toEqual([409, 'lastProject']);
  expect((await world.send({ path: '/v1/projects', key })).status).toBe(200);
});

test('only an owner with a session deletes a project, and only with its name', async () => {
  const { projectId, key } = await world.project();
  const other = await world.project();
  const owner = await createAdministrator(world.accounts, { [projectId]: 'owner' });
  const admin = await createAdministrator(world.accounts, { [projectId]: 'admin' });
  expect((await remove(projectId, key)).status).toBe(403);
  expect((await remove(projectId, admin.key)).body.code).toBe(2005);
  expect((await remove(other.projectId, owner.key)).body.code).toBe(3001);
  expect((await remove(projectId, owner.key, 'kart')).body).toMatchObject({
    code: 1003,
    data: { parameterName: 'name' },
  });
  expect((await world.send({ path: `/v1/projects/${projectId}`, key })).status).toBe(200);
});

test('a deleted project is found by no call, and its sessions continue elsewhere or end', async () => {
  const { projectId, key } = await world.project();
  const other = await world.project();
  const owner = await createAdministrator(world.accounts, {
    [projectId]: 'owner',
    [other.projectId]: 'viewer',
  });
  const only = await createAdministrator(world.accounts, { [projectId]: 'viewer' });
  const { body } = await remove(projectId, owner.key);
  expect(body).toMatchObject({
    projectId,
    requestedBy: owner.accountId,
    state: 'requested',
    certificate: null,
  });

  await waitUntil(async () => (await world.send({ path: '/v1/projects', key })).status === 401, {
    what: 'the end of the key',
  });
  await waitUntil(async () => (await world.send({ path: '/v1/projects', key: only.key })).status === 401, {
    what: 'the end of the session without another project',
  });
  await waitUntil(
    async () =>
      (await world.send({ path: `/v1/projects/${other.projectId}`, key: owner.key })).status === 200,
    { what: 'the session in the other project' },
  );
  const mine = await world.send({ path: '/v1/projects', key: owner.key });
  expect(mine.body.results.map(({ id }: { id: string }) => id)).toEqual([other.projectId]);
  expect((await deleted(owner.key)).body.results).toMatchObject([{ id: body.id, projectId }]);
  const stranger = await createAdministrator(world.accounts, { [other.projectId]: 'owner' });
  expect((await deleted(stranger.key)).body.results).toEqual([]);
  const entries = await world.accounts.query<{ act: string; details: object }>(
    'SELECT act, details FROM auth.audit WHERE account_id = $1',
    [owner.accountId],
  );
  expect(entries).toEqual([{ act: 'projectDeleted', details: { name: 'Kart' } }]);
  const erasures = createErasures({ postgresUrl, newId: () => crypto.randomUUID() });
  expect(await erasures.lease(60_000, [])).toMatchObject({ id: body.id, accountId: null });
  await erasures.close();
});

test('a project that a key of the deleted one made stays', async () => {
  const { projectId, key } = await world.project();
  const made = await world.send({ method: 'POST', path: '/v1/projects', key, body: { name: 'Made' } });
  const { key: owner } = await createAdministrator(world.accounts, { [projectId]: 'owner' });
  expect((await remove(projectId, owner)).status).toBe(200);
  const still = await world.send({ path: `/v1/projects/${made.body.project.id}`, key: made.body.text });
  expect(still.status).toBe(200);
});
