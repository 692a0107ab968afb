import { inRealm, insertIdentity, putMail } from '@tickrate/accounts';
import { createSecretBoxOf } from '@tickrate/platform';
import { createRegistryCache } from '@tickrate/registry';
import { waitUntil } from '@tickrate/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAdministrator } from '../../testing/administrator-harness.ts';
import { secretsKey, startConsoleWorld } from '../../testing/console-harness.ts';
import { createPlayer, openPlayerSession } from '../../testing/player-harness.ts';

const { world, postgresUrl } = await startConsoleWorld({ outbox: true });
/** A gateway's cache of sessions. */
const gateway = createRegistryCache({ postgresUrl, now: Date.now, onFault: () => undefined });

beforeAll(async () => {
  await gateway.start();
});
afterAll(() => gateway.stop());

async function withPlayer() {
  const project = await world.project();
  const player = await createPlayer(world.accounts, { ...project, nowMs: Date.now() });
  const path = `/v1/players/${player.accountId}`;
  const send = (method: string, below = '', body?: object) =>
    world.send({ method, path: path + below, key: project.key, body });
  const read = async (below = '') => (await send('GET', below)).body;
  return { ...project, player, path, send, read };
}

const isDead = (key: string) => async () => (await gateway.principal(key)) === null;
const rejection = { what: 'the rejection of the key by a gateway' };

describe('a player', () => {
  test('is found by address in upper or lower case, by platform identity, and by id, without secrets', async () => {
    const { key, player } = await withPlayer();
    const find = async (query: Record<string, string>) =>
      (await world.send({ path: `/v1/players?${new URLSearchParams(query)}`, key })).body;
    const { accountId, emailAddress, subject } = player;
    const shown = (await world.send({ path: `/v1/players/${accountId}`, key })).body;
    expect(shown).toMatchObject({
      id: accountId,
      emailAddress,
      emailVerified: true,
      state: 'active',
      ban: null,
      locale: 'en',
      hasSecondFactor: true,
      hasPassword: false,
      providers: ['steam'],
    });
    expect(Date.parse(shown.lastSeen)).toBeGreaterThanOrEqual(Date.parse(shown.created));
    const found = { results: [shown], next: null };
    expect(await find({})).toEqual(found);
    expect(await find({ emailAddress: ` ${emailAddress.toUpperCase()}` })).toEqual(found);
    expect(await find({ provider: 'steam', subject })).toEqual(found);
    expect((await find({ provider: 'discord', subject })).results).toEqual([]);
    expect((await find({ emailAddress: 'nobody@players.example' })).results).toEqual([]);
    expect((await find({ subject })).data.parameterName).toBe('provider');
    expect((await find({ provider: 'steam' })).data.parameterName).toBe('subject');
    expect((await find({ emailAddress, provider: 'steam', subject })).code).toBe(1003);
    expect((await find({ emailAddress: 'no address' })).data.parameterName).toBe('emailAddress');
  });

  test('is listed newest first, by pages', async () => {
    const { key, projectId, player } = await withPlayer();
    const ids = [player.accountId];
    for (let n = 0; n < 2; n++) {
      const nowMs = Date.now() + 1_000 * (n + 1);
      const { accountId } = await createPlayer(world.accounts, { projectId, nowMs });
      ids.unshift(accountId);
    }
    const first = (await world.send({ path: '/v1/players?limit=2', key })).body;
    const second = (await world.send({ path: `/v1/players?limit=2&cursor=${first.next}`, key })).body;
    const listed: { id: string }[] = [...first.results, ...second.results];
    expect([listed.map(({ id }) => id), second.next]).toEqual([ids, null]);
  });

  test('of another project returns 404, as if it did not exist, and does not change', async () => {
    const { player, path, read } = await withPlayer();
    const { key } = await world.project();
    const before = [await read(), await read('/sessions')];
    const { version } = before[0];
    const ban = { version, reason: 'mine' };
    const calls = [
      ...[
        ['GET', ''],
        ['GET', '/sessions'],
        ['GET', '/identities'],
        ['PUT', '/ban', ban],
        ['DELETE', '/ban'],
      ],
      ...[
        ['DELETE', '/sessions'],
        ['DELETE', `/sessions/${player.session.id}`],
        ['DELETE', '/second-factor'],
      ],
    ] as const;
    for (const [method, below, body] of calls) {
      const ask = async (of: string) => {
        const answer = await world.send({ method, path: of + below, key, body });
        const { code, message, data } = answer.body;
        return { status: answer.status, code, message, objectType: data.objectType };
      };
      const nobodys = await ask(path.replace(player.accountId, 'u-nobody'));
      expect([nobodys.code, nobodys.objectType], below).toEqual([3001, 'player']);
      expect(await ask(path), below).toEqual(nobodys);
    }
    for (const by of [
      `emailAddress=${player.emailAddress}`,
      `provider=steam&subject=${player.subject}`,
      '',
    ]) {
      expect((await world.send({ path: `/v1/players?${by}`, key })).body.results).toEqual([]);
    }
    expect([await read(), await read('/sessions')]).toEqual(before);
  });

  test('has identities and sessions, listed by pages', async () => {
    const { projectId, player, read } = await withPlayer();
    const earlier = await openPlayerSession(world.accounts, {
      accountId: player.accountId,
      projectId,
      nowMs: Date.now() - 60_000,
    });
    const first = await read('/sessions?limit=1');
    expect(first.results).toMatchObject([
      { id: player.session.id, state: 'live', clientAddress: '203.0.113.7' },
    ]);
    const second = await read(`/sessions?limit=1&cursor=${first.next}`);
    expect([second.results[0].id, second.next]).toEqual([earlier.id, null]);
    const { identityId, subject } = player;
    expect(await read('/identities?limit=1')).toMatchObject({
      results: [{ id: identityId, provider: 'steam', subject }],
      next: null,
    });
  });
});

