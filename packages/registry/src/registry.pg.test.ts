import { hashApiKey, parseApiKeyText } from '@tickrate/contract';
import { createPostgres, PostgresUnavailable } from '@tickrate/postgres';
import { createManualClock, createTcpProxy, freshPostgres } from '@tickrate/testkit';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createRegistry } from './registry.ts';
import { migrateRegistry } from './store/registry-schema.ts';

const { url } = await freshPostgres();
const clock = createManualClock();
const registry = createRegistry({ postgresUrl: url, now: clock.now });

const dayMs = 24 * 3_600_000;
const unknownId = '00000000-0000-7000-8000-000000000000';

beforeAll(() => migrateRegistry(url));
afterAll(() => registry.close());

// Invariant (Sign-in): Holders of keys cannot delay the revocation of their keys: rotations, edits and
// revocations run one after another
// Invariant (Sign-in): When a key is rotated, the keys created with it end when it ends: after the
// overlap, or at once without one. This includes keys that rotated it
// Invariant (Management): No sequence of management calls creates anything that exceeds a key's rights,
// origins or lifetime, or survives its revocation
test('a project is created and listed', async () => {
  const project = await registry.createProject({ name: 'Kart', testMode: true });
  expect(project).toMatchObject({ name: 'Kart', testMode: true, createdMs: clock.now() });
  expect(await registry.projects()).toContainEqual(project);
});

test.each(['', 'x'.repeat(201), 'a\0b', '\ud800'])('a project cannot be called %j', async (name) => {
  await expect(registry.createProject({ name })).rejects.toMatchObject({ reason: 'parameterInvalid' });
});

test('a key is shown once, listed by its prefix and stored only as its hash', async () => {
  const { id: projectId } = await registry.createProject({ name: 'Kart' });
  const { text, key } = await registry.createKey({
    projectId,
    kind: 'public',
    comment: 'web build',
    origins: ['https://kart.example', 'http://localhost:5173', 'capacitor://localhost'],
    expiresMs: clock.now() + dayMs,
    createdBy: 'a-1',
  });
  expect(parseApiKeyText(text)).toBe('public');
  expect(key).toEqual({
    id: key.id,
    projectId,
    parentId: null,
    prefix: text.slice(0, 12),
    ending: text.slice(-4),
    kind: 'public',
    comment: 'web build',
    scopes: [],
    origins: ['https://kart.example', 'http://localhost:5173', 'capacitor://localhost'],
    createdBy: 'a-1',
    createdMs: clock.now(),
    lastUsedMs: null,
    expiresMs: clock.now() + dayMs,
    revokedMs: null,
  });
  expect(await registry.keys(projectId)).toEqual([key]);
  const [row] = await query('SELECT k::text AS all_of_it, hash FROM registry.keys k WHERE id = $1', [key.id]);
  expect(row?.['hash']).toEqual(hashApiKey(text));
  expect(row?.['all_of_it']).not.toContain(text.slice(12));
});

test.each([
  { origins: ['https://kart.example/'] },
  { origins: ['kart.example'] },
  { origins: ['null'] },
  { origins: ['https://KART.example'] },
  { origins: ['https://me@kart.example'] },
  { comment: 'a\0b' },
  { createdBy: 'x'.repeat(201) },
  { scopes: ['a\0b'] },
  { expiresMs: 0 },
  { expiresMs: Number.NaN },
])('a key with %j is rejected', async (fault) => {
  const { id: projectId } = await registry.createProject({ name: 'Kart' });
  const request = { projectId, kind: 'public', comment: '', createdBy: 'a-1', ...fault } as const;
  await expect(registry.createKey(request)).rejects.toMatchObject({ reason: 'parameterInvalid' });
  expect(await registry.keys(projectId)).toEqual([]);
});

test('a key of an unknown project is rejected', async () => {
  const request = { projectId: 'p-zzzzzzzzzzzz', kind: 'public', comment: '', createdBy: 'a-1' } as const;
  await expect(registry.createKey(request)).rejects.toMatchObject({ reason: 'objectNotFound' });
});

test('a revoked key keeps the time of its first revocation', async () => {
  const { key } = await createKey();
  const revokedMs = clock.now();
  expect((await registry.revokeKey({ keyId: key.id })).key.revokedMs).toBe(revokedMs);
  clock.advance(1_000);
  expect((await registry.revokeKey({ keyId: key.id })).key.revokedMs).toBe(revokedMs);
});

test.each(['nonsense', unknownId])('the unknown key %s cannot be revoked or rotated', async (keyId) => {
  const rotation = { keyId, overlapMs: 0, createdBy: 'a-1' };
  await expect(registry.revokeKey({ keyId })).rejects.toMatchObject({ reason: 'objectNotFound' });
  await expect(registry.rotateKey(rotation)).rejects.toMatchObject({ reason: 'objectNotFound' });
});

