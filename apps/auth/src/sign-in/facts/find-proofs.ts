import {
  type AccountRow,
  findAccounts,
  findAddress,
  findOwners,
  findProjectRoles,
  hasAdministrator,
  inRealm,
  isTrustedDevice,
  type Pass,
} from '@tickrate/accounts';
import type { AccountFact, Proofs, TokenFact } from '../../exchange/facts.ts';
import { readDeviceIdentifier } from '../request/device-identifier.ts';
import { type Ground, installationRealm, type SignIn } from '../sign-in.ts';
import type { PasswordFact } from './check-password.ts';
import { type Evident, proofsOf, recallPass } from './passed-codes.ts';
import type { VerifiedToken } from './verify-tokens.ts';

/** The answers of the platforms, once per request: they are not called again if the store changed meanwhile. */
export interface Evidence {
  readonly password: PasswordFact;
  readonly tokens: readonly VerifiedToken[];
}

export interface FoundProofs {
  readonly proofs: Proofs;
  /** By account: the code that replaces another one. */
  readonly passes: ReadonlyMap<string, Pass>;
}

export interface FirstAdministratorOptions {
  readonly adminSignup: 'first' | 'open' | 'closed';
}

/** Whether the installation has no administrator yet, so that the first one to sign in becomes it. */
export function createMayBeFirst({ db }: Ground, { adminSignup }: FirstAdministratorOptions) {
  return async ({ realm }: SignIn): Promise<boolean> =>
    realm === installationRealm && adminSignup === 'first' && !(await hasAdministrator(db));
}

/** Finds the accounts of the evidence in the current store. */
export function createFindProofs(ground: Ground, mayBeFirst: (signIn: SignIn) => Promise<boolean>) {
  return async (signIn: SignIn, { password, tokens }: Evidence): Promise<FoundProofs> => {
    const facts = await factsOfTokens(ground, signIn, tokens);
    const passwordAccount = password.kind === 'right' ? password.accountId : null;
    const owners = facts.flatMap(({ owner, emailOwner }) => [owner, emailOwner]);
    const named = [signIn.live?.account_id, passwordAccount, ...owners].filter(
      (id) => typeof id === 'string',
    );
    const passes = new Map<string, Pass>();
    const evident = { passwordAccount, tokens: facts };
    const accounts = await factsOfAccounts(ground, signIn, { ids: [...new Set(named)], evident, passes });
    const proofs = {
      lockedSeconds: password.kind === 'locked' ? password.seconds : null,
      password: password.kind === 'locked' ? ('absent' as const) : password.kind,
      ...evident,
      accounts,
      firstAdministrator: password.kind === 'wrong' && (await mayBeFirst(signIn)),
    };
    return { proofs, passes };
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
        status: isUnlinkedDevice(identity, owner) ? 'rejected' : verdict.status,
        displayName: identity?.displayName ?? null,
        owner,
        emailOwner: address === null ? null : await findEmailOwner(ground, signIn, address),
      };
    }),
  );
}

/** A device is issued with its account. If it was unlinked a moment ago, it creates no other account. */
function isUnlinkedDevice(identity: { readonly provider: string } | null, owner: string | null): boolean {
  return identity?.provider === 'device' && owner === null;
}

/** The account that proved the address that the platform confirms. */
async function findEmailOwner({ db }: Ground, { realm }: SignIn, address: string): Promise<string | null> {
  const folded = address.trim().normalize('NFC').toLowerCase().normalize('NFC');
  const holder = await findAddress(inRealm(db, realm), folded);
  return holder?.verified ? holder.id : null;
}

interface AccountsAsked {
  readonly ids: readonly string[];
  readonly evident: Evident;
  /** Receives every accepted attempt. */
  readonly passes: Map<string, Pass>;
}

async function factsOfAccounts(
  ground: Ground,
  signIn: SignIn,
  { ids, evident, passes }: AccountsAsked,
): Promise<AccountFact[]> {
  if (ids.length === 0) return [];
  const people = inRealm(ground.db, signIn.realm);
  const rows = await findAccounts(people, ids);
  // Built-in roles cannot be granted in a project.
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
      secondFactor: await secondFactorOf(ground, signIn, { row, evident, passes }),
      terms: row.terms,
      marketing: row.marketing,
      roles: (roles.get(row.id) ?? []).map(({ role }) => role),
    })),
  );
}

async function secondFactorOf(
  ground: Ground,
  signIn: SignIn,
  { row, evident, passes }: Omit<AccountsAsked, 'ids'> & { readonly row: AccountRow },
): Promise<AccountFact['secondFactor']> {
  const { live, realm, request } = signIn;
  if (!row.has_second_factor) return 'none';
  const byCode = live?.amr.some((method) => method === 'otp' || method === 'recovery') ?? false;
  if (live?.account_id === row.id && byCode) return 'passed';
  const proofs = proofsOf(ground, signIn, { evident, accountId: row.id });
  const pass = await recallPass(ground, signIn, { accountId: row.id, proofs });
  if (pass) {
    passes.set(row.id, pass);
    return 'passed';
  }
  const device = readDeviceIdentifier(request);
  if (device === null) return 'required';
  const hash = ground.keyring.mac('device', device);
  const trusted = { accountId: row.id, hash, nowMs: ground.now() };
  return (await isTrustedDevice(inRealm(ground.db, realm), trusted)) ? 'passed' : 'required';
}

function banOf(row: AccountRow, nowMs: number): AccountFact['ban'] {
  if (row.banned === null) return null;
  const expiresMs = row.ban_expires?.getTime() ?? null;
  return expiresMs !== null && expiresMs <= nowMs ? null : { reason: row.ban_reason ?? '', expiresMs };
}
