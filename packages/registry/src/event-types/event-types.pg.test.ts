import { createManualClock, freshPostgres } from '@tickrate/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRegistry } from '../registry.ts';
import { migrateRegistry } from '../store/registry-schema.ts';
import type { DeclareRequest } from './declare-event-type.ts';

const { url } = await freshPostgres();
const clock = createManualClock();
const registry = createRegistry({
  postgresUrl: url,
  now: clock.now,
  onFault: () => undefined,
  maxConnections: 20,
});

const levelUp = {
  type: 'object',
  properties: { level: { type: 'integer' }, score: { type: 'number' } },
  required: ['level'],
};
const withBonus = { ...levelUp, properties: { ...levelUp.properties, bonus: { type: 'string' } } };
const withoutScore = { ...levelUp, properties: { level: { type: 'integer' } } };

beforeAll(() => migrateRegistry(url));
afterAll(() => registry.close());

test('a declaration becomes version 1 with its document unchanged', async () => {
  const { declare, projectId } = await newProject();
  expect(await declare({ name: 'level_up', declaration: levelUp, description: 'A level was won' })).toEqual({
    ok: true,
    version: 1,
    unchanged: false,
    changes: [],
  });
  const [eventType] = await registry.eventTypes(projectId);
  expect(eventType).toMatchObject({
    projectId,
    name: 'level_up',
    description: 'A level was won',
    createdMs: clock.now(),
    versions: [{ version: 1, status: 'available', createdMs: clock.now() }],
  });
  expect(JSON.stringify(eventType?.versions[0]?.declaration)).toBe(JSON.stringify(levelUp));
});

test('the same document with its members in another order changes nothing', async () => {
  const { declare, projectId } = await newProject();
  await declare({ declaration: levelUp });
  const { type, properties, required } = levelUp;
  const again = { required, properties: { score: properties.score, level: properties.level }, type };
  expect(await declare({ declaration: again })).toEqual({
    ok: true,
    version: 1,
    unchanged: true,
    changes: [],
  });
  expect((await registry.eventTypes(projectId))[0]?.versions).toHaveLength(1);
});

test('a new version returns its changes, marked compatible or breaking', async () => {
  const { declare } = await newProject();
  await declare({ declaration: levelUp });
  expect(await declare({ declaration: withBonus })).toMatchObject({
    version: 2,
    unchanged: false,
    changes: [{ pointer: '/bonus', kind: 'compatible' }],
  });
  expect(await declare({ declaration: withoutScore })).toMatchObject({
    version: 3,
    changes: [
      { pointer: '/score', kind: 'breaking' },
      { pointer: '/bonus', kind: 'breaking' },
    ],
  });
  expect(await declare({ declaration: levelUp })).toMatchObject({ version: 4, unchanged: false });
});

test('compatibleOnly rejects a breaking version and writes nothing', async () => {
  const { declare, projectId } = await newProject();
  await declare({ declaration: levelUp });
  const request = { declaration: withoutScore, compatibleOnly: true, description: 'new words' };
  expect(await declare(request)).toMatchObject({
    ok: false,
    reason: 'breaking',
    changes: [{ pointer: '/score', kind: 'breaking' }],
  });
  expect(await declare({ declaration: withBonus, compatibleOnly: true })).toMatchObject({
    ok: true,
    version: 2,
  });
  expect((await registry.eventTypes(projectId))[0]).toMatchObject({ description: null });
});

test('a dry run returns the same result and writes nothing', async () => {
  const { declare, projectId } = await newProject();
  expect(await declare({ declaration: levelUp, dryRun: true })).toMatchObject({ ok: true, version: 1 });
  expect(await registry.eventTypes(projectId)).toEqual([]);
  await declare({ declaration: levelUp });
  expect(await declare({ declaration: withBonus, dryRun: true })).toMatchObject({
    version: 2,
    unchanged: false,
  });
  expect(await declare({ declaration: levelUp, dryRun: true })).toMatchObject({
    version: 1,
    unchanged: true,
  });
  const strict = { declaration: withoutScore, dryRun: true, compatibleOnly: true };
  expect(await declare(strict)).toMatchObject({ ok: false, reason: 'breaking' });
  expect((await registry.eventTypes(projectId))[0]?.versions).toHaveLength(1);
});

