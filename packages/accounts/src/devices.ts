import type { Queryable } from './database.ts';

export interface DeviceSecret {
  readonly hash: Buffer;
}

export async function findDeviceSecret(db: Queryable, deviceId: string): Promise<DeviceSecret | null> {
  const [row] = await db.query<DeviceSecret>('SELECT hash FROM auth.device_secrets WHERE device_id = $1', [
    deviceId,
  ]);
  return row ?? null;
}

export async function insertDeviceSecret(
  tx: Queryable,
  device: {
    readonly deviceId: string;
    readonly realm: string;
    readonly hash: Buffer;
    readonly nowMs: number;
  },
): Promise<void> {
  await tx.query('INSERT INTO auth.device_secrets (device_id, realm, hash, issued) VALUES ($1, $2, $3, $4)', [
    device.deviceId,
    device.realm,
    device.hash,
    new Date(device.nowMs),
  ]);
}

/** Whether this device has signed in to the account that has the address. */
export async function isKnownDevice(
  db: Queryable,
  { realm, folded, hash }: { readonly realm: string; readonly folded: string; readonly hash: Buffer },
): Promise<boolean> {
  const rows = await db.query(
    `SELECT FROM auth.known_devices d JOIN auth.accounts a ON a.id = d.account_id
     WHERE a.realm = $1 AND a.email_folded = $2 AND d.hash = $3`,
    [realm, folded, hash],
  );
  return rows.length > 0;
}

export async function isTrustedDevice(
  db: Queryable,
  { accountId, hash, nowMs }: { readonly accountId: string; readonly hash: Buffer; readonly nowMs: number },
): Promise<boolean> {
  const rows = await db.query(
    'SELECT FROM auth.known_devices WHERE account_id = $1 AND hash = $2 AND trusted_until > $3',
    [accountId, hash, new Date(nowMs)],
  );
  return rows.length > 0;
}

export interface SeenDevice {
  readonly accountId: string;
  readonly hash: Buffer;
  readonly name: string | null;
  /** Null leaves the trust as it is. */
  readonly trustedUntilMs: number | null;
  readonly nowMs: number;
}

export async function seeDevice(tx: Queryable, device: SeenDevice): Promise<void> {
  await tx.query(
    `INSERT INTO auth.known_devices AS d (account_id, hash, name, seen, trusted_until) VALUES ($1, $2, $3, $4, $5)
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

export async function forgetDevices(tx: Queryable, accountId: string): Promise<void> {
  await tx.query('DELETE FROM auth.known_devices WHERE account_id = $1', [accountId]);
}
