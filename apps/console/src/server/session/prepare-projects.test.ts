import { expect, test } from 'vitest';
import { createProjectPreparer } from './prepare-projects.ts';

function createWorld() {
  const world = { nowMs: 0, isDown: false, prepared: [] as string[], faults: [] as unknown[] };
  const preparer = createProjectPreparer({
    warehouse: {
      async prepareQueries(projectId) {
        world.prepared.push(projectId);
        if (world.isDown) throw new Error('no ClickHouse');
      },
    },
    registry: { projects: async () => [{ id: 'p-oldest' }, { id: 'p-a' }] },
    now: () => world.nowMs,
    onFault: (error) => world.faults.push(error),
  });
  return { world, preparer };
}

// Invariant (Queries): A project is prepared for queries when the console starts or a page of it opens,
// not by its first query
test('prepares a project once in five minutes, however often its pages are opened', async () => {
  const { world, preparer } = createWorld();
  preparer.prepare('p-a');
  preparer.prepare('p-a');
  preparer.prepare('p-b');
  await preparer.stop();
  expect(world.prepared).toEqual(['p-a', 'p-b']);
  world.nowMs = 299_999;
  preparer.prepare('p-a');
  world.nowMs = 300_000;
  preparer.prepare('p-a');
  await preparer.stop();
  expect(world.prepared).toEqual(['p-a', 'p-b', 'p-a']);
});

test('prepares two projects at once, and a project again after a fault', async () => {
  const { world, preparer } = createWorld();
  world.isDown = true;
  for (const projectId of ['p-a', 'p-b', 'p-c']) preparer.prepare(projectId);
  await preparer.stop();
  expect(world.prepared).toEqual(['p-a', 'p-b']);
  expect(world.faults).toHaveLength(2);
  world.isDown = false;
  for (const projectId of ['p-c', 'p-a']) preparer.prepare(projectId);
  await preparer.stop();
  expect(world.prepared).toEqual(['p-a', 'p-b', 'p-c', 'p-a']);
});

test('prepares the oldest project at the start', async () => {
  const { world, preparer } = createWorld();
  await preparer.start();
  await preparer.stop();
  expect(world.prepared).toEqual(['p-oldest']);
});
