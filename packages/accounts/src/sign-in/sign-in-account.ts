import { createNamedId } from '@tickrate/contract';
import type { Queryable } from '@tickrate/postgres';
import type { AccountsDeps } from '../accounts-deps.ts';
import { becomeFirstAdministrator } from '../administrators/roles.ts';
import { setPassword } from '../credentials/passwords.ts';
import { insertAccount, isAddressTaken } from '../people/accounts.ts';
import { type Address, foldAddress } from '../people/address.ts';
import { releaseUnprovenAddress } from '../people/release-address.ts';
import { type InRealm, inRealm } from '../store/in-realm.ts';
import type { UserInput } from './keep-user-input.ts';

/** The account that a sign-in creates: the first administrator by its address, or a player by its tokens. */
export type NewSignInAccount =
  | { readonly newFrom: 'email'; readonly email: Address | null; readonly passwordHash: string | null }
  | {
      readonly newFrom: 'tokens';
      /** An address that a platform has verified. */
      readonly provenAddress: string | null;
      readonly displayName: string | null;
      readonly avatarUrl: string | null;
    };

/** Fails with a duplicate if the installation has a first administrator meanwhile. */
export async function createSignInAccount(
  deps: AccountsDeps,
  tx: Queryable,
  account: NewSignInAccount & { readonly realm: string; readonly input: UserInput },
): Promise<string> {
  const { realm, input } = account;
  const people = inRealm(tx, realm);
  const nowMs = deps.now();
  const id = createNamedId('u', deps.randomBytes);
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
  await releaseUnprovenAddress(people, folded, nowMs);
  return (await isAddressTaken(people, folded)) ? null : { address, folded };
}