test('a rotated key passes its rights to the new key and expires after the overlap', async () => {
  const { key } = await createKey({ kind: 'administrative', comment: 'CI', scopes: ['events:write'] });
  const rotated = await registry.rotateKey({ keyId: key.id, overlapMs: dayMs, createdBy: 'a-2' });
  expect(rotated.key).toMatchObject({
    kind: 'administrative',
    comment: 'CI',
    scopes: ['events:write'],
    createdBy: 'a-2',
  });
  expect(rotated.key.id).not.toBe(key.id);
  expect(rotated.key.expiresMs).toBeNull();
  expect(rotated.previous).toEqual({ ...key, expiresMs: clock.now() + dayMs });
});

test('a key with an expiry is replaced by one with the same lifetime', async () => {
  const { key } = await createKey({ expiresMs: clock.now() + 10 * dayMs });
  clock.advance(9 * dayMs);
  const rotated = await registry.rotateKey({ keyId: key.id, overlapMs: 7 * dayMs, createdBy: 'a-1' });
  expect(rotated.key.expiresMs).toBe(clock.now() + 10 * dayMs);
  expect(rotated.previous.expiresMs).toBe(key.expiresMs);
});

test('an overlap of more than seven days and an ended key are rejected', async () => {
  const { key } = await createKey({ expiresMs: clock.now() + dayMs });
  for (const overlapMs of [7 * dayMs + 1, -1, Number.NaN]) {
    const rotation = registry.rotateKey({ keyId: key.id, overlapMs, createdBy: 'a-1' });
    await expect(rotation).rejects.toMatchObject({ reason: 'parameterInvalid' });
  }
  clock.advance(dayMs);
  const expired = registry.rotateKey({ keyId: key.id, overlapMs: 0, createdBy: 'a-1' });
  await expect(expired).rejects.toMatchObject({ data: { objectNotEditableReason: 'expired' } });
  const other = await createKey();
  await registry.revokeKey({ keyId: other.key.id });
  const revoked = registry.rotateKey({ keyId: other.key.id, overlapMs: 0, createdBy: 'a-1' });
  await expect(revoked).rejects.toMatchObject({ data: { objectNotEditableReason: 'revoked' } });
});

test.each([0, dayMs])(
  'keys that a rotated key has created end with it or with its successor, after %i ms',
  async (overlapMs) => {
    const given = { kind: 'administrative', comment: '', createdBy: 'a-1', scopes: ['keys:write'] } as const;
    const { id: projectId } = await registry.createProject({ name: 'Kart' });
    const { key } = await registry.createKey({ projectId, ...given });
    const child = await registry.createKey({ projectId, ...given, parentId: key.id });
    const below = await registry.createKey({ projectId, ...given, parentId: child.key.id });
    const made = [child.key.id, below.key.id];
    const isRevoked = async () =>
      (await registry.keys(projectId))
        .filter(({ id }) => made.includes(id))
        .map(({ revokedMs }) => revokedMs !== null);
    const successor = await registry.rotateKey({ keyId: key.id, overlapMs, createdBy: 'a-1' });
    expect(await isRevoked()).toEqual(overlapMs === 0 ? [true, true] : [false, false]);
    await registry.revokeKey({ keyId: successor.key.id });
    expect(await isRevoked()).toEqual([true, true]);
  },
);

describe('a key that one of its own keys has rotated', () => {
  const given = { kind: 'administrative', comment: '', createdBy: 'a-1', scopes: ['keys:write'] } as const;

  /** A key, a key that it created, and a key that this one created. */
  async function threeGenerations() {
    const { id: projectId } = await registry.createProject({ name: 'Kart' });
    const { key } = await registry.createKey({ projectId, ...given });
    const child = await registry.createKey({ projectId, ...given, parentId: key.id });
    const grandchild = await registry.createKey({ projectId, ...given, parentId: child.key.id });
    return { projectId, keyId: key.id, descendants: [child.key.id, grandchild.key.id] };
  }

  test.each([0, 1])(
    'ends with its successor and everything that they created (descendant %i)',
    async (at) => {
      const { projectId, keyId, descendants } = await threeGenerations();
      const rotation = { keyId, overlapMs: dayMs, createdBy: 'a-1', makerId: descendants[at] ?? null };
      const successor = await registry.rotateKey(rotation);
      await registry.revokeKey({ keyId });
      const alive = (await registry.keys(projectId)).filter(({ revokedMs }) => revokedMs === null);
      expect(alive).toEqual([]);
      expect(successor.key.parentId).toBe(descendants[at]);
    },
  );

  test.each([0, 1])('is not replaced without an overlap: descendant %i would end with it', async (at) => {
    const { projectId, keyId, descendants } = await threeGenerations();
    const before = await registry.keys(projectId);
    const rotation = { keyId, overlapMs: 0, createdBy: 'a-1', makerId: descendants[at] ?? null };
    await expect(registry.rotateKey(rotation)).rejects.toMatchObject({ reason: 'objectNotEditable' });
    expect(await registry.keys(projectId)).toEqual(before);
  });
});