describe('ending', () => {
  test('one session or all makes every gateway reject their keys', async () => {
    const { projectId, player, send, read } = await withPlayer();
    const more = await openPlayerSession(world.accounts, {
      accountId: player.accountId,
      projectId,
      nowMs: Date.now(),
    });
    for (const { key } of [player.session, more]) expect(await gateway.principal(key)).not.toBeNull();
    const ended = await send('DELETE', `/sessions/${more.id}`);
    expect(ended.body).toMatchObject({ id: more.id, state: 'ended', endReason: 'administrator' });
    await waitUntil(isDead(more.key), rejection);
    expect((await gateway.principal(player.session.key))?.accountId).toBe(player.accountId);
    expect((await send('DELETE', `/sessions/${more.id}`)).body).toEqual(ended.body);
    expect((await send('DELETE', '/sessions/us-nobodys')).body).toMatchObject({
      code: 3001,
      data: { objectType: 'session' },
    });
    const identity = { accountId: player.accountId, displayName: null, nowMs: Date.now() };
    const device = { provider: 'device', tenant: '', subject: `d-${player.accountId}` };
    await insertIdentity(inRealm(world.accounts, projectId), {
      ...identity,
      id: crypto.randomUUID(),
      key: device,
    });
    expect((await send('DELETE', '/sessions')).body).toEqual({ ended: 1, unlinkedDevices: 1 });
    const left = await read('/identities');
    expect(left.results.map(({ provider }: { provider: string }) => provider)).toEqual(['steam']);
    await waitUntil(isDead(player.session.key), rejection);
    expect((await read('/sessions')).results.map(({ state }: { state: string }) => state)).toEqual([
      'ended',
      'ended',
    ]);
  });
});

