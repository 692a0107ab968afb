import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readProviderSettings } from './provider-settings.ts';

const testMode = false;

describe('the settings of providers', () => {
  it('configure only devices when they are empty', () => {
    for (const value of [undefined, null, {}]) {
      expect(readProviderSettings(value, { testMode })).toEqual({
        settings: { testMode, device: true, steam: null, itchIo: null, discord: null, openId: new Map() },
        faults: [],
      });
    }
  });

  it('set the default addresses of the platforms', () => {
    const value = {
      steam: { publisherKey: 'K', appIds: ['480'] },
      itchIo: {},
      discord: { applicationId: '1' },
    };
    const { settings } = readProviderSettings(value, { testMode });
    expect(settings.steam?.address).toBe('https://partner.steam-api.com');
    expect(settings.itchIo).toEqual({ oauthKeys: true, address: 'https://itch.io' });
    expect(settings.discord?.address).toBe('https://discord.com');
  });

  it('leave out invalid entries, keep the rest, and report the path without the value', () => {
    const value = {
      steam: { publisherKey: 'a secret', appIds: [] },
      itchIo: { gameId: '7' },
      discord: { applicationId: '1' },
      openId: { a: { issuers: ['https://i.example'], clientIds: [] }, b: { clientIds: ['x'] }, 'c d': {} },
      unheardOf: 1,
    };
    const { settings, faults } = readProviderSettings(value, { testMode });
    expect(settings).toMatchObject({ steam: null, itchIo: null, discord: { applicationId: '1' } });
    expect(settings.openId.size).toBe(0);
    const places = faults.map((fault) => fault.split(':')[0]);
    for (const place of [
      '/steam/publisherKey',
      '/itchIo/developerKey',
      '/openId/a/clientIds',
      '/openId/c d',
      '/unheardOf',
    ]) {
      expect(places).toContain(place);
    }
    expect(faults.join()).not.toContain('a secret');
  });

  it('are read from any value without an exception, and never name a prototype', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => void readProviderSettings(value, { testMode })));
    const hostile = JSON.parse('{"openId": {"__proto__": {"clientIds": ["x"]}, "constructor": {}}}');
    expect(readProviderSettings(hostile, { testMode }).settings.openId.size).toBe(0);
  });
});
