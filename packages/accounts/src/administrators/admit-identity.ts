import { outcomeOf } from '@tickrate/postgres';
import type { Accounts } from '../accounts.ts';
import { queueSecurityMail } from '../mails/security-mails.ts';
import { findAddress } from '../people/accounts.ts';
import { foldAddress } from '../people/address.ts';
import { findOwners, insertIdentity } from '../people/identities.ts';
import { type Actor, type AuditAct, writeAudit } from '../records/audit.ts';
import { type ConfirmedIdentity, createSignInAccount } from '../sign-in/sign-in-account.ts';
import { type InRealm, inRealm } from '../store/in-realm.ts';
import { isInvited } from './roles.ts';

interface Arrival {
  readonly identity: ConfirmedIdentity & { readonly avatarUrl: string | null };
  /** The address that the provider has verified; null without one. */
  readonly verifiedAddress: string | null;
  /** One of its groups gives a role. */
  readonly hasRole: boolean;
  /** A verified address is enough to open the administrator that has proved the same one. */
  readonly trustsAddresses: boolean;
  readonly actor: Omit<Actor, 'sessionId'>;
}

/**
 * `known`: the identity has an account now. `addressTaken`: an administrator has proved its address, and the address
 * alone may not open it. `stranger`: neither a group nor an invitation lets it in.
 */
export type Admission = 'known' | 'addressTaken' | 'stranger';

/** Finds or creates the account of an administrator whom the identity provider of the studio has confirmed. */
export async function admitIdentity(accounts: Accounts, arrival: Arrival): Promise<Admission> {
  try {
    return await admitOnce(accounts, arrival);
  } catch (error) {
    // Another request admitted the same identity, or took the address: it is found now.
    if (outcomeOf(error) !== 'uniqueViolation') throw error;
    return admitOnce(accounts, arrival);
  }
}

function admitOnce(accounts: Accounts, arrival: Arrival): Promise<Admission> {
  const { identity, verifiedAddress, hasRole } = arrival;
  return accounts.db.transaction(async (tx) => {
    const people = inRealm(tx, 'installation');
    const [owner] = await findOwners(people, [identity]);
    if (owner) return 'known';
    const folded = verifiedAddress === null ? null : foldAddress(verifiedAddress);
    const holder = folded === null ? null : await findAddress(people, folded);
    if (holder?.verified) return admitByAddress(accounts, people, { ...arrival, accountId: holder.id });
    const isInvitedHere = folded !== null && (await isInvited(tx, folded, accounts.now()));
    if (!hasRole && !isInvitedHere) return 'stranger';
    const accountId = await createSignInAccount(accounts, tx, {
      newFrom: 'tokens',
      realm: people.realm,
      provenAddress: verifiedAddress,
      displayName: identity.displayName,
      avatarUrl: identity.avatarUrl,
      input: { marketing: null, terms: {}, displayName: null, locale: null, device: null },
    });
    await addIdentity(accounts, people, { ...arrival, accountId, act: 'accountCreated' });
    // With ADMIN_SIGNUP=first, nobody becomes the first one after this account.
    const sql = 'INSERT INTO auth.first_administrator (account_id) VALUES ($1) ON CONFLICT DO NOTHING';
    await tx.query(sql, [accountId]);
    return 'known';
  });
}

async function admitByAddress(
  accounts: Accounts,
  people: InRealm,
  arrival: Arrival & { readonly accountId: string },
): Promise<Admission> {
  const { accountId, identity, trustsAddresses } = arrival;
  if (!trustsAddresses) return 'addressTaken';
  // An address that the provider gave to somebody else later opens nothing.
  const sql = 'SELECT FROM auth.identities WHERE realm = $1 AND account_id = $2 AND provider = $3 LIMIT 1';
  if ((await people.rows(sql, [accountId, identity.provider])).length > 0) return 'addressTaken';
  await addIdentity(accounts, people, { ...arrival, act: 'identityLinked' });
  await queueSecurityMail(accounts, people, { accountId, kind: 'identity-linked' });
  return 'known';
}

async function addIdentity(
  accounts: Accounts,
  people: InRealm,
  { identity, actor, accountId, act }: Arrival & { readonly accountId: string; readonly act: AuditAct },
): Promise<void> {
  const { displayName, provider } = identity;
  const id = accounts.newId();
  await insertIdentity(people, { id, accountId, key: identity, displayName, nowMs: accounts.now() });
  const sessionless = { ...actor, sessionId: null };
  await writeAudit(accounts, people, { actor: sessionless, act, accountId, details: { provider } });
}
