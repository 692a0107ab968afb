import { createHash } from 'node:crypto';
import { createNamedId } from '@tickrate/contract';
import type { AccountsDeps } from '../accounts-deps.ts';
import { insertDeviceSecret } from '../credentials/devices.ts';
import { queueSecurityMail } from '../mails/security-mails.ts';
import { archiveIfShut, type IdentityKey, insertIdentity, moveIdentity } from '../people/identities.ts';
import type { InRealm } from '../store/in-realm.ts';
import { endSessions } from './sessions/sessions.ts';

/** An identity that a platform has confirmed. */
export interface ConfirmedIdentity extends IdentityKey {
  readonly displayName: string | null;
}

/** How a sign-in changes the sign-in methods of its account. */
export interface LinkChange {
  /** All identities that the request proved. */
  readonly proofs: readonly IdentityKey[];
  readonly link: readonly ConfirmedIdentity[];
  readonly move: readonly { readonly identity: ConfirmedIdentity; readonly from: string }[];
  /** The device gets a secret of its own, which signs in to the account. */
  readonly issueDevice: boolean;
}

export interface IssuedDevice {
  readonly deviceId: string;
  readonly deviceSecret: string;
}

/**
 * Links and moves identities. Mails the previous owners of the accounts about each sign-in method that was added or
 * removed. False if another request moved one meanwhile.
 */
export async function linkIdentities(
  deps: AccountsDeps,
  people: InRealm,
  {
    accountId,
    newAccount,
    link,
    move,
    issueDevice,
  }: LinkChange & { readonly accountId: string; readonly newAccount: boolean },
): Promise<boolean> {
  const nowMs = deps.now();
  for (const identity of link) {
    const { displayName } = identity;
    await insertIdentity(people, { id: deps.newId(), accountId, key: identity, displayName, nowMs });
  }
  for (const { identity, from } of move) {
    if (!(await moveIdentity(people, { key: identity, from, to: accountId, nowMs }))) return false;
    await archiveIfShut(people, from, nowMs);
    await endSessions(people, { accountId: from, sessionId: null, reason: 'identityMoved', nowMs });
  }
  const isAdded = link.length > 0 || move.length > 0 || issueDevice;
  if (!newAccount && isAdded) await queueSecurityMail(deps, people, { accountId, kind: 'identity-linked' });
  for (const from of new Set(move.map((each) => each.from)))
    await queueSecurityMail(deps, people, { accountId: from, kind: 'identity-unlinked' });
  return true;
}

export function deviceKey(subject: string): IdentityKey {
  return { provider: 'device', tenant: '', subject };
}

export async function issueDevice(
  { randomBytes, newId, now }: AccountsDeps,
  people: InRealm,
  accountId: string,
): Promise<IssuedDevice> {
  const deviceId = createNamedId('d', randomBytes);
  const deviceSecret = Buffer.from(randomBytes(32)).toString('base64url');
  const nowMs = now();
  await insertDeviceSecret(people, { deviceId, hash: hashDeviceSecret(deviceSecret), nowMs });
  const key = deviceKey(deviceId);
  await insertIdentity(people, { id: newId(), accountId, key, displayName: null, nowMs });
  return { deviceId, deviceSecret };
}

/** The hash of a secret of 256 random bits: a fast hash is enough. */
function hashDeviceSecret(secret: string): Buffer {
  return createHash('sha256').update(secret, 'utf8').digest();
}
