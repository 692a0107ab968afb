import {
  type AccountRow,
  findAccounts,
  findAddress,
  findOwners,
  findProjectRoles,
  hasAdministrator,
  inRealm,
  isTrustedDevice,
} from '@tickrate/accounts';
import type { AccountFact, Proofs, TokenFact } from '../exchange/facts.ts';
import { normaliseCode } from '../second-factor/totp.ts';
import type { PasswordFact } from './check-password.ts';
import { type Ground, installationRealm, type SignIn } from './sign-in.ts';
import type { VerifiedToken } from './verify-tokens.ts';

/** What the outside has said, once for a request: it is not asked again when the store has changed meanwhile. */
export interface Evidence {
  readonly password: PasswordFact;
  readonly tokens: readonly VerifiedToken[];
}

export interface FindProofsOptions {
  readonly adminSignup: 'first' | 'open' | 'closed';
}

/** Looks up whose the evidence is, as the store has it now. */
export function createFindProofs(ground: Ground, { adminSignup }: FindProofsOptions) {
  return async (signIn: SignIn, { password, tokens }: Evidence): Promise<Proofs> => {
    const facts = await factsOfTokens(ground, signIn, tokens);
    const passwordAccount = password.kind === 'right' ? password.accountId : null;
    const owners = facts.flatMap(({ owner, emailOwner }) => [owner, emailOwner]);
    const named = [signIn.live?.account_id, passwordAccount, ...owners].filter(
      (id) => typeof id === 'string',
    );
    const mayBeFirst =
      signIn.realm === installationRealm && adminSignup === 'first' && password.kind === 'wrong';
    return {
      lockedSeconds: password.kind === 'locked' ? password.seconds : null,
      password: password.kind === 'locked' ? 'absent' : password.kind,
      passwordAccount,
      tokens: facts,
      accounts: await factsOfAccounts(ground, signIn, [...new Set(named)]),
      firstAdministrator: mayBeFirst && !(await hasAdministrator(ground.db)),
    };
  };
}

async function factsOfTokens(
  ground: Ground,
  signIn: SignIn,
  tokens: readonly VerifiedToken[],
): Promise<TokenFact[]> {
  const identities = tokens.map(({ verdict }) => (verdict.status === 'accepted' ? verdict.identity : null));
  const accepted = identities.filter((identity) => identity !== null);
  const owners = await findOwners(inRealm(ground.db, signIn.realm), accepted);
  return Promise.all(
    tokens.map(async ({ token, verdict }, at) => {
      const identity = identities[at] ?? null;
      const owner = identity === null ? null : (owners[accepted.indexOf(identity)] ?? null);
      const address = owner === null && identity?.email?.verified ? identity.email.address : null;
      return {
        provider: token.provider,
        index: token.index,
        status: verdict.status,
        displayName: identity?.displayName ?? null,
        owner,
        emailOwner: address === null ? null : await findEmailOwner(ground, signIn, address),
      };
    }),
  );
}

/** Who has proven the address, as the platform says that this user has. */
async function findEmailOwner({ db }: Ground, { realm }: SignIn, address: string): Promise<string | null> {
  const folded = address.trim().normalize('NFC').toLowerCase().normalize('NFC');
  const holder = await findAddress(inRealm(db, realm), folded);
  return holder?.verified ? holder.id : null;
}

async function factsOfAccounts(
  ground: Ground,
  signIn: SignIn,
  ids: readonly string[],
): Promise<AccountFact[]> {
  if (ids.length === 0) return [];
  const people = inRealm(ground.db, signIn.realm);
  const rows = await findAccounts(people, ids);
  // Of the built-in roles nobody is granted one in a project.
  const roles = signIn.role.startsWith('builtin:')
    ? new Map<string, { role: string }[]>()
    : await findProjectRoles(people, ids, signIn.principal.projectId);
  return Promise.all(
    rows.map(async (row) => ({
      id: row.id,
      displayName: row.display_name,
      providers: row.providers,
      hasPassword: row.has_password,
      hasEmail: row.email !== null,
      emailVerified: row.email_verified !== null,
      ban: banOf(row, ground.now()),
      secondFactor: await secondFactorOf(ground, signIn, row),
      terms: row.terms,
      marketing: row.marketing,
      roles: (roles.get(row.id) ?? []).map(({ role }) => role),
    })),
  );
}

async function secondFactorOf(
  ground: Ground,
  signIn: SignIn,
  row: AccountRow,
): Promise<AccountFact['secondFactor']> {
  if (!row.has_second_factor) return 'none';
  if (isPassedBefore(ground, signIn, row.id)) return 'passed';
  const device = signIn.request.twoFactor?.deviceIdentifier;
  if (device === undefined) return 'required';
  const hash = ground.keyring.mac('device', device);
  const people = inRealm(ground.db, signIn.realm);
  return (await isTrustedDevice(people, { accountId: row.id, hash, nowMs: ground.now() }))
    ? 'passed'
    : 'required';
}

/** By the live session, or earlier in this exchange; who does not name the exchange has to send the same code. */
function isPassedBefore(ground: Ground, signIn: SignIn, accountId: string): boolean {
  const { exchange, named, live } = signIn;
  const isLive =
    live?.account_id === accountId && live.amr.some((method) => method === 'otp' || method === 'recovery');
  const passed = exchange.second_factors[accountId];
  return isLive || (passed !== undefined && (named || passed.endsWith(`:${codeMark(ground, signIn)}`)));
}

/** What a code is remembered by, once it has been good for this exchange, however it is typed. */
export function codeMark({ keyring }: Ground, { request, exchange }: SignIn): string {
  const code = normaliseCode(request.twoFactor?.twoFactorCode ?? '');
  return keyring.mac('code', exchange.id, code).toString('base64url');
}

function banOf(row: AccountRow, nowMs: number): AccountFact['ban'] {
  if (row.banned === null) return null;
  const expiresMs = row.ban_expires?.getTime() ?? null;
  return expiresMs !== null && expiresMs <= nowMs ? null : { reason: row.ban_reason ?? '', expiresMs };
}
