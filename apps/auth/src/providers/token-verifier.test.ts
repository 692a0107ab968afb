import { createHash } from 'node:crypto';
import { readProviderSettings } from '@tickrate/contract';
import {
  createManualClock,
  startDiscordStandIn,
  startItchIoStandIn,
  startSteamStandIn,
  waitUntil,
} from '@tickrate/testkit';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTokenStores } from '../testing/token-stores.ts';
import type { PresentedToken, ProviderName } from './provider.ts';
import { createTokenVerifier } from './token-verifier.ts';

const steam = await startSteamStandIn();
const itchIo = await startItchIoStandIn();
const discord = await startDiscordStandIn();
afterAll(async () => {
  await Promise.all([steam.stop(), itchIo.stop(), discord.stop()]);
});

const clock = createManualClock();
const faults: unknown[] = [];
const received: string[] = [];
const secretHash = createHash('sha256').update('device secret').digest();
let verifier = start();

function start(deadlineMs?: number) {
  return createTokenVerifier({
    ...createTokenStores(),
    async findDeviceSecret(_, deviceId) {
      if (deviceId === 'store-away') throw new Error('The store is away');
      if (deviceId === 'store-hangs') return Promise.withResolvers<null>().promise;
      return deviceId === 'known' ? secretHash : null;
    },
    development: true,
    now: clock.now,
    onFault: (error) => faults.push(error),
    onVerdict: (provider, { status }) => received.push(`${provider} ${status}`),
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
  });
}

beforeEach(() => {
  verifier = start();
});
afterEach(() => {
  for (const standIn of [steam, itchIo, discord]) standIn.feel('well');
  verifier.close();
  faults.length = 0;
  received.length = 0;
});

const whole = {
  steam: { publisherKey: steam.publisherKey, appIds: ['480'], address: steam.address },
  itchIo: { address: itchIo.address },
  discord: { applicationId: '42', address: discord.address },
};

function token(provider: ProviderName, fields: PresentedToken['fields'], index = 0): PresentedToken {
  return { provider, index, fields };
}

async function verify(tokens: readonly PresentedToken[], settings: object = whole, testMode = false) {
  const read = readProviderSettings(settings, { testMode });
  expect(read.faults).toEqual([]);
  return verifier.verify(read.settings, tokens, 'p-1');
}

const steamId = '76561197960287930';
const finch = { id: 7, username: 'finch' };

describe('an itch.io key', () => {
  it('is taken from the itch.io app and from OAuth applications, the latter unless they are turned off', async () => {
    const fromApp = token('itchIo', { apiKey: itchIo.issueToken(finch) });
    const fromOAuth = token('itchIo', { apiKey: itchIo.issueOAuthKey(finch) });
    for (const verdict of await verify([fromApp, fromOAuth])) {
      expect(verdict).toMatchObject({ status: 'accepted', identity: { subject: '7', displayName: 'finch' } });
    }
    const strict = { itchIo: { address: itchIo.address, oauthKeys: false } };
    const verdicts = await verify([fromApp, fromOAuth], strict);
    expect(verdicts.map(({ status }) => status)).toEqual(['accepted', 'rejected']);
  });

  it('is refused when it is unknown, and never sent when it could not be one', async () => {
    const [unknown] = await verify([token('itchIo', { apiKey: 'unknown-key-0' })]);
    expect(unknown?.status).toBe('rejected');
    const before = itchIo.requests.length;
    for (const apiKey of ['', 'short', 'x y z x y z', 'key\r\nHost: evil', 'ключ-ключ']) {
      expect((await verify([token('itchIo', { apiKey })]))[0]?.status).toBe('rejected');
    }
    expect(itchIo.requests.length).toBe(before);
  });

  it('has to be of an owner of the game where that is configured', async () => {
    const owner = { id: 8, username: 'owner' };
    itchIo.giveGame('99', owner);
    const keys = [finch, owner].map((user) => token('itchIo', { apiKey: itchIo.issueToken(user) }));
    const given = { address: itchIo.address, gameId: '99', developerKey: itchIo.developerKey };
    const verdicts = await verify(keys, { itchIo: given });
    expect(verdicts.map(({ status }) => status)).toEqual(['rejected', 'accepted']);
    received.length = 0;
    const misconfigured = await verify(keys, { itchIo: { ...given, developerKey: 'wrong' } });
    expect(misconfigured.map(({ status }) => status)).toEqual(['misconfigured', 'misconfigured']);
    expect(received).toEqual(['itchIo misconfigured', 'itchIo misconfigured']);
  });
});

