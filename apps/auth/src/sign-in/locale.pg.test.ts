import { waitUntil } from '@tickrate/testkit';
import { describe, expect, test } from 'vitest';
import { startAuthWorld } from '../testing/auth-world.ts';

const { world, auth, key } = await startAuthWorld();

const ofDevice = (deviceId: string) => ({ tokens: { deviceTestTokens: [{ deviceId }] } });
const hostile = [
  'en_US',
  'english please',
  '<script>',
  'de\r\nBcc: all@example.com',
  'x',
  `en-${'a'.repeat(40)}`,
];

describe('a locale', () => {
  test.each(hostile)('%j is refused by name for a new account, which is not created', async (locale) => {
    const device = ofDevice(`refused ${encodeURIComponent(locale)}`);
    const body = { ...device, registration: { locale } };
    const { status, body: refused } = await auth.send({ key, body });
    expect([status, refused.code, refused.data.parameterName]).toEqual([400, 1003, 'registration.locale']);
    const made = await auth.send({ key, body: device });
    expect(made.body.created).toBe(true);
  });

  test.each(hostile)(
    '%j is refused by name in a change of a profile, which stays unchanged',
    async (locale) => {
      const session = (await auth.send({ key, body: ofDevice('profile') })).body.authenticatedSession;
      const change = (body: object) =>
        auth.send({ key: session.apiKey, method: 'PATCH', path: 'account', body });
      await change({ locale: 'fr', displayName: 'Bo' });
      const { status, body: refused } = await change({ locale, displayName: 'Jo' });
      expect([status, refused.code, refused.data.parameterName]).toEqual([400, 1003, 'locale']);
      const { profile } = (await auth.send({ key: session.apiKey, method: 'GET', path: 'account' })).body;
      expect(profile).toEqual({ displayName: 'Bo', avatarUrl: null, locale: 'fr' });
    },
  );

  test.each(['emailAddress', 'emailAddressVerified', 'accountId', 'profile', 'dispalyName'])(
    'a change of a profile refuses the member %s by name, and changes nothing',
    async (name) => {
      const session = (await auth.send({ key, body: ofDevice('closed') })).body.authenticatedSession;
      const change = (body: object) =>
        auth.send({ key: session.apiKey, method: 'PATCH', path: 'account', body });
      await change({ displayName: 'Bo' });
      for (const value of ['jo@example.com', null]) {
        const { status, body: refused } = await change({ displayName: 'Jo', [name]: value });
        expect([status, refused.code, refused.data.parameterName]).toEqual([400, 1003, name]);
        expect(refused.fields).toContain('this call changes displayName, locale, marketingPreferenceOptIn');
      }
      const { profile } = (await auth.send({ key: session.apiKey, method: 'GET', path: 'account' })).body;
      expect(profile.displayName).toBe('Bo');
    },
  );

  test('is stored as BCP 47 writes it; null or a missing one is none', async () => {
    const body = { ...ofDevice('canonical'), registration: { locale: 'ZH-hant-tw' } };
    const { profile, apiKey } = (await auth.send({ key, body })).body.authenticatedSession;
    expect(profile.locale).toBe('zh-Hant-TW');
    const changed = await auth.send({
      key: apiKey,
      method: 'PATCH',
      path: 'account',
      body: { locale: 'iw' },
    });
    expect(changed.body.profile.locale).toBe('he');
    for (const none of [null, '']) {
      const made = await auth.send({
        key,
        body: { ...ofDevice(`none ${none}`), registration: { locale: none } },
      });
      expect(made.body.authenticatedSession.profile.locale).toBeNull();
    }
  });

  test('of a registration is stored when the code of its mail is confirmed', async () => {
    const registration = { locale: 'DE-at' };
    const password = 'correct horse battery staple';
    const asked = { emailAddress: 'ada@example.com', password, intent: 'register', registration };
    await auth.send({ key, body: asked });
    const token = await waitUntil(() => world.mailedCode('ada@example.com'));
    await auth.send({ key, method: 'POST', path: 'account/email/verify', body: { token, password } });
    const signedIn = await auth.send({ key, body: { emailAddress: 'ada@example.com', password } });
    expect(signedIn.body.authenticatedSession.profile.locale).toBe('de-AT');
  });
});
