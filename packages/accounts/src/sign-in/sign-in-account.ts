import { createNamedId } from '@tickrate/contract';
import type { Queryable } from '@tickrate/postgres';
import type { Accounts } from '../accounts.ts';
import { becomeFirstAdministrator } from '../administrators/roles.ts';
import { hashDevice } from '../credentials/devices.ts';
import { setPassword } from '../credentials/passwords.ts';
import { queueSecurityMail } from '../mails/security-mails.ts';
import {
  findAccounts,
  findAddress,
  insertAccount,
  isAddressTaken,
  type OwnAccount,
  releaseAddress,
} from '../people/accounts.ts';
import { type Address, foldAddress } from '../people/address.ts';
import { findOwners, type IdentityKey, insertIdentity } from '../people/identities.ts';
import { type InRealm, inRealm } from '../store/in-realm.ts';
import { endSessions } from './sessions.ts';

/** The account that a sign-in creates: the first administrator by its address, or a player by its tokens. */
export type NewSignInAccount =
  | { readonly newFrom: 'email'; readonly email: Address | null; readonly passwordHash: string | null }
  | {
      readonly newFrom: 'tokens';
      readonly provenAddress: string | null;
      readonly displayName: string | null;
      readonly avatarUrl: string | null;
    };

export interface UserInput {
  readonly marketing: boolean | null;
  /** The accepted version by the id of the terms. */
  readonly terms: Readonly<Record<string, string>>;
  readonly displayName: string | null;
  readonly locale: string | null;
  /** `trust`: the user requests that the device needs no code for 30 days. */
  readonly device: { readonly secret: string; readonly name: string | null; readonly trust: boolean } | null;
}

export interface ConfirmedIdentity extends IdentityKey {
  readonly displayName: string | null;
}

/** How a sign-in changes the sign-in methods of its account. */
export interface LinkChange {
  readonly link: readonly ConfirmedIdentity[];
  readonly move: readonly { readonly identity: ConfirmedIdentity; readonly from: string }[];
  /** The device gets a secret of its own, which signs in to the account. */
  readonly issueDevice: boolean;
}

/** Fails with a duplicate if the installation has a first administrator meanwhile. */
export async function createSignInAccount(
  accounts: Accounts,
  tx: Queryable,
  account: NewSignInAccount & { readonly realm: string; readonly input: UserInput },
): Promise<string> {
  const { realm, input } = account;
  const people = inRealm(tx, realm);
  const nowMs = accounts.now();
  const id = createNamedId('u', accounts.randomBytes);
  const byEmail = account.newFrom === 'email';
  const email = byEmail ? account.email : await takeAddress(people, account.provenAddress, nowMs);
  await insertAccount(people, {
    id,
    nowMs,
    email: email && { ...email, verified: !byEmail },
    displayName: input.displayName ?? (byEmail ? null : account.displayName),
    avatarUrl: byEmail ? null : account.avatarUrl,
    locale: input.locale,
    marketing: input.marketing,
    terms: {},
  });
  if (!byEmail) return id;
  await becomeFirstAdministrator(tx, id);
  if (account.passwordHash !== null)
    await setPassword(people, { accountId: id, hash: account.passwordHash, nowMs });
  return id;
}

/** Null if an account has proved the address: the new account gets none. */
async function takeAddress(people: InRealm, proven: string | null, nowMs: number): Promise<Address | null> {
  if (proven === null) return null;
  const address = proven.trim().normalize('NFC');
  const folded = foldAddress(address);
  await releaseAddress(people, folded, nowMs);
  return (await isAddressTaken(people, folded)) ? null : { address, folded };
}

/**
 * Links and moves identities. Mails the previous owners of the accounts about each sign-in method that was added or
 * removed. False if another request moved one meanwhile.
 */
export async function linkIdentities(
  accounts: Accounts,
  people: InRealm,
  change: LinkChange & { readonly accountId: string; readonly newAccount: boolean },
): Promise<boolean> {
  const { accountId, newAccount, link, move, issueDevice } = change;
  const nowMs = accounts.now();
  const now = new Date(nowMs);
  for (const identity of link) {
    const { displayName } = identity;
    await insertIdentity(people, { id: accounts.newId(), accountId, key: identity, displayName, nowMs });
  }
  for (const { identity, from } of move) {
    const moved = await people.rows(
      `UPDATE auth.identities SET account_id = $6, moved_from = $5, moved = $7
       WHERE realm = $1 AND provider = $2 AND tenant = $3 AND subject = $4 AND account_id = $5 RETURNING id`,
      [identity.provider, identity.tenant, identity.subject, from, accountId, now],
    );
    if (moved.length === 0) return false;
    // An account without any sign-in method is archived. It can be restored for 30 days.
    await people.rows(
      `UPDATE auth.accounts a SET archived = $3 WHERE realm = $1 AND id = $2
         AND NOT EXISTS (SELECT FROM auth.identities i WHERE i.account_id = a.id)
         AND NOT EXISTS (SELECT FROM auth.passwords p WHERE p.account_id = a.id)`,
      [from, now],
    );
    await endSessions(people, { accountId: from, sessionId: null, reason: 'identityMoved', nowMs });
  }
  const isAdded = link.length > 0 || move.length > 0 || issueDevice;
  if (!newAccount && isAdded)
    await queueSecurityMail(accounts, people, { accountId, kind: 'identity-linked' });
  for (const from of new Set(move.map((each) => each.from)))
    await queueSecurityMail(accounts, people, { accountId: from, kind: 'identity-unlinked' });
  return true;
}

