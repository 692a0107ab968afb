import { createHash, timingSafeEqual } from 'node:crypto';
import { accept, type Provider } from './provider.ts';

/** Resolves with the SHA-256 of the secret that was issued for the device in the realm; null without one. */
export type FindDeviceSecret = (realm: string, deviceId: string) => Promise<Uint8Array | null>;

const hashBytes = 32;

/** Secrets that we issued. An unknown device and a wrong secret get the same verdict. */
export function createDeviceProvider(findSecret: FindDeviceSecret): Provider {
  return async ({ settings, fields, realm }) => {
    if (!settings.device) return { status: 'notConfigured', detail: 'devices' };
    const { deviceId = null, deviceSecret = null } = fields;
    if (deviceId === null || deviceSecret === null) return { status: 'rejected', detail: 'no device secret' };
    const found = await findSecret(realm, deviceId);
    const given = createHash('sha256').update(deviceSecret, 'utf8').digest();
    const issued = found?.byteLength === hashBytes ? found : Buffer.alloc(hashBytes);
    const isSame = timingSafeEqual(given, issued);
    if (!isSame || found === null) return { status: 'rejected', detail: 'not the secret of this device' };
    return accept('device', deviceId);
  };
}

/** Any id, for editors and automated tests. Only for projects that declare that they contain no real data. */
export const deviceTestProvider: Provider = async ({ settings, fields }) => {
  if (!settings.testMode) return { status: 'notConfigured', detail: 'the project is not in test mode' };
  const deviceId = fields['deviceId'] ?? '';
  if (!/^[\x20-\x7e]{1,128}$/.test(deviceId)) return { status: 'rejected', detail: 'not a test device' };
  return accept('deviceTest', `test:${deviceId}`);
};