describe('a ban', () => {
  test('ends every session, is listed and shown, and can be lifted', async () => {
    const { key, player, send, read } = await withPlayer();
    const { version } = await read();
    expect(await gateway.principal(player.session.key)).not.toBeNull();
    const expires = new Date(Date.now() + 86_400_000).toISOString();
    const banned = await send('PUT', '/ban', { version, reason: 'aimbot', expires });
    expect(banned.body).toMatchObject({ state: 'banned', ban: { reason: 'aimbot', expires } });
    await waitUntil(isDead(player.session.key), rejection);
    const listed = () => world.send({ path: '/v1/players?state=banned', key });
    expect((await listed()).body.results).toEqual([banned.body]);
    expect((await read('/sessions')).results[0]).toMatchObject({ state: 'ended', endReason: 'banned' });
    expect((await send('DELETE', '/ban')).body).toMatchObject({ state: 'active', ban: null });
    expect((await listed()).body.results).toEqual([]);
    const { body } = await world.send({ path: '/v1/audit', key });
    expect(body.results).toMatchObject([
      { act: 'unbanPlayer', outcome: 'done', details: { accountId: player.accountId } },
      { act: 'banPlayer', outcome: 'done', details: { reason: 'aimbot', expires } },
    ]);
  });

  test('requires the latest version, a future end and a reason in plain text', async () => {
    const { send, read } = await withPlayer();
    const { version } = await read();
    const ban = (more: object) => send('PUT', '/ban', { version, reason: 'aimbot', ...more });
    const past = new Date(Date.now() - 1_000).toISOString();
    expect((await ban({ expires: past })).body.data.parameterName).toBe('expires');
    expect((await ban({ reason: 'a\u0007b' })).body.data.parameterName).toBe('reason');
    const races = await Promise.all(['first', 'second'].map((reason) => ban({ reason, expires: null })));
    expect(races.map(({ body }) => body.code ?? 200).toSorted()).toEqual([200, 3004]);
    expect((await read()).ban).toMatchObject({ expires: null });
  });

  test('that has expired is no longer shown', async () => {
    const { key, player, send, read } = await withPlayer();
    await send('PUT', '/ban', { version: (await read()).version, reason: 'spam' });
    const sql = "UPDATE auth.accounts SET ban_expires = now() - interval '1 second' WHERE id = $1";
    await world.accounts.query(sql, [player.accountId]);
    expect(await read()).toMatchObject({ state: 'active', ban: null });
    expect((await world.send({ path: '/v1/players?state=banned', key })).body.results).toEqual([]);
  });
});

describe('a reset of the second factor', () => {
  test('also deletes recovery codes and trusted devices, and keeps the sign-in method', async () => {
    const { player, send } = await withPlayer();
    const { accountId } = player;
    expect((await send('DELETE', '/second-factor')).body).toMatchObject({
      id: accountId,
      hasSecondFactor: false,
      providers: ['steam'],
    });
    for (const table of ['totps', 'recovery_codes', 'known_devices']) {
      const left = await world.accounts.query(`SELECT FROM auth.${table} WHERE account_id = $1`, [accountId]);
      expect(left, table).toEqual([]);
    }
  });
});

describe('the outbox', () => {
  test('shows mails to players of the project, newest first, and mails to administrators only to the owner of the installation', async () => {
    const { projectId, key } = await world.project();
    const other = await world.project();
    const sealer = createSecretBoxOf(secretsKey);
    const put = (n: number, realm: string, by = sealer) =>
      putMail(inRealm(world.accounts, realm), {
        id: crypto.randomUUID(),
        accountId: null,
        to: 'max@example.com',
        subject: `Mail ${n}`,
        sentMs: Date.now() + n,
        body: by.seal(`Code: ${n}`, 'outbox'),
      });
    for (const [n, realm] of [projectId, 'installation', other.projectId, projectId].entries())
      await put(n, realm);
    const texts = async (of: string) => {
      const first = (await world.send({ path: '/v1/outbox?limit=1', key: of })).body;
      const rest = await world.send({ path: `/v1/outbox?cursor=${first.next}`, key: of });
      return [...first.results, ...rest.body.results].map(({ text }) => text);
    };
    expect(await texts(key)).toEqual(['Code: 3', 'Code: 0']);
    const owner = await createAdministrator(world.accounts, { [projectId]: 'owner' });
    expect(await texts(owner.key)).toEqual(['Code: 3', 'Code: 0']);
    await world.accounts.query('UPDATE auth.accounts SET owns_installation = true WHERE id = $1', [
      owner.accountId,
    ]);
    expect(await texts(owner.key)).toEqual(['Code: 3', 'Code: 1', 'Code: 0']);
    await put(4, projectId, createSecretBoxOf('a key that has gone'));
    expect(await texts(key)).toEqual([null, 'Code: 3', 'Code: 0']);
  });
});
