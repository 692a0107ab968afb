import {
  chargeTry,
  findAddress,
  forgiveTries,
  inRealm,
  isKnownDevice,
  type Lockout,
  rehashPassword,
} from '@tickrate/accounts';
import { createKeyedLock } from '@tickrate/platform';
import type { PasswordHasher } from '../../passwords/password-hasher.ts';
import type { Keyring } from '../keyring.ts';
import { readDeviceIdentifier } from '../request/device-identifier.ts';
import type { Ground, SignIn } from '../sign-in.ts';

export type PasswordFact =
  | { readonly kind: 'absent' }
  | { readonly kind: 'locked'; readonly seconds: number }
  | { readonly kind: 'wrong' }
  /** `changed`: since when the account has this password. */
  | { readonly kind: 'right'; readonly accountId: string; readonly changed: Date | null };

const lockout: Lockout = { free: 5, firstMs: 1_000, longestMs: 15 * 60_000 };

/**
 * Checks an address and its password. Each attempt is counted first, under the submitted address, whether an account
 * has it or not. An unknown address takes as long as a wrong password. A device that signed in before has its own
 * count, so that strangers cannot lock out the owner.
 */
export function createCheckPassword(ground: Ground, hasher: PasswordHasher) {
  const { db, keyring, now } = ground;
  // Several correct passwords at once must not count as failures: each is charged only after the one before is cleared.
  const locks = createKeyedLock();

  async function bucketOf({ realm, request }: SignIn, folded: string): Promise<Buffer> {
    const device = readDeviceIdentifier(request);
    if (device !== null) {
      const hash = keyring.mac('device', device);
      if (await isKnownDevice(inRealm(db, realm), { folded, hash }))
        return keyring.mac('tries', realm, folded, device);
    }
    return triesOf(keyring, realm, folded);
  }

  async function tryPassword(realm: string, tried: Tried, bucket: Buffer): Promise<PasswordFact> {
    const closedMs = await chargeTry(db, bucket, { lockout, nowMs: now() });
    if (closedMs !== null) return { kind: 'locked', seconds: Math.ceil(closedMs / 1000) };
    const people = inRealm(db, realm);
    const holder = await findAddress(people, tried.folded);
    const stored = holder?.password_hash ?? null;
    const { ok, rehash } = await hasher.verify(stored, tried.derived);
    if (!ok || holder === null || stored === null) return { kind: 'wrong' };
    await forgiveTries(db, bucket);
    if (rehash !== null) await rehashPassword(people, holder.id, [stored, rehash]);
    return { kind: 'right', accountId: holder.id, changed: holder.password_changed };
  }

  return async (signIn: SignIn): Promise<PasswordFact> => {
    const { email, derived } = signIn.credentials;
    if (email === null || derived === null || !signIn.settings.policies.passwordSignIn)
      return { kind: 'absent' };
    const bucket = await bucketOf(signIn, email.folded);
    const tried = { folded: email.folded, derived };
    return locks.run(bucket.toString('base64'), () => tryPassword(signIn.realm, tried, bucket));
  };
}

/** The bucket that counts tries from unknown devices. */
function triesOf(keyring: Keyring, realm: string, folded: string): Buffer {
  return keyring.mac('tries', realm, folded);
}

/** Clears the lockout of an address whose owner has just proved it by mail. Known devices have their own buckets. */
export async function forgiveAddress({ db, keyring }: Ground, realm: string, folded: string): Promise<void> {
  await forgiveTries(db, triesOf(keyring, realm, folded));
}

interface Tried {
  readonly folded: string;
  readonly derived: string;
}
