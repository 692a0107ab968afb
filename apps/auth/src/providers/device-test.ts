import type { Provider } from './provider.ts';

/** Any id, for editors and automated tests. Only for projects that declare that they contain no real data. */
export function createDeviceTestProvider(): Provider {
  return async ({ settings, fields }) => {
    if (!settings.testMode) return { status: 'notConfigured', detail: 'the project is not in test mode' };
    const deviceId = fields['deviceId'] ?? '';
    if (!/^[\x20-\x7e]{1,128}$/.test(deviceId)) return { status: 'rejected', detail: 'not a test device' };
    return {
      status: 'accepted',
      identity: {
        provider: 'deviceTest',
        tenant: '',
        subject: `test:${deviceId}`,
        displayName: null,
        avatarUrl: null,
        email: null,
        attributes: {},
      },
    };
  };
}