const trustMs = 30 * 24 * 3_600_000;

/** Stores the answers of the user, and the device as one that has signed in to the account. */
export async function keepUserInput(
  accounts: Accounts,
  people: InRealm,
  {
    accountId,
    input: { device, marketing, terms, displayName, locale },
    amr,
  }: { readonly accountId: string; readonly input: UserInput; readonly amr: readonly string[] },
): Promise<void> {
  const nowMs = accounts.now();
  // Most requests change no preference; then concurrent sign-ins of one account do not wait for each other.
  if (marketing !== null || displayName !== null || locale !== null || Object.keys(terms).length > 0) {
    // A marketing preference is stored only the first time; later it is a setting.
    await people.rows(
      `UPDATE auth.accounts SET
         marketing = COALESCE(marketing, $3),
         marketing_changed = CASE WHEN marketing IS NULL AND $3::boolean IS NOT NULL THEN $7 ELSE marketing_changed END,
         terms = terms || $4::jsonb,
         display_name = COALESCE(display_name, $5),
         locale = COALESCE(locale, $6)
       WHERE realm = $1 AND id = $2`,
      [accountId, marketing, JSON.stringify(terms), displayName, locale, new Date(nowMs)],
    );
  }
  if (device === null) return;
  // Only a code creates trust: a trusted device cannot extend its own trust.
  const isTrusted = device.trust && (amr.includes('otp') || amr.includes('recovery'));
  await people.rows(
    `INSERT INTO auth.known_devices AS d (account_id, hash, name, seen, trusted_until)
     SELECT a.id, $3, $4, $5, $6 FROM auth.accounts a WHERE a.realm = $1 AND a.id = $2
     ON CONFLICT (account_id, hash) DO UPDATE SET seen = excluded.seen, name = COALESCE(excluded.name, d.name),
       trusted_until = COALESCE(excluded.trusted_until, d.trusted_until)`,
    [
      accountId,
      hashDevice(accounts, device.secret),
      device.name,
      new Date(nowMs),
      isTrusted ? new Date(nowMs + trustMs) : null,
    ],
  );
}

interface IdentityOwner {
  readonly accountId: string | null;
  /** Without an owner: the account that has proved the confirmed address. */
  readonly emailAccountId: string | null;
}

/** Of confirmed identities, in the order of the argument. `verifiedAddress`: the one that the platform confirms. */
export async function findIdentityOwners(
  { db }: Accounts,
  realm: string,
  asked: readonly { readonly key: IdentityKey; readonly verifiedAddress: string | null }[],
): Promise<IdentityOwner[]> {
  const people = inRealm(db, realm);
  const owners = await findOwners(
    people,
    asked.map(({ key }) => key),
  );
  return Promise.all(
    asked.map(async ({ verifiedAddress }, at) => {
      const accountId = owners[at] ?? null;
      if (accountId !== null || verifiedAddress === null) return { accountId, emailAccountId: null };
      const holder = await findAddress(people, foldAddress(verifiedAddress));
      return { accountId, emailAccountId: holder?.verified ? holder.id : null };
    }),
  );
}

export interface SignInAccount extends OwnAccount {
  /** Granted in the project. */
  readonly roles: readonly string[];
}

/** `projectId` is null for a built-in role: those cannot be granted in a project. */
export async function findSignInAccounts(
  { db }: Accounts,
  realm: string,
  { ids, projectId }: { readonly ids: readonly string[]; readonly projectId: string | null },
): Promise<SignInAccount[]> {
  if (ids.length === 0) return [];
  const people = inRealm(db, realm);
  const rows = await findAccounts(people, ids);
  const granted =
    projectId === null
      ? []
      : await people.rows<{ account_id: string; role: string }>(
          `SELECT r.account_id, r.role FROM auth.roles r JOIN auth.accounts a ON a.id = r.account_id AND a.realm = $1
           WHERE r.account_id = ANY ($2) AND r.project_id = $3 ORDER BY r.role`,
          [ids, projectId],
        );
  const roles = Map.groupBy(granted, ({ account_id }) => account_id);
  return rows.map((row) => ({ ...row, roles: (roles.get(row.id) ?? []).map(({ role }) => role) }));
}