test('an invalid name or document is rejected', async () => {
  const { declare } = await newProject();
  expect(await declare({ name: '9lives', declaration: levelUp })).toEqual({
    ok: false,
    reason: 'invalidName',
  });
  expect(
    await declare({ declaration: { type: 'object', properties: { a: { type: 'wrong' } } } }),
  ).toMatchObject({
    ok: false,
    reason: 'declarationFaults',
    faults: [{ pointer: expect.stringContaining('/properties/a') }],
  });
});

test.each([true, false])('an unknown project is reported (dry run: %s)', async (dryRun) => {
  const request = { projectId: 'p-zzzzzzzzzzzz', name: 'a', declaration: levelUp, dryRun };
  await expect(registry.declareEventType(request)).rejects.toMatchObject({
    reason: 'objectNotFound',
    data: { objectType: 'project', invalidIdentifier: 'p-zzzzzzzzzzzz' },
  });
});

test('twenty different concurrent declarations become versions 1 to 20', async () => {
  const { declare, projectId } = await newProject();
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      declare({ declaration: { type: 'object', properties: { [`member_${index}`]: { type: 'string' } } } }),
    ),
  );
  const numbers = results.map((result) => (result.ok && !result.unchanged ? result.version : 0));
  const expected = Array.from({ length: 20 }, (_, index) => index + 1);
  expect(numbers.sort((a, b) => a - b)).toEqual(expected);
  expect((await registry.eventTypes(projectId))[0]?.versions.map(({ version }) => version)).toEqual(expected);
});

test('twenty equal concurrent declarations become one version', async () => {
  const { declare, projectId } = await newProject();
  const results = await Promise.all(Array.from({ length: 20 }, () => declare({ declaration: levelUp })));
  expect(results.filter((result) => result.ok && !result.unchanged)).toHaveLength(1);
  expect(results.filter((result) => result.ok && result.version === 1)).toHaveLength(20);
  expect((await registry.eventTypes(projectId))[0]?.versions).toHaveLength(1);
});

test('a description is set with a declaration, kept if absent and removed by null', async () => {
  const { declare, projectId } = await newProject();
  const descriptionOf = async () => (await registry.eventTypes(projectId))[0]?.description;
  await declare({ declaration: levelUp, description: 'first' });
  await declare({ declaration: withBonus });
  expect(await descriptionOf()).toBe('first');
  await declare({ declaration: withBonus, description: 'second' });
  expect(await descriptionOf()).toBe('second');
  await declare({ declaration: withBonus, description: null });
  expect(await descriptionOf()).toBeNull();
});

test('a description that cannot be stored or reorders text is rejected, and a document can contain any character', async () => {
  const { declare, projectId } = await newProject();
  for (const description of ['a\0b', 'a\u202eb']) {
    const refused = declare({ declaration: levelUp, description });
    await expect(refused).rejects.toMatchObject({ reason: 'parameterInvalid' });
  }
  const odd = { ...levelUp, title: 'a\0b \ud83d\ude00' };
  expect(await declare({ declaration: odd })).toMatchObject({ ok: true, version: 1 });
  expect(await declare({ declaration: odd })).toMatchObject({ ok: true, unchanged: true });
  expect((await registry.eventTypes(projectId))[0]?.versions[0]?.declaration).toEqual(odd);
});

test('a version is deprecated, retired and made available again', async () => {
  const { declare, projectId } = await newProject();
  await declare({ declaration: levelUp });
  for (const status of ['deprecated', 'retired', 'available'] as const) {
    await registry.setVersionStatus({ projectId, name: 'level_up', version: 1, status });
    expect((await registry.eventTypes(projectId))[0]?.versions).toMatchObject([{ version: 1, status }]);
  }
  const missing = registry.setVersionStatus({ projectId, name: 'level_up', version: 2, status: 'retired' });
  await expect(missing).rejects.toMatchObject({ reason: 'objectNotFound' });
});

async function newProject() {
  const { id: projectId } = await registry.createProject({ name: 'Kart' });
  const declare = (request: Omit<DeclareRequest, 'projectId' | 'name'> & { name?: string }) =>
    registry.declareEventType({ projectId, name: 'level_up', ...request });
  return { projectId, declare };
}
