import { createAnswerCheck, freshPostgres, type SteamStandIn, startSteamStandIn } from '@tickrate/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AuthInstance, type AuthWorld, createAuthWorld } from '../apps/auth/src/auth-harness.ts';
import { type ConsoleWorld, createConsoleWorld } from '../apps/console/src/console-harness.ts';

const { url: postgresUrl } = await freshPostgres();
const secret = 'A-SECRET-OF-STEAM';
let world: ConsoleWorld;
let authWorld: AuthWorld;
let auth: AuthInstance;
let theirs: SteamStandIn;
let elsewhere: SteamStandIn;

beforeAll(async () => {
  world = await createConsoleWorld({ postgresUrl, createAnswerCheck });
  authWorld = await createAuthWorld(postgresUrl);
  auth = await authWorld.start({ development: true });
  theirs = await startSteamStandIn(secret);
  elsewhere = await startSteamStandIn(secret);
});
afterAll(async () => {
  await authWorld.close();
  await world.close();
  await Promise.all([theirs.stop(), elsewhere.stop()]);
});

test('a secret of a provider goes to no other address than it was set for', async () => {
  const { projectId, key } = await world.project();
  const asPlayer = { projectId, kind: 'public', comment: '', createdBy: 'test' } as const;
  const { text: publicKey } = await world.registry.createKey(asPlayer);
  const set = async (steam: object) => {
    const { version } = (await world.send({ path: '/v1/policies/providers', key })).body;
    return world.send({
      ...{ method: 'PUT', path: '/v1/policies/providers', key },
      body: { version, value: { steam } },
    });
  };
  const signIn = (userTicket: string) =>
    auth.send({ key: publicKey, body: { tokens: { steamTokens: [{ userTicket }] } } });
  const ticket = (steamId: string) => theirs.issueTicket({ appId: '480', steamId });

  const { body } = await set({ publisherKey: secret, appIds: ['480'], address: theirs.address });
  const shown = body.value.steam;
  expect(shown.publisherKey).toBe('********');
  await signIn(ticket('76561197960287001'));
  expect(theirs.requests.length).toBeGreaterThan(0);

  const moved = await set({ ...shown, address: elsewhere.address });
  await signIn(ticket('76561197960287002'));
  expect(elsewhere.requests).toEqual([]);
  expect([moved.body.code, moved.body.data.parameterName]).toEqual([1003, 'value.steam.publisherKey']);
  expect(moved.body.data.parameterInvalidReason).toContain('address');

  const { address: _, ...withoutAddress } = shown;
  expect((await set(withoutAddress)).body.code).toBe(1003);
  expect((await set({ ...shown, profile: false })).status).toBe(200);
  expect((await set({ ...shown, publisherKey: 'another', address: elsewhere.address })).status).toBe(200);
});
