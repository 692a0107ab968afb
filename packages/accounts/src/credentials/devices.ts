import { createHash } from 'node:crypto';
import { createNamedId } from '@tickrate/contract';
import type { Accounts } from '../accounts.ts';
import { type IdentityKey, insertIdentity } from '../people/identities.ts';
import { type InRealm, inRealm, ofAccount } from '../store/in-realm.ts';

/** The SHA-256 of the secret. Null for a device without an account: its secret is invalid, however it was unlinked. */
export async function findDeviceSecret(
  { db }: Accounts,
  realm: string,
  deviceId: string,
): Promise<Buffer | null> {
  const [row] = await inRealm(db, realm).rows<{ hash: Buffer }>(
    `SELECT d.hash FROM auth.device_secrets d WHERE d.realm = $1 AND d.device_id = $2 AND EXISTS (
       SELECT FROM auth.identities i WHERE i.realm = $1 AND i.provider = 'device' AND i.subject = $2)`,
    [deviceId],
  );
  return row?.hash ?? null;
}

export interface IssuedDevice {
  readonly deviceId: string;
  readonly deviceSecret: string;
}

/** The device gets a secret of its own, which signs in to the account. */
export async function issueDevice(
  { randomBytes, newId, now }: Accounts,
  people: InRealm,
  accountId: string,
): Promise<IssuedDevice> {
  const deviceId = createNamedId('d', randomBytes);
  const deviceSecret = Buffer.from(randomBytes(32)).toString('base64url');
  const nowMs = now();
  // The secret has 256 random bits: a fast hash is enough.
  const hash = createHash('sha256').update(deviceSecret, 'utf8').digest();
  const sql = 'INSERT INTO auth.device_secrets (realm, device_id, hash, issued) VALUES ($1, $2, $3, $4)';
  await people.rows(sql, [deviceId, hash, new Date(nowMs)]);
  const key = deviceKey(deviceId);
  await insertIdentity(people, { id: newId(), accountId, key, displayName: null, nowMs });
  return { deviceId, deviceSecret };
}

export function deviceKey(subject: string): IdentityKey {
  return { provider: 'device', tenant: '', subject };
}

/** No device is trusted while the second factor is locked: then a caller with the password is guessing. */
export async function isTrustedDevice(
  accounts: Accounts,
  realm: string,
  { accountId, device }: { readonly accountId: string; readonly device: string },
): Promise<boolean> {
  const rows = await inRealm(accounts.db, realm).rows(
    `SELECT FROM auth.known_devices WHERE ${ofAccount} AND hash = $3 AND trusted_until > $4
       AND NOT EXISTS (SELECT FROM auth.totps t WHERE t.account_id = $2 AND t.locked_until > $4)`,
    [accountId, hashDevice(accounts, device), new Date(accounts.now())],
  );
  return rows.length > 0;
}

export async function forgetDevices(people: InRealm, accountId: string): Promise<void> {
  await people.rows(`DELETE FROM auth.known_devices WHERE ${ofAccount}`, [accountId]);
}

export function hashDevice({ keyring }: Accounts, device: string): Buffer {
  return keyring.mac('device', device);
}
