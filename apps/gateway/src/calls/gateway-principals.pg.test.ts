import { randomBytes, randomUUID } from 'node:crypto';
import { createApiKeyText, hashApiKey } from '@tickrate/contract';
import { createLedger } from '@tickrate/pipeline';
import { afterAll, describe, expect, test } from 'vitest';
import { type RunningGateway, type SampleProject, startWorld } from '../testing/gateway-world.ts';

const { world, url, run } = await startWorld();
const ledger = createLedger({ postgresUrl: url });

const gateway = await world.gateway();
afterAll(() => ledger.close());

const eventId = '0192f0c0-7d2e-7000-8000-0000000000bb';
const headers = { 'Idempotency-Key': 'segment-1' };
const lines = { ...headers, 'Content-Type': 'application/x-ndjson' };

/** Every way to name a type and a version. */
const ways: readonly (readonly [string, (key: string, level: number) => Promise<void>])[] = [
  ['insert', (key, level) => accepted({ path: 'insert?eventType=level', key, headers, body: { level } })],
  [
    'batchInsert',
    (key, level) => accepted({ path: 'batchInsert?eventType=level', key, headers, body: [{ level }] }),
  ],
  ['multiInsert', (key, level) => accepted({ path: 'multiInsert', key, headers, body: [element(level)] })],
  [
    'multiInsert of lines',
    (key, level) =>
      accepted({ path: 'multiInsert', key, headers: lines, body: `${JSON.stringify(element(level))}\n` }),
  ],
  ['eventId', (key, level) => accepted({ path: 'multiInsert', key, body: [{ ...element(level), eventId }] })],
];

const attackers = [
  ['another public key', async (at: SampleProject) => [at.key, await publicKey(at)]],
  ['a key without an account', async (at: SampleProject) => [await session(at, 'u-1'), at.key]],
  ['another account', async (at: SampleProject) => [await session(at, 'u-1'), await session(at, 'u-2')]],
  ['an administrative key', async (at: SampleProject) => [at.key, await administrativeKey(at)]],
] as const;

// Invariant (Delivery): No sender's `Idempotency-Key` or `eventId` suppresses another sender's event;
// retries after a key rotation or in a new session still count as repeats
describe.each(attackers)('a key and an id that %s used first', (_, keysOf) => {
  test.each(ways)('suppress no events of a victim: %s', async (_way, send) => {
    const project = await world.project();
    const [victim = '', attacker = ''] = await keysOf(project);
    await send(attacker, 66);
    await send(victim, 7);
    expect(await storedLevels(project, 2)).toEqual([66, 7]);
  });

  test.each(ways)('are still recognised when the victim sends again: %s', async (_way, send) => {
    const project = await world.project();
    const [victim = '', attacker = ''] = await keysOf(project);
    for (const [key, level] of [
      [attacker, 66],
      [victim, 7],
      [victim, 7],
      [attacker, 66],
    ] as const)
      await send(key, level);
    expect(await storedLevels(project, 4)).toEqual([66, 7]);
  });
});

describe('a repeat is recognised', () => {
  test.each(ways)('by a key that replaced the one it was sent with: %s', async (_way, send) => {
    const project = await world.project();
    const { text, key } = await world.registry.createKey({ ...asked(project), kind: 'public' });
    const rotate = (keyId: string) =>
      world.registry.rotateKey({ keyId, overlapMs: 60_000, createdBy: 'test' });
    const second = await rotate(key.id);
    const third = await rotate(second.key.id);
    for (const sender of [text, second.text, third.text, text]) await send(sender, 7);
    expect(await storedLevels(project, 4)).toEqual([7]);
  });

  test.each(ways)('by a later session of the account: %s', async (_way, send) => {
    const project = await world.project();
    await send(await session(project, 'u-1'), 7);
    await send(await session(project, 'u-1'), 7);
    expect(await storedLevels(project, 2)).toEqual([7]);
  });
});

function element(level: number) {
  return { eventType: 'level', event: { level } };
}

async function accepted(call: Parameters<RunningGateway['send']>[0]): Promise<void> {
  const answer = await gateway.send(call);
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
}

/** The rows that a worker would store, in the order of acceptance. */
async function storedLevels({ projectId }: SampleProject, sent: number): Promise<unknown[]> {
  const rows = await world.rows(projectId, sent);
  const chunks = world.chunks.filter((chunk) => chunk.projectId === projectId);
  const sorted = chunks.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const { won } = await ledger.seal(randomUUID().replace(/^(.{14})./, '$17'), sorted);
  const dropped = new Map(won?.chunks.map(({ id, drops }) => [id, drops]));
  return rows
    .filter(
      ({ chunkId, start }) =>
        !dropped.get(chunkId)?.some((d) => start >= d.start && start < d.start + d.length),
    )
    .toSorted((a, b) => (a.chunkId < b.chunkId ? -1 : 1))
    .map(({ data }) => Number(data.get('level')));
}

function asked({ projectId }: SampleProject) {
  return { projectId, comment: 'a build', createdBy: 'test' };
}

async function publicKey(project: SampleProject): Promise<string> {
  return (await world.registry.createKey({ ...asked(project), kind: 'public' })).text;
}

async function administrativeKey(project: SampleProject): Promise<string> {
  return (
    await world.registry.createKey({ ...asked(project), kind: 'administrative', scopes: ['events:write'] })
  ).text;
}

/** The key of a new session of this account. */
async function session({ projectId }: SampleProject, accountId: string): Promise<string> {
  const text = createApiKeyText('session', randomBytes);
  const values = [`\\x${hashApiKey(text).toString('hex')}`, randomUUID(), accountId, projectId, '{}'];
  await run(
    `INSERT INTO registry.session_keys (hash, session_id, account_id, project_id, scopes, expires)
     VALUES (${values.map((value) => `'${value}'`)}, now() + interval '1 hour')`,
  );
  return text;
}