test('a key is revoked while keys of its lineage rotate each other', async () => {
  const given = { kind: 'administrative', comment: '', createdBy: 'a-1', scopes: ['keys:write'] } as const;
  const { id: projectId } = await registry.createProject({ name: 'Kart' });
  const { key } = await registry.createKey({ projectId, ...given });
  const children = await Promise.all(
    Array.from({ length: 6 }, () => registry.createKey({ projectId, ...given, parentId: key.id })),
  );
  const ids = children.map((child) => child.key.id);
  const outcomes = await Promise.allSettled([
    ...ids.flatMap((makerId, at) => {
      const rotate = (keyId: string) =>
        registry.rotateKey({ keyId, overlapMs: dayMs, createdBy: 'a-1', makerId });
      return [rotate(key.id), rotate(ids[(at + 1) % ids.length] ?? '')];
    }),
    ...ids.slice(0, 2).map((keyId) => registry.revokeKey({ keyId })),
    registry.revokeKey({ keyId: key.id }),
  ]);
  // A maker may have ended before its call. No call fails for another reason, such as a deadlock.
  const faults = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason.reason] : [],
  );
  expect(faults.filter((fault) => fault !== 'apiKeyInvalid' && fault !== 'objectNotEditable')).toEqual([]);
  expect(outcomes.at(-1)?.status).toBe('fulfilled');
  const alive = (await registry.keys(projectId)).filter(({ revokedMs }) => revokedMs === null);
  expect(alive).toEqual([]);
});

test('two concurrent rotations each create a key, and do not block a revocation for long', async () => {
  const { key } = await createKey();
  const rotate = () => registry.rotateKey({ keyId: key.id, overlapMs: dayMs, createdBy: 'a-1' });
  const [first, second, revoked] = await Promise.allSettled([
    rotate(),
    rotate(),
    registry.revokeKey({ keyId: key.id }),
  ]);
  expect(revoked.status).toBe('fulfilled');
  for (const rotation of [first, second]) {
    if (rotation.status === 'rejected')
      expect(rotation.reason).toMatchObject({ reason: 'objectNotEditable' });
  }
});

test('a key that is created during the revocation of its maker is also revoked', async () => {
  const given = { kind: 'administrative', comment: '', createdBy: 'a-1', scopes: ['keys:write'] } as const;
  const { id: projectId } = await registry.createProject({ name: 'Kart' });
  const { key } = await registry.createKey({ projectId, ...given });
  const makeTwo = async () => {
    const child = await registry.createKey({ projectId, ...given, parentId: key.id });
    await registry.createKey({ projectId, ...given, parentId: child.key.id });
  };
  const making = () => Array.from({ length: 8 }, makeTwo);
  const outcomes = await Promise.allSettled([
    ...making(),
    registry.revokeKey({ keyId: key.id }),
    ...making(),
  ]);
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ reason: 'apiKeyInvalid' });
  }
  const keys = await registry.keys(projectId);
  expect(keys.filter(({ revokedMs }) => revokedMs === null)).toEqual([]);
});

test('a policy is replaced completely and read with the other policies of its project', async () => {
  const { id: projectId } = await registry.createProject({ name: 'Kart' });
  await registry.setPolicy({ projectId, name: 'quota', value: { eventsPerDay: 1_000 } });
  await registry.setPolicy({ projectId, name: 'retention', value: { days: 30 } });
  await registry.setPolicy({ projectId, name: 'quota', value: { eventsPerDay: 2_000 } });
  expect([...(await registry.policies(projectId))]).toEqual([
    ['quota', { eventsPerDay: 2_000 }],
    ['retention', { days: 30 }],
  ]);
  const elsewhere = registry.setPolicy({ projectId: 'p-zzzzzzzzzzzz', name: 'quota', value: {} });
  await expect(elsewhere).rejects.toMatchObject({ reason: 'objectNotFound' });
});

test('policies are readable in a transaction that holds the last connection', async () => {
  const postgres = createPostgres({ postgresUrl: url, maxConnections: 1, timeoutMs: 2_000 });
  const shared = createRegistry({ postgres, now: Date.now });
  onTestFinished(() => postgres.close());
  onTestFinished(() => shared.close());
  const { id: projectId } = await shared.createProject({ name: 'Kart' });
  await shared.setPolicy({ projectId, name: 'retention', value: { days: 30 } });
  const policies = await postgres.transaction((tx) => shared.inTransaction(tx).policies(projectId));
  expect(policies.get('retention')).toEqual({ days: 30 });
});

test('an outage of Postgres causes PostgresUnavailable', async () => {
  const proxy = await createTcpProxy(url);
  onTestFinished(() => proxy.close());
  const remote = createRegistry({ postgresUrl: proxy.url, now: clock.now });
  onTestFinished(() => remote.close());
  await remote.projects();
  proxy.refuse();
  await expect(remote.projects()).rejects.toBeInstanceOf(PostgresUnavailable);
  proxy.open();
  expect(await remote.projects()).not.toEqual([]);
});

async function createKey(request: Partial<Parameters<typeof registry.createKey>[0]> = {}) {
  const { id: projectId } = await registry.createProject({ name: 'Kart' });
  return registry.createKey({ projectId, kind: 'public', comment: '', createdBy: 'a-1', ...request });
}

async function query(text: string, values: unknown[]): Promise<Record<string, unknown>[]> {
  const client = createPostgres({ postgresUrl: url });
  try {
    return await client.query(text, values);
  } finally {
    await client.close();
  }
}
