import { deviceIdentity } from './device.ts';
import type { VerifyToken } from './provider.ts';

/** Any id is good: for CI and editors, and only in a project in test mode. */
export function createVerifyDeviceTest(): VerifyToken {
  return async ({ testMode }, { fields }) => {
    if (!testMode) return { status: 'notConfigured', detail: 'the project is not in test mode' };
    const { deviceId } = fields;
    if (!deviceId || deviceId.length > 200) return { status: 'rejected', detail: 'no usable device id' };
    return { status: 'accepted', identity: deviceIdentity('deviceTest', deviceId) };
  };
}
