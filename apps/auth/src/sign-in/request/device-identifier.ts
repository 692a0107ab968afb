import type { AuthenticationRequest } from '@tickrate/contract';
import { canBeStrong } from './strong-secret.ts';

/** The device's secret; null if it is missing or can be guessed. */
export function readDeviceIdentifier({ twoFactor }: AuthenticationRequest): string | null {
  const identifier = twoFactor?.deviceIdentifier;
  return identifier !== undefined && canBeStrong(identifier) ? identifier : null;
}

/** The device requests trust and cannot get it. */
export function isTooWeakToTrust(request: AuthenticationRequest): boolean {
  return request.twoFactor?.trustThisDevice === true && readDeviceIdentifier(request) === null;
}
