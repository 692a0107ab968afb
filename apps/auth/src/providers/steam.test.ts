import { readProviderSettings } from '@tickrate/contract';
import { createManualClock, startSteamStandIn } from '@tickrate/testkit';
import fc from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTokenStores } from '../testing/token-stores.ts';
import { isTicket } from './steam.ts';
import { createTokenVerifier } from './token-verifier.ts';

const steam = await startSteamStandIn();
afterAll(() => steam.stop());

const steamId = '76561197960287930';
const faults: unknown[] = [];
let verifier = start();

function start() {
  return createTokenVerifier({
    ...createTokenStores(),
    development: true,
    now: createManualClock().now,
    onFault: (error) => faults.push(error),
  });
}

beforeEach(() => {
  verifier = start();
});
afterEach(() => {
  steam.feel('well');
  verifier.close();
  expect(faults).toEqual([]);
});

async function check(userTicket: string | null, changes: object = {}) {
  const given = { publisherKey: steam.publisherKey, appIds: ['480'], address: steam.address, ...changes };
  const { settings, faults: wrong } = readProviderSettings({ steam: given }, { testMode: false });
  expect(wrong).toEqual([]);
  const ticket = { provider: 'steam' as const, index: 0, fields: { userTicket } };
  const [verdict] = await verifier.verify(settings, [ticket], 'p-1');
  return verdict;
}

describe('a Steam ticket', () => {
  it('proves the player, with the id as text and the name that Steam knows', async () => {
    expect(await check(steam.issueTicket({ appId: '480', steamId }))).toEqual({
      status: 'accepted',
      identity: {
        provider: 'steam',
        tenant: '',
        subject: steamId,
        displayName: 'Player 7930',
        avatarUrl: `https://avatars.example/${steamId}.jpg`,
        email: null,
        attributes: { appId: '480', familySharing: false, vacBanned: false },
      },
    });
  });

  it('is refused when Steam does not know it', async () => {
    expect(await check('00'.repeat(64))).toMatchObject({ status: 'rejected' });
  });

  it("is refused when it is another game's", async () => {
    expect(await check(steam.issueTicket({ appId: '999', steamId }))).toMatchObject({ status: 'rejected' });
  });

  it('is taken of any of the application ids of the game, under one identity', async () => {
    const verdict = await check(steam.issueTicket({ appId: '481', steamId }), { appIds: ['480', '481'] });
    expect(verdict).toMatchObject({
      identity: { tenant: '', subject: steamId, attributes: { appId: '481' } },
    });
  });

  it('has to be made for the identity that is configured', async () => {
    const mine = steam.issueTicket({ appId: '480', steamId, identity: 'tickrate' });
    const anyones = steam.issueTicket({ appId: '480', steamId });
    expect(await check(mine, { identity: 'tickrate' })).toMatchObject({ status: 'accepted' });
    expect(await check(anyones, { identity: 'tickrate' })).toMatchObject({ status: 'rejected' });
    expect(await check(mine)).toMatchObject({ status: 'rejected' });
  });

  it('of a user whom the publisher banned is refused as banned, and a VAC ban is reported', async () => {
    expect(await check(steam.issueTicket({ appId: '480', steamId, publisherBanned: true }))).toMatchObject({
      status: 'banned',
    });
    expect(await check(steam.issueTicket({ appId: '480', steamId, vacBanned: true }))).toMatchObject({
      identity: { attributes: { vacBanned: true } },
    });
  });

  it('of a borrowed copy is taken or refused as the project says', async () => {
    const borrowed = steam.issueTicket({ appId: '480', steamId, ownerSteamId: '76561197960265729' });
    expect(await check(borrowed)).toMatchObject({
      identity: { subject: steamId, attributes: { familySharing: true, ownerId: '76561197960265729' } },
    });
    expect(await check(borrowed, { familySharing: 'refuse' })).toMatchObject({ status: 'rejected' });
  });

  it('cannot be judged with a wrong publisher key, which is our fault and not the player’s', async () => {
    const verdict = await check(steam.issueTicket({ appId: '480', steamId }), { publisherKey: 'WRONGKEY' });
    expect(verdict?.status).toBe('misconfigured');
    expect(JSON.stringify(verdict)).not.toContain('WRONGKEY');
  });

  it('cannot be judged either when Steam forbids us with a page', async () => {
    steam.feel('blocked');
    const verdict = await check(steam.issueTicket({ appId: '480', steamId }));
    expect(verdict?.status).toBe('misconfigured');
  });

  it('never reaches Steam unless it looks like one', async () => {
    const before = steam.requests.length;
    const hostile = [
      '',
      'zz'.repeat(20),
      '00'.repeat(7),
      `${'00'.repeat(20)}0`,
      '00'.repeat(2561),
      'AB'.repeat(20),
    ];
    for (const ticket of [...hostile, `${'00'.repeat(20)}&appid=1`, `${'00'.repeat(20)}\n`, null]) {
      expect(await check(ticket)).toMatchObject({ status: 'rejected' });
    }
    expect(steam.requests.length).toBe(before);
  });

  it('is distinguished from any other text by its shape alone', () => {
    const hex = fc.array(fc.constantFrom(...'0123456789abcdef'), { minLength: 0, maxLength: 6000 });
    fc.assert(
      fc.property(hex, (digits) => {
        const { length } = digits;
        expect(isTicket(digits.join(''))).toBe(length >= 16 && length <= 5120 && length % 2 === 0);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 16 }), (text) => {
        fc.pre(/[^0-9a-f]/.test(text));
        expect(isTicket(text)).toBe(false);
      }),
    );
  });

  it('is asked about in an address that nothing configured can add to, and the key is not in it', async () => {
    const ticket = steam.issueTicket({ appId: '480', steamId });
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }), async (identity) => {
        const before = steam.requests.length;
        await check(ticket, { identity, profile: false });
        const [request] = steam.requests.slice(before);
        expect(Object.fromEntries(request?.url.searchParams ?? [])).toEqual({
          appid: '480',
          ticket,
          identity,
        });
        expect(request?.url.pathname).toBe('/ISteamUserAuth/AuthenticateUserTicket/v1/');
        expect(request?.url.href).not.toContain(steam.publisherKey);
      }),
      { numRuns: 40 },
    );
  });

  it('is asked about once: there is no second try that a single-use ticket would not survive', async () => {
    const ticket = steam.issueTicket({ appId: '480', steamId });
    const before = steam.requests.length;
    steam.feel('broken');
    await check(ticket);
    expect(steam.requests.length).toBe(before + 1);
  });

  for (const mood of ['html', 'broken', 'empty', 'huge', 'redirecting', 'resetting', 'busy'] as const) {
    it(`is neither taken nor refused while Steam is ${mood}`, async () => {
      const ticket = steam.issueTicket({ appId: '480', steamId });
      steam.feel(mood);
      const verdict = await check(ticket);
      expect(verdict).toMatchObject({ status: 'unavailable' });
      expect(JSON.stringify(verdict)).not.toContain(ticket);
      if (mood === 'busy') expect(verdict).toMatchObject({ retryAfterSeconds: 17 });
    });
  }
});
