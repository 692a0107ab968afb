import { createPostgres, PostgresUnavailable } from '@tickrate/postgres';
import { createTcpProxy, freshPostgres, waitUntil } from '@tickrate/testkit';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createRegistry } from '../registry.ts';
import { migrateRegistry } from '../store/registry-schema.ts';
import type { EventTypeRecord } from './event-types.ts';
import { createEventTypeWatch, type EventTypeWatchOptions } from './handover.ts';

const postgres = await freshPostgres();
const registry = createRegistry({ postgresUrl: postgres.url, now: Date.now });

beforeAll(() => migrateRegistry(postgres.url));
afterAll(() => registry.close());

// Invariant (Events and quarantine): A view that ClickHouse rejects shows as a fault of its type and
// delays no view of another project
test('after the start it passes on every type, and then each changed type', async () => {
  const projectId = await newProject();
  for (let index = 0; index < 450; index += 50) {
    await Promise.all(
      Array.from({ length: 50 }, (_, offset) => declare(projectId, `type_${index + offset}`)),
    );
  }
  const { latest } = await startWatch();
  await waitUntil(() => namesOf(latest, projectId).length === 450, { what: 'all types' });

  await declare(projectId, 'type_7', 'second');
  await waitUntil(() => latest.get(`${projectId}/type_7`)?.versions.length === 2);
  await registry.setVersionStatus({ projectId, name: 'type_7', version: 1, status: 'retired' });
  await waitUntil(() => latest.get(`${projectId}/type_7`)?.versions[0]?.status === 'retired');
  await declare(projectId, 'later');
  await waitUntil(() => latest.get(`${projectId}/later`)?.versions[0]?.version === 1);
});

test('a type is passed on again in its latest state after a failure, without delaying other types', async () => {
  const projectId = await newProject();
  let broken = true;
  const faults: unknown[] = [];
  const { latest, watch } = await startWatch({
    onFault: (error) => faults.push(error),
    refuse: (eventType) => broken && eventType.name === 'broken',
  });
  await declare(projectId, 'broken');
  await waitUntil(() => faults.length > 0, { what: 'the fault' });
  await declare(projectId, 'sound');
  await declare(projectId, 'broken', 'second');
  await waitUntil(() => latest.has(`${projectId}/sound`), { what: 'the other type' });
  broken = false;
  await waitUntil(() => latest.get(`${projectId}/broken`)?.versions.length === 2);
  await waitUntil(() => watch.pending() === 0);
});

test('a type that is refused again is reported, waits longer each time, and delays no type of another project', async () => {
  const [projectId, otherId] = [await newProject(), await newProject()];
  const refused: number[] = [];
  let isSound = false;
  const hanging = Promise.withResolvers<void>();
  const { latest, watch } = await startWatch({
    isLasting: () => true,
    async onEventType(eventType) {
      if (eventType.name === 'slow') await hanging.promise;
      if (eventType.name.startsWith('bad') && !isSound) {
        if (eventType.name === 'bad_1') refused.push(performance.now());
        throw new Error('Max query size exceeded');
      }
      latest.set(`${eventType.projectId}/${eventType.name}`, eventType);
    },
  });
  await Promise.all(['bad_1', 'bad_2'].map((name) => declare(projectId, name)));
  const faultsOf = async () => (await registry.eventTypes(projectId)).map(({ viewFault }) => viewFault);
  await waitUntil(async () => (await faultsOf()).every((fault) => fault === 'Max query size exceeded'));
  expect(watch.rejected()).toBe(2);
  expect(await registry.viewFaults(projectId)).toBe(2);
  expect(await registry.viewFaults(otherId)).toBe(0);
  await declare(projectId, 'slow');
  await declare(otherId, 'sound');
  await waitUntil(() => latest.has(`${otherId}/sound`), { what: 'the type of another project' });
  expect(latest.has(`${projectId}/slow`)).toBe(false);
  hanging.resolve();
  await waitUntil(() => latest.has(`${projectId}/slow`), { what: 'the slow type' });
  const waits = () => refused.slice(1).map((at, n) => at - (refused[n] ?? 0));
  // The delays double from 20 ms, and begin again after a change of the type.
  await waitUntil(() => waits().some((waitMs) => waitMs > 300), { what: 'a long wait' });
  expect(refused.length).toBeLessThan(12);
  isSound = true;
  await declare(projectId, 'bad_1', 'second');
  await declare(projectId, 'bad_2', 'second');
  await waitUntil(async () => (await faultsOf()).every((fault) => fault === null));
  expect([watch.rejected(), await registry.viewFaults(projectId)]).toEqual([0, 0]);
});