describe('a Discord token', () => {
  const grant = { applicationId: '42', userId: '1001', expiresMs: clock.now() + 60_000 };

  it('proves the player who granted it to our application, with a name that reorders no other text', async () => {
    const [verdict] = await verify([token('discord', { accessToken: discord.issueToken(grant) })]);
    expect(verdict).toMatchObject({
      status: 'accepted',
      identity: {
        subject: '1001',
        displayName: 'Marigold',
        avatarUrl: 'https://cdn.discordapp.com/avatars/1001/a1b2c3.png',
      },
    });
  });

  it("is refused as another application's, without its scope, over, or unknown", async () => {
    const grants = [
      { ...grant, applicationId: '43' },
      { ...grant, scopes: ['guilds'] },
      { ...grant, expiresMs: clock.now() - 1 },
    ];
    const tokens = grants.map((each) => token('discord', { accessToken: discord.issueToken(each) }));
    const verdicts = await verify([...tokens, token('discord', { accessToken: 'unknown-token' })]);
    expect(verdicts.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'expired', 'rejected']);
  });
});

describe('itch.io and Discord', () => {
  const moods = ['html', 'blocked', 'broken', 'empty', 'huge', 'redirecting', 'resetting', 'busy'] as const;
  it.each(moods)('neither take nor refuse a token while they are %s', async (mood) => {
    for (const standIn of [itchIo, discord]) standIn.feel(mood);
    const verdicts = await verify([
      token('itchIo', { apiKey: 'key-of-itch' }),
      token('discord', { accessToken: 'token-of-discord' }),
    ]);
    expect(verdicts.map(({ status }) => status)).toEqual(['unavailable', 'unavailable']);
  });
});

describe('a device', () => {
  it('is known by the secret that was issued for it', async () => {
    const verdicts = await verify([
      token('device', { deviceId: 'known', deviceSecret: 'device secret' }),
      token('device', { deviceId: 'known', deviceSecret: 'another' }),
      token('device', { deviceId: 'unknown', deviceSecret: 'device secret' }),
      token('device', { deviceId: 'known', deviceSecret: null }),
    ]);
    expect(verdicts.map(({ status }) => status)).toEqual(['accepted', 'rejected', 'rejected', 'rejected']);
    expect(verdicts[1]).toEqual(verdicts[2]);
  });

  it('is neither accepted nor refused when the store is away, and that is reported', async () => {
    const [verdict] = await verify([token('device', { deviceId: 'store-away', deviceSecret: 'x' })]);
    expect(verdict?.status).toBe('unavailable');
    expect(faults).toHaveLength(1);
  });

  it('of a test is any player in test mode, and no player without it', async () => {
    const editor = token('deviceTest', { deviceId: 'editor-1' });
    expect(await verify([editor], {}, true)).toMatchObject([{ identity: { subject: 'test:editor-1' } }]);
    expect(await verify([editor], {}, false)).toMatchObject([{ status: 'notConfigured' }]);
  });
});

