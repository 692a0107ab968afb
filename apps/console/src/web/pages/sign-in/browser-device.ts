import type { BodyOf } from '../../api/call.ts';
import { readStored, store } from '../../look/browser-storage.ts';

const storageKey = 'tickrate.device';

/** A secret by which auth recognises this browser after the second factor, if the user trusts it. It opens nothing alone. */
export function browserDevice(
  trustThisDevice: boolean,
): NonNullable<BodyOf<'POST /session/exchange'>['twoFactor']> {
  const deviceIdentifier = readStored('local', storageKey) ?? (trustThisDevice ? createDevice() : null);
  return deviceIdentifier === null ? {} : { deviceIdentifier, trustThisDevice };
}

function createDevice(): string {
  const secret = createSecret();
  store('local', storageKey, secret);
  return secret;
}

/** 32 hex digits that nobody can guess. */
export function createSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
