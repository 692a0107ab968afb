import { describe, expect, test } from 'vitest';
import { hideProviderSecrets, keepProviderSecrets } from './providers-policy.ts';

const stored = {
  steam: { publisherKey: 'a-secret', appIds: ['480'] },
  itchIo: { gameId: '7', developerKey: 'another' },
  discord: { applicationId: '1' },
};

describe('secrets of providers', () => {
  test('are not shown, and everything else is', () => {
    const shown = hideProviderSecrets(stored);
    expect(JSON.stringify(shown)).not.toMatch(/a-secret|another/);
    expect(shown).toMatchObject({ steam: { appIds: ['480'] }, discord: { applicationId: '1' } });
    expect(hideProviderSecrets({ steam: null, device: true })).toEqual({ steam: null, device: true });
  });

  test('stay when they are sent back as they were shown', () => {
    expect(keepProviderSecrets(hideProviderSecrets(stored), stored)).toEqual(stored);
  });

  test('change when another one is sent, and are none where there was none', () => {
    const changed = keepProviderSecrets({ steam: { publisherKey: 'new' } }, stored);
    expect(changed).toEqual({ steam: { publisherKey: 'new' } });
    const none = keepProviderSecrets({ steam: { publisherKey: '********' } }, null);
    expect(none).toEqual({ steam: { publisherKey: undefined } });
  });
});
