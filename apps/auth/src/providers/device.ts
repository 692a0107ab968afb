import { createHash, timingSafeEqual } from 'node:crypto';
import type { TokenVerdict, VerifyToken } from './provider.ts';

/** The secrets that we have issued to devices: their SHA-256. */
export interface DeviceSecrets {
  find(deviceId: string): Promise<{ readonly hash: Buffer } | null>;
}

const nobody = Buffer.alloc(32);

/** A 256-bit secret that we issued, compared in constant time. */
export function createVerifyDevice(secrets: DeviceSecrets): VerifyToken {
  return async (_, { fields }): Promise<TokenVerdict> => {
    const { deviceId, deviceSecret } = fields;
    if (!deviceId || !deviceSecret) return { status: 'rejected', detail: 'incomplete' };
    const known = await secrets.find(deviceId);
    const given = createHash('sha256').update(deviceSecret, 'utf8').digest();
    const matches = timingSafeEqual(known?.hash ?? nobody, given);
    if (!known || !matches) return { status: 'rejected', detail: 'unknown device or wrong secret' };
    return { status: 'accepted', identity: deviceIdentity('device', deviceId) };
  };
}

export function deviceIdentity(provider: 'device' | 'deviceTest', subject: string) {
  const nothing = { displayName: null, avatarUrl: null, email: null, attributes: {} };
  return { provider, tenant: '', subject, ...nothing };
}
