import { createSecretBoxOf } from '@tickrate/platform';
import { openProviders } from '@tickrate/registry';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createConsoleWorld, secretsKey, startConsoleWorld } from '../../testing/console-harness.ts';

const { world, postgresUrl } = await startConsoleWorld();
const sealer = createSecretBoxOf(secretsKey);

const get = async (key: string, name: string) =>
  (await world.send({ path: `/v1/policies/${name}`, key })).body;
const set = async (key: string, name: string, value: object, version?: string) =>
  world.send({
    method: 'PUT',
    path: `/v1/policies/${name}`,
    key,
    body: { value, version: version ?? (await get(key, name)).version },
  });

describe('policies', () => {
  test('a policy is stored, and an edit of an outdated version is rejected', async () => {
    const { key, projectId } = await world.project();
    const { version } = await get(key, 'rates');
    expect((await set(key, 'rates', { perKey: 5 })).body.value).toEqual({ perKey: 5 });
    expect((await set(key, 'rates', { perKey: 6 }, version)).body.code).toBe(3004);
    expect((await world.registry.policies(projectId)).get('rates')).toEqual({ perKey: 5 });
  });

  test.each([
    ['rates', { perKey: -1 }, 'value.perKey'],
    ['rates', { perMoon: 1 }, 'value.perMoon'],
    ['quotas', { eventsPerDay: '1' }, 'value.eventsPerDay'],
    ['sessions', { linking: 'sometimes' }, 'value.linking'],
    ['roles', { roles: { tester: { scopes: ['everything'] } } }, 'value.roles.tester.scopes.0'],
  ])('an invalid value of %s is rejected with its name', async (name, value, parameterName) => {
    const { key } = await world.project();
    const { body } = await set(key, name, value);
    expect([body.code, body.data.parameterName]).toEqual([1003, parameterName]);
    expect(body.data.parameterInvalidReason).not.toContain('schema');
    expect((await get(key, name)).value).toBeNull();
  });

  test('a role cannot have a built-in name or more rights than its creator', async () => {
    const { key, projectId } = await world.project();
    expect((await set(key, 'roles', { roles: { owner: { scopes: [] } } })).body.code).toBe(1003);
    const { text: weak } = await world.registry.createKey({
      projectId,
      kind: 'administrative',
      comment: '',
      createdBy: 'test',
      scopes: ['policies:write'],
    });
    const role = { roles: { tester: { scopes: ['players:read'] } } };
    expect((await set(weak, 'roles', role)).body.code).toBe(2006);
    expect((await set(key, 'roles', role)).status).toBe(200);
  });

  test('a secret of a provider is never shown, and an edit that does not change it keeps it', async () => {
    const { key, projectId } = await world.project();
    const steam = { publisherKey: 'A-SECRET-OF-STEAM', appIds: ['480'] };
    const { body } = await set(key, 'providers', { steam });
    expect(body.value.steam).toEqual({ publisherKey: '********', appIds: ['480'] });
    const edited = { steam: { ...body.value.steam, profile: false }, device: false };
    await set(key, 'providers', edited);
    const stored = (await world.registry.policies(projectId)).get('providers') ?? {};
    expect(stored).toMatchObject({ steam: { profile: false }, device: false });
    expect(openProviders(sealer, projectId, { ...stored })).toMatchObject({
      steam: { publisherKey: 'A-SECRET-OF-STEAM' },
    });
    const { body: acts } = await world.send({ path: '/v1/audit', key });
    for (const text of [world.log(), JSON.stringify(stored), JSON.stringify(acts)]) {
      expect(text).not.toContain('A-SECRET-OF-STEAM');
    }
    const elsewhere = await world.project();
    const { body: refused } = await set(elsewhere.key, 'providers', stored);
    expect(refused.data.parameterName).toBe('value.steam.publisherKey');
  });

  test.each([
    [{ steam: { publisherKey: '********', appIds: ['480'] } }, 'value.steam'],
    [{ steam: { publisherKey: 'k', appIds: [] } }, 'value.steam.appIds'],
    [{ openId: { google: { preset: 'google' } } }, 'value.openId.google'],
    [{ myspace: {} }, 'value.myspace'],
  ])('providers that sign-in cannot use are rejected: %j', async (value, place) => {
    const { key } = await world.project();
    const { body } = await set(key, 'providers', value);
    expect(body.code).toBe(1003);
    expect(body.data.parameterName.startsWith(place)).toBe(true);
  });

  const openIdAt = (members: object) => ({ openId: { ours: { clientIds: ['ours'], ...members } } });

  test.each([
    [
      { discord: { applicationId: '1', address: 'http://discord.example' } },
      'value.discord.address',
      'https',
    ],
    [
      { discord: { applicationId: '1', address: 'https://127.0.0.1:8080' } },
      'value.discord.address',
      'private',
    ],
    [{ itchIo: { address: 'https://[::1]/' } }, 'value.itchIo.address', 'private'],
    [{ itchIo: { address: 'https://localhost/' } }, 'value.itchIo.address', 'private'],
    [{ itchIo: { address: 'https://me:secret@itch.io' } }, 'value.itchIo.address', 'password'],
    [
      { steam: { publisherKey: 'k', appIds: ['480'], address: 'https://10.0.0.1' } },
      'value.steam.address',
      'private',
    ],
    [
      openIdAt({ issuers: ['ours'], jwksUri: 'https://169.254.169.254/keys' }),
      'value.openId.ours.jwksUri',
      'private',
    ],
    [openIdAt({ issuers: ['https://ours.example', 'ours'] }), 'value.openId.ours.issuers.1', 'https'],
    [openIdAt({ issuers: ['https://192.168.0.1'] }), 'value.openId.ours.issuers.0', 'private'],
  ])('providers at addresses that sign-in does not call are rejected: %j', async (value, place, reason) => {
    const { key, projectId } = await world.project();
    const { body } = await set(key, 'providers', value);
    expect([body.code, body.data.parameterName]).toEqual([1003, place]);
    expect(body.data.parameterInvalidReason).toContain(reason);
    expect((await world.registry.policies(projectId)).get('providers')).toBeUndefined();
  });

  test('providers at public addresses are accepted, and an issuer needs none if its keys have one', async () => {
    const { key } = await world.project();
    const keyed = openIdAt({ issuers: ['ours'], jwksUri: 'https://ours.example/keys' });
    const value = { ...keyed, discord: { applicationId: '1', address: 'https://discord.example' } };
    expect((await set(key, 'providers', value)).status).toBe(200);
    expect((await set(key, 'providers', openIdAt({ preset: 'google' }))).status).toBe(200);
  });

  test('providers at private addresses are accepted in development', async () => {
    const values = { development: true };
    const own = await createConsoleWorld({ postgresUrl, values });
    onTestFinished(() => own.close());
    const { key } = await own.project();
    const { version } = (await own.send({ path: '/v1/policies/providers', key })).body;
    const value = { itchIo: { address: 'http://127.0.0.1:8080' } };
    const body = { version, value };
    expect((await own.send({ method: 'PUT', path: '/v1/policies/providers', key, body })).status).toBe(200);
  });

  test('an unknown policy name is rejected', async () => {
    const { key } = await world.project();
    expect((await world.send({ path: '/v1/policies/nonsense', key })).body.data.parameterName).toBe('name');
  });
});
