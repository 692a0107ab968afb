import { expect, test } from 'vitest';
import { createAccountsWorld } from '../testing/accounts-world.ts';
import { endPlayerSession, endPlayerSessions } from './player-acts.ts';

const world = await createAccountsWorld();
const { db, now } = world;
const projectId = await world.createProject();

test('one session of a player ends, once, and its others stay live', async () => {
  const accountId = await world.createAccount(projectId);
  const session = await world.openSession(projectId, accountId);
  const other = await world.openSession(projectId, accountId);
  const endedMs = now();
  const act = { projectId, accountId, sessionId: session.id };
  expect(await endPlayerSession(db, { ...act, nowMs: endedMs })).toMatchObject({ id: session.id, endedMs });
  world.advance(1_000);
  expect(await endPlayerSession(db, { ...act, nowMs: now() })).toMatchObject({ endedMs });
  expect(await world.liveSessions(accountId)).toEqual([other.id]);
});

test('all sessions of a player end together', async () => {
  const accountId = await world.createAccount(projectId);
  await world.openSession(projectId, accountId);
  await world.openSession(projectId, accountId);
  const act = { projectId, accountId, nowMs: now() };
  expect(await endPlayerSessions(db, act)).toEqual({ ended: 2, unlinkedDevices: 0 });
  expect(await endPlayerSessions(db, act)).toEqual({ ended: 0, unlinkedDevices: 0 });
  expect(await world.liveSessions(accountId)).toEqual([]);
});

test('players and sessions of another project are unknown, and their sessions stay live', async () => {
  const foreign = await world.createProject();
  const stranger = await world.createAccount(foreign);
  const session = await world.openSession(foreign, stranger);
  const act = { projectId, accountId: stranger, nowMs: now() };
  const unknown = (objectType: string) => ({ reason: 'objectNotFound', data: { objectType } });
  await expect(endPlayerSessions(db, act)).rejects.toMatchObject(unknown('player'));
  const foreignSession = { ...act, sessionId: session.id };
  await expect(endPlayerSession(db, foreignSession)).rejects.toMatchObject(unknown('player'));
  const own = { ...act, accountId: await world.createAccount(projectId), sessionId: session.id };
  await expect(endPlayerSession(db, own)).rejects.toMatchObject(unknown('session'));
  expect(await world.liveSessions(stranger)).toEqual([session.id]);
});
