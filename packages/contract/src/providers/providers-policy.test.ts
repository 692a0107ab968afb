import { describe, expect, test } from 'vitest';
import { itchIoSettingsSchema, steamSettingsSchema } from './provider-settings.ts';
import {
  hideProviderSecrets,
  keepProviderSecrets,
  openProviderSecrets,
  sealedProviderSecrets,
  sealProviderSecrets,
} from './providers-policy.ts';

const stored = {
  steam: { publisherKey: 'a-secret', appIds: ['480'] },
  itchIo: { gameId: '7', developerKey: 'another' },
  discord: { applicationId: '1' },
};

// Invariant (Management): A provider's stored secret is sent only to the place it was set for
describe('secrets of providers', () => {
  test('are hidden, and all other members are shown', () => {
    const shown = hideProviderSecrets(stored);
    expect(JSON.stringify(shown)).not.toMatch(/a-secret|another/);
    expect(shown).toMatchObject({ steam: { appIds: ['480'] }, discord: { applicationId: '1' } });
    expect(hideProviderSecrets({ steam: null, device: true })).toEqual({ steam: null, device: true });
  });

  test('stay unchanged when they are sent back hidden', () => {
    expect(keepProviderSecrets(hideProviderSecrets(stored), stored)).toEqual(stored);
  });

  test('change when a new one is sent, and stay absent otherwise', () => {
    const changed = keepProviderSecrets({ steam: { publisherKey: 'new' } }, stored);
    expect(changed).toEqual({ steam: { publisherKey: 'new' } });
    const none = { steam: { publisherKey: '********' } };
    expect(() => keepProviderSecrets(none, null)).toThrow('steam.publisherKey');
  });

  test.each([
    ['steam', 'publisherKey', steamSettingsSchema, ['familySharing', 'profile']],
    ['itchIo', 'developerKey', itchIoSettingsSchema, ['oauthKeys']],
  ] as const)('of %s must be sent again when another member changes', (provider, secret, schema, free) => {
    const before = { [secret]: 'a-secret', address: 'https://theirs.example' };
    const keep = (members: object, from: object = before) =>
      keepProviderSecrets({ [provider]: { ...members, [secret]: '********' } }, { [provider]: from });
    expect(keep(before)).toEqual({ [provider]: before });
    const others = Object.keys(schema.properties).filter((member) => member !== secret);
    for (const member of [...others, 'a-member-of-tomorrow']) {
      const changed = { ...before, [member]: ['something else'] };
      if (free.some((name) => name === member)) {
        expect(keep(changed)).toEqual({ [provider]: changed });
        continue;
      }
      expect(() => keep(changed)).toThrow(secret);
      expect(() => keep(before, changed)).toThrow(secret);
    }
    expect(() => keep({})).toThrow(secret);
  });

  test('are sealed for their place and opened again; other members stay unchanged', () => {
    const seal = (text: string, place: string) => `${place}<${Buffer.from(text).toString('base64')}>`;
    const open = (text: string, place: string) =>
      Buffer.from(text.slice(place.length + 1, -1), 'base64').toString();
    const sealed = sealProviderSecrets(stored, seal);
    expect(JSON.stringify(sealed)).not.toMatch(/a-secret|another/);
    expect(sealed).toMatchObject({ steam: { appIds: ['480'] }, discord: { applicationId: '1' } });
    expect(openProviderSecrets(sealed, open)).toEqual(stored);
    expect(openProviderSecrets(stored, open)).toEqual(stored);
    expect(sealProviderSecrets(sealed, seal)).toEqual(sealed);
    expect(sealedProviderSecrets(sealed)).toEqual([
      expect.stringContaining('steam.publisherKey<'),
      expect.stringContaining('itchIo.developerKey<'),
    ]);
    expect(sealedProviderSecrets(stored)).toEqual([null, null]);
    expect(hideProviderSecrets(sealed)).toEqual(hideProviderSecrets(stored));
  });

  test('cannot be sent sealed from outside', () => {
    const sent = { steam: { publisherKey: { sealed: 'of another project' } } };
    expect(keepProviderSecrets(sent, stored)).toEqual({ steam: { publisherKey: null } });
  });
});
