import type { AccountsDeps } from '../accounts-deps.ts';
import { inRealm } from '../store/in-realm.ts';
import { isKnownDevice } from './devices.ts';
import { chargeTry, forgiveTries, type Lockout } from './throttles.ts';

const passwordLockout: Lockout = { free: 5, firstMs: 1_000, longestMs: 15 * 60_000 };

/** A try of a password for an address. */
export interface PasswordTry {
  readonly realm: string;
  readonly folded: string;
  /** The secret of the caller's device; null without one. */
  readonly device: string | null;
}

/**
 * The bucket that counts the try: for the submitted address, whether an account has it or not. A device that signed in
 * before has a bucket of its own, so that strangers cannot lock out the owner.
 */
export async function bucketOfTry(
  { db, keyring }: AccountsDeps,
  { realm, folded, device }: PasswordTry,
): Promise<Buffer> {
  if (device !== null) {
    const hash = hashDevice({ keyring }, device);
    if (await isKnownDevice(inRealm(db, realm), { folded, hash }))
      return keyring.mac('tries', realm, folded, device);
  }
  return keyring.mac('tries', realm, folded);
}

/** Counts the try. Returns the seconds until a try is allowed, or null. */
export async function chargePassword({ db, now }: AccountsDeps, bucket: Buffer): Promise<number | null> {
  const closedMs = await chargeTry(db, bucket, { lockout: passwordLockout, nowMs: now() });
  return closedMs === null ? null : Math.ceil(closedMs / 1000);
}

/** Clears the lockout of an address whose owner has just proved it by mail. Known devices have their own buckets. */
export async function forgiveAddress(
  { db, keyring }: AccountsDeps,
  realm: string,
  folded: string,
): Promise<void> {
  await forgiveTries(db, keyring.mac('tries', realm, folded));
}

/** The stored form of a device's secret. */
export function hashDevice({ keyring }: Pick<AccountsDeps, 'keyring'>, device: string): Buffer {
  return keyring.mac('device', device);
}
