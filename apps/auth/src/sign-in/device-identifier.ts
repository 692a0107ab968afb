import type { AuthenticationRequest } from '@tickrate/contract';
import { canBeStrong } from './strong-secret.ts';

/** The device's secret; null without one, and for one that can be guessed, which counts for nothing. */
export function readDeviceIdentifier({ twoFactor }: AuthenticationRequest): string | null {
  const identifier = twoFactor?.deviceIdentifier;
  return identifier !== undefined && canBeStrong(identifier) ? identifier : null;
}

/** It asks to be trusted and cannot be. */
export function isTooWeakToTrust(request: AuthenticationRequest): boolean {
  return request.twoFactor?.trustThisDevice === true && readDeviceIdentifier(request) === null;
}
