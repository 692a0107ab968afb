import { waitUntil } from '@tickrate/testkit';
import { beforeAll, expect, test } from 'vitest';
import { createAdministrator } from '../../testing/administrator-harness.ts';
import { type ManagedProject, startConsoleWorld } from '../../testing/console-harness.ts';

const { world } = await startConsoleWorld();
let first: ManagedProject;
let owner: string;

beforeAll(async () => {
  first = await world.project();
  const { key, accountId } = await createAdministrator(world.accounts, { [first.projectId]: 'owner' });
  await world.accounts.query('UPDATE auth.accounts SET owns_installation = true WHERE id = $1', [accountId]);
  owner = key;
});

const demo = async (method: string, key: string) =>
  (await world.send({ method, path: '/v1/demo', key })).body;
const stop = { id: 'live', title: 'Live', text: 'Events of this second', path: '/p/x/live' };
const progress = { projectId: '', sent: 5, expected: 20, hasArrived: false, tour: [stop] };

// Invariant (Management): The demo plays in a project of its own, and removing it deletes that project
test('the demo is offered while a process plays it, and only the owner of the installation starts it', async () => {
  expect(await demo('GET', owner)).toMatchObject({ state: 'notOffered', projectId: null, isAllowed: true });
  expect((await demo('POST', owner)).code).toBe(2005);
  expect(await world.registry.keepDemo(null)).toMatchObject({ projectId: null });
  const { key } = await createAdministrator(world.accounts, { [first.projectId]: 'owner' });
  for (const caller of [key, first.key]) {
    expect((await demo('POST', caller)).code).toBe(2005);
    expect((await demo('DELETE', caller)).code).toBe(2005);
  }
  expect(await demo('GET', first.key)).toMatchObject({ state: 'absent', isAllowed: false });
});

test('a started demo has a project, shows how far it is, and is removed with its project', async () => {
  const { projectId } = await demo('POST', owner);
  expect(projectId).not.toBe(first.projectId);
  expect(await demo('POST', owner)).toMatchObject({ state: 'arriving', projectId });
  const playing = { ...progress, projectId };
  expect(await world.registry.keepDemo(playing)).toMatchObject({ projectId, arrivedMs: null });
  expect(await demo('GET', owner)).toMatchObject({
    state: 'arriving',
    sentEvents: 5,
    expectedEvents: 20,
    tour: [stop],
  });
  // Nothing of the demo's project shows in another one, except to the owner of the installation.
  expect(await demo('GET', first.key)).toMatchObject({ state: 'arriving', projectId: null, tour: [] });
  await world.registry.keepDemo({ ...playing, hasArrived: true });
  expect(await demo('GET', owner)).toMatchObject({ state: 'live' });

  expect(await demo('DELETE', owner)).toMatchObject({ state: 'absent', projectId: null, tour: [] });
  expect(await world.registry.keepDemo(playing)).toMatchObject({ projectId: null });
  await waitUntil(
    async () => (await world.send({ path: `/v1/projects/${projectId}`, key: owner })).status === 404,
    { what: 'the end of the project' },
  );
  expect((await world.send({ path: '/v1/deleted-projects', key: owner })).body.results).toMatchObject([
    { projectId },
  ]);
  const next = await demo('POST', owner);
  expect(next.projectId).not.toBe(projectId);
  // A last report of the one before.
  await world.registry.keepDemo({ ...playing, hasArrived: true });
  expect(await demo('GET', owner)).toMatchObject({ state: 'arriving', sentEvents: 0, tour: [] });
});
