import type { InRealm } from '../store/in-realm.ts';

/** Identifies a user at a platform. Never an address. */
export interface IdentityKey {
  readonly provider: string;
  readonly tenant: string;
  readonly subject: string;
}

/** The owners of the identities, in the order of the argument; null without an owner. */
export async function findOwners(people: InRealm, keys: readonly IdentityKey[]): Promise<(string | null)[]> {
  if (keys.length === 0) return [];
  const rows = await people.rows<{ position: number; account_id: string }>(
    `SELECT asked.position::int AS position, i.account_id
     FROM unnest($2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS asked (provider, tenant, subject, position)
     JOIN auth.identities i ON i.realm = $1 AND i.provider = asked.provider AND i.tenant = asked.tenant
       AND i.subject = asked.subject`,
    [keys.map((key) => key.provider), keys.map((key) => key.tenant), keys.map((key) => key.subject)],
  );
  const owners = new Map(rows.map((row) => [row.position - 1, row.account_id]));
  return keys.map((_, position) => owners.get(position) ?? null);
}

interface NewIdentity {
  readonly id: string;
  readonly accountId: string;
  readonly key: IdentityKey;
  readonly displayName: string | null;
  readonly nowMs: number;
}

/** Fails with a duplicate when any account of the realm has it: the index decides, not an earlier read. */
export async function insertIdentity(people: InRealm, identity: NewIdentity): Promise<void> {
  const { key } = identity;
  await people.rows(
    `INSERT INTO auth.identities (realm, id, account_id, provider, tenant, subject, display_name, linked, last_used)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
    [
      identity.id,
      identity.accountId,
      key.provider,
      key.tenant,
      key.subject,
      identity.displayName,
      new Date(identity.nowMs),
    ],
  );
}

interface Unlinking {
  readonly accountId: string;
  readonly identityId: string;
  readonly nowMs: number;
}

/**
 * Unlinks the devices that sign in to the account with a secret of their own, except those that opened the session
 * `keepOf`: a change by the owner also ends what a thief has linked. Unlinks none if no other sign-in method would be
 * left.
 */
export async function unlinkDevices(
  people: InRealm,
  {
    accountId,
    keepOf,
    nowMs,
  }: { readonly accountId: string; readonly keepOf: string | null; readonly nowMs: number },
): Promise<number> {
  await people.rows('SELECT id FROM auth.accounts WHERE realm = $1 AND id = $2 FOR UPDATE', [accountId]);
  const devices = await people.rows<{ id: string }>(
    `WITH gone AS (
       SELECT i.id FROM auth.identities i WHERE i.realm = $1 AND i.account_id = $2 AND i.provider = 'device'
         AND NOT EXISTS (SELECT FROM auth.sessions s WHERE s.id = $3 AND s.account_id = $2 AND i.id = ANY (s.opened_by)))
     SELECT id FROM gone WHERE
       EXISTS (SELECT FROM auth.identities i WHERE i.realm = $1 AND i.account_id = $2 AND i.id NOT IN (SELECT id FROM gone))
       OR EXISTS (SELECT FROM auth.passwords p JOIN auth.accounts a ON a.id = p.account_id
         WHERE a.realm = $1 AND a.id = $2 AND a.email IS NOT NULL)`,
    [accountId, keepOf],
  );
  for (const { id } of devices) await giveBack(people, { accountId, identityId: id, nowMs });
  return devices.length;
}

/**
 * Unlinks the identity. Within 30 days of its move, it goes back to its previous account. If that account was archived,
 * the first identity restores it, and later ones find it restored.
 */
export async function giveBack(people: InRealm, { accountId, identityId, nowMs }: Unlinking): Promise<void> {
  const returned = await people.rows<{ id: string }>(
    `UPDATE auth.identities i SET account_id = a.id, moved_from = NULL, moved = NULL FROM auth.accounts a
     WHERE i.realm = $1 AND i.account_id = $2 AND i.id::text = $3 AND a.id = i.moved_from AND a.realm = $1
       AND i.moved > $4::timestamptz - interval '30 days' RETURNING a.id`,
    [accountId, identityId, new Date(nowMs)],
  );
  const [account] = returned;
  if (account)
    await people.rows('UPDATE auth.accounts SET archived = NULL WHERE realm = $1 AND id = $2', [account.id]);
  else
    await people.rows(
      `WITH gone AS (
         DELETE FROM auth.identities WHERE realm = $1 AND account_id = $2 AND id::text = $3 RETURNING provider, subject)
       DELETE FROM auth.device_secrets d USING gone
        WHERE d.realm = $1 AND gone.provider = 'device' AND d.device_id = gone.subject`,
      [accountId, identityId],
    );
}
