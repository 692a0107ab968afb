import { type InRealm, ofAccount } from '../store/in-realm.ts';

export interface DeviceSecret {
  readonly hash: Buffer;
}

/** Null for a device without an account: its secret is invalid, however it was unlinked. */
export async function findDeviceSecret(people: InRealm, deviceId: string): Promise<DeviceSecret | null> {
  const [row] = await people.rows<DeviceSecret>(
    `SELECT d.hash FROM auth.device_secrets d WHERE d.realm = $1 AND d.device_id = $2 AND EXISTS (
       SELECT FROM auth.identities i WHERE i.realm = $1 AND i.provider = 'device' AND i.subject = $2)`,
    [deviceId],
  );
  return row ?? null;
}

export async function insertDeviceSecret(
  people: InRealm,
  device: {
    readonly deviceId: string;
    readonly hash: Buffer;
    readonly nowMs: number;
  },
): Promise<void> {
  await people.rows(
    'INSERT INTO auth.device_secrets (realm, device_id, hash, issued) VALUES ($1, $2, $3, $4)',
    [device.deviceId, device.hash, new Date(device.nowMs)],
  );
}

/** Whether this device has signed in to the account that has the address. */
export async function isKnownDevice(
  people: InRealm,
  { folded, hash }: { readonly folded: string; readonly hash: Buffer },
): Promise<boolean> {
  const rows = await people.rows(
    `SELECT FROM auth.known_devices d JOIN auth.accounts a ON a.id = d.account_id
     WHERE a.realm = $1 AND a.email_folded = $2 AND d.hash = $3`,
    [folded, hash],
  );
  return rows.length > 0;
}

/** No device is trusted while the second factor is locked: then a caller with the password is guessing. */
export async function isTrustedDevice(
  people: InRealm,
  { accountId, hash, nowMs }: { readonly accountId: string; readonly hash: Buffer; readonly nowMs: number },
): Promise<boolean> {
  const rows = await people.rows(
    `SELECT FROM auth.known_devices WHERE ${ofAccount} AND hash = $3 AND trusted_until > $4
       AND NOT EXISTS (SELECT FROM auth.totps t WHERE t.account_id = $2 AND t.locked_until > $4)`,
    [accountId, hash, new Date(nowMs)],
  );
  return rows.length > 0;
}

export interface SeenDevice {
  readonly accountId: string;
  readonly hash: Buffer;
  readonly name: string | null;
  /** Null leaves the trust unchanged. */
  readonly trustedUntilMs: number | null;
  readonly nowMs: number;
}

export async function seeDevice(people: InRealm, device: SeenDevice): Promise<void> {
  await people.rows(
    `INSERT INTO auth.known_devices AS d (account_id, hash, name, seen, trusted_until)
     SELECT a.id, $3, $4, $5, $6 FROM auth.accounts a WHERE a.realm = $1 AND a.id = $2
     ON CONFLICT (account_id, hash) DO UPDATE SET seen = excluded.seen, name = COALESCE(excluded.name, d.name),
       trusted_until = COALESCE(excluded.trusted_until, d.trusted_until)`,
    [
      device.accountId,
      device.hash,
      device.name,
      new Date(device.nowMs),
      device.trustedUntilMs === null ? null : new Date(device.trustedUntilMs),
    ],
  );
}

export async function forgetDevices(people: InRealm, accountId: string): Promise<void> {
  await people.rows(`DELETE FROM auth.known_devices WHERE ${ofAccount}`, [accountId]);
}
