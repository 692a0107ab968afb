import { createHash, timingSafeEqual } from 'node:crypto';
import type { Provider } from './provider.ts';

/** Resolves with the SHA-256 of the secret that was issued for the device in the realm; null without one. */
export interface DeviceSecrets {
  find(realm: string, deviceId: string): Promise<{ readonly hash: Uint8Array } | null>;
}

const hashBytes = 32;

/** Secrets that we issued. An unknown device and a wrong secret get the same verdict. */
export function createDeviceProvider(secrets: DeviceSecrets): Provider {
  return async ({ settings, fields, realm }) => {
    if (!settings.device) return { status: 'notConfigured', detail: 'devices' };
    const { deviceId = null, deviceSecret = null } = fields;
    if (deviceId === null || deviceSecret === null) return { status: 'rejected', detail: 'no device secret' };
    const found = await secrets.find(realm, deviceId);
    const given = createHash('sha256').update(deviceSecret, 'utf8').digest();
    const issued = found?.hash.byteLength === hashBytes ? found.hash : Buffer.alloc(hashBytes);
    const isSame = timingSafeEqual(given, issued);
    if (!isSame || found === null) return { status: 'rejected', detail: 'not the secret of this device' };
    return {
      status: 'accepted',
      identity: {
        provider: 'device',
        tenant: '',
        subject: deviceId,
        displayName: null,
        avatarUrl: null,
        email: null,
        attributes: {},
      },
    };
  };
}