describe('tokens that are verified together', () => {
  const ticket = () => token('steam', { userTicket: steam.issueTicket({ appId: '480', steamId }) });

  it('are answered in their order, and no bad one hides a good one', async () => {
    discord.feel('broken');
    const verdicts = await verify([
      token('steam', { userTicket: '00'.repeat(20) }),
      token('discord', { accessToken: 'token-of-discord' }),
      ticket(),
      token('openId', { connectionId: 'nobody', idToken: 'x' }),
      token('itchIo', { apiKey: itchIo.issueToken(finch) }, 1),
    ]);
    expect(verdicts.map(({ status }) => status)).toEqual([
      'rejected',
      'unavailable',
      'accepted',
      'notConfigured',
      'accepted',
    ]);
  });

  it('are not configured, and never taken, in a project without settings', async () => {
    const names = ['steam', 'itchIo', 'discord', 'openId', 'deviceTest'] as const;
    const verdicts = await verify(
      names.map((name) => token(name, { connectionId: 'c' })),
      {},
    );
    expect(verdicts.map(({ status }) => status)).toEqual(names.map(() => 'notConfigured'));
  });

  it('are asked about side by side', async () => {
    for (const standIn of [steam, itchIo, discord]) standIn.feel('hanging');
    const before = [steam, itchIo, discord].map((standIn) => standIn.requests.length);
    const pending = verify([
      ticket(),
      token('itchIo', { apiKey: 'key-of-itch' }),
      token('discord', { accessToken: 'token-of-discord' }),
    ]);
    await waitUntil(() =>
      [steam, itchIo, discord].every(
        (standIn, index) => standIn.requests.length === (before[index] ?? 0) + 1,
      ),
    );
    verifier.close();
    expect((await pending).map(({ status }) => status)).toEqual([
      'unavailable',
      'unavailable',
      'unavailable',
    ]);
  });

  it('have one deadline, at which the good ones are accepted and the others unavailable', async () => {
    verifier = start(50);
    discord.feel('hanging');
    const good = token('device', { deviceId: 'known', deviceSecret: 'device secret' });
    const verdicts = await verify([good, token('discord', { accessToken: 'token-of-discord' })]);
    expect(verdicts).toMatchObject([
      { status: 'accepted' },
      { status: 'unavailable', detail: 'there was no verdict in time' },
    ]);
  });

  it('do not wait beyond it for a store of ours that hangs', async () => {
    verifier = start(50);
    const verdicts = await verify([token('device', { deviceId: 'store-hangs', deviceSecret: 'x' })]);
    expect(verdicts).toMatchObject([{ status: 'unavailable' }]);
  });

  it('spare a platform that fails, and take it back when it is well', async () => {
    steam.feel('resetting');
    for (let time = 0; time < 5; time += 1) await verify([ticket()]);
    steam.feel('well');
    const before = steam.requests.length;
    const [spared] = await verify([ticket()]);
    expect(spared).toMatchObject({ status: 'unavailable', retryAfterSeconds: 5 });
    expect(steam.requests.length).toBe(before);
    clock.advance(5_000);
    expect((await verify([ticket()]))[0]?.status).toBe('accepted');
    expect((await verify([ticket()]))[0]?.status).toBe('accepted');
  });

  it('never contain a key, a ticket or a token in a verdict', async () => {
    for (const mood of ['well', 'html', 'resetting'] as const) {
      for (const standIn of [steam, itchIo, discord]) standIn.feel(mood);
      const secrets = ['ab'.repeat(40), 'secret-key-of-itch', 'secret-token-of-discord', steam.publisherKey];
      const verdicts = await verify([
        token('steam', { userTicket: secrets[0] ?? '' }),
        token('itchIo', { apiKey: secrets[1] ?? '' }),
        token('discord', { accessToken: secrets[2] ?? '' }),
      ]);
      for (const secret of secrets) expect(JSON.stringify(verdicts)).not.toContain(secret);
    }
  });

  it('reach nothing private outside of development', async () => {
    const strict = createTokenVerifier({
      ...createTokenStores(),
      development: false,
      now: clock.now,
      onFault: (error) => faults.push(error),
    });
    const before = steam.requests.length;
    const { settings } = readProviderSettings(whole, { testMode: false });
    expect(await strict.verify(settings, [ticket()], 'p-1')).toMatchObject([{ status: 'misconfigured' }]);
    expect(steam.requests.length).toBe(before);
    strict.close();
  });
});