test('nothing is missed while Postgres is away, restarts or hangs, not even when the log was trimmed meanwhile', async () => {
  const projectId = await newProject();
  const proxy = await createTcpProxy(postgres.url);
  onTestFinished(() => proxy.close());
  const { latest } = await startWatch({ postgresUrl: proxy.url });
  proxy.cut();
  await declare(projectId, 'cut');
  await waitUntil(() => latest.has(`${projectId}/cut`), { what: 'the type declared at a cut' });
  proxy.refuse();
  await declare(projectId, 'away');
  proxy.open();
  await waitUntil(() => latest.has(`${projectId}/away`), { what: 'the type declared while away' });
  proxy.refuse();
  await declare(projectId, 'trimmed');
  await run('DELETE FROM registry.changes');
  proxy.open();
  await waitUntil(() => latest.has(`${projectId}/trimmed`), { what: 'the type whose change was trimmed' });
});

test('after many declarations the last state of each type was passed on', async () => {
  const projectId = await newProject();
  const { latest, watch } = await startWatch();
  await Promise.all(
    Array.from({ length: 60 }, (_, index) => declare(projectId, `storm_${index % 6}`, `words ${index}`)),
  );
  await waitUntil(() => watch.pending() === 0 && namesOf(latest, projectId).length === 6);
  await waitUntil(
    async () => {
      const current = await registry.eventTypes(projectId);
      expect(current.map((eventType) => latest.get(`${projectId}/${eventType.name}`))).toEqual(current);
      return true;
    },
    { what: 'the last state of all types' },
  );
});

test('it does not start without Postgres', async () => {
  const proxy = await createTcpProxy(postgres.url);
  onTestFinished(() => proxy.close());
  proxy.refuse();
  await expect(startWatch({ postgresUrl: proxy.url })).rejects.toBeInstanceOf(PostgresUnavailable);
});

type Setting = Partial<Extract<EventTypeWatchOptions, { postgresUrl: string }>> & {
  readonly refuse?: (eventType: EventTypeRecord) => boolean;
};

async function startWatch({ refuse = () => false, ...options }: Setting = {}) {
  const latest = new Map<string, EventTypeRecord>();
  const watch = createEventTypeWatch({
    postgresUrl: postgres.url,
    now: Date.now,
    retryMs: 20,
    onFault: () => undefined,
    onEventType: (eventType) => {
      if (refuse(eventType)) return Promise.reject(new Error('The view could not be created'));
      latest.set(`${eventType.projectId}/${eventType.name}`, eventType);
      return Promise.resolve();
    },
    ...options,
  });
  onTestFinished(() => watch.stop());
  await watch.start();
  return { watch, latest };
}

function namesOf(latest: ReadonlyMap<string, EventTypeRecord>, projectId: string): string[] {
  return [...latest.values()].filter((type) => type.projectId === projectId).map((type) => type.name);
}

async function newProject(): Promise<string> {
  return (await registry.createProject({ name: 'Kart' })).id;
}

function declare(projectId: string, name: string, description = 'first') {
  const declaration = { type: 'object', description, properties: { level: { type: 'integer' } } };
  return registry.declareEventType({ projectId, name, declaration });
}

async function run(statement: string): Promise<void> {
  const client = createPostgres({ postgresUrl: postgres.url });
  await client.query(statement);
  await client.close();
}
