import type { Pass, SignInAccount } from '@tickrate/accounts';
import { systemError } from '@tickrate/contract';
import type { AuthValues } from '../../config.ts';
import type { AccountFact, Proofs, TokenFact } from '../../exchange/facts.ts';
import { readDeviceIdentifier } from '../request/device-identifier.ts';
import { type AuthContext, installationRealm, type SignIn } from '../sign-in.ts';
import { type Evident, recallPass } from './check-code.ts';
import type { PasswordFact } from './check-password.ts';
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
  readonly adminSignup: AuthValues['adminSignup'];
}

/** Whether the installation has no administrator yet, so that the first one to sign in becomes it. */
export function createMayBeFirst({ accounts }: AuthContext, { adminSignup }: FirstAdministratorOptions) {
  return async ({ realm }: SignIn): Promise<boolean> =>
    realm === installationRealm && adminSignup === 'first' && !(await accounts.signIns.hasAdministrator());
}

/**
 * Finds the accounts of the evidence in the current store. A password of an account that is gone is a wrong one. Throws
 * 2004 if the account of the caller's session is gone.
 */
export function createFindProofs(context: AuthContext, mayBeFirst: (signIn: SignIn) => Promise<boolean>) {
  return async (signIn: SignIn, { password, tokens }: Evidence): Promise<FoundProofs> => {
    const facts = await factsOfTokens(context, signIn, tokens);
    const passwordAccount = password.kind === 'right' ? password.accountId : null;
    const owners = facts.flatMap(({ owner, emailOwner }) => [owner, emailOwner]);
    const named = [signIn.live?.account_id, passwordAccount, ...owners].filter(
      (id) => typeof id === 'string',
    );
    const passes = new Map<string, Pass>();
    const evident = { passwordAccount, tokens: facts };
    const accounts = await factsOfAccounts(context, signIn, { ids: [...new Set(named)], evident, passes });
    const isGone = (accountId: string | null) =>
      accountId !== null && !accounts.some(({ id }) => id === accountId);
    if (signIn.live?.realm === signIn.realm && isGone(signIn.live.account_id))
      throw systemError('sessionExpired', { invalidSessionId: signIn.live.id });
    const shown = isGone(passwordAccount) ? ({ kind: 'wrong' } as const) : password;
    const proofs = {
      lockedSeconds: shown.kind === 'locked' ? shown.seconds : null,
      password: shown.kind === 'locked' ? ('absent' as const) : shown.kind,
      tokens: facts,
      passwordAccount: shown.kind === 'right' ? passwordAccount : null,
      accounts,
      firstAdministrator: shown.kind === 'wrong' && (await mayBeFirst(signIn)),
    };
    return { proofs, passes };
  };
}

async function factsOfTokens(
  context: AuthContext,
  signIn: SignIn,
  tokens: readonly VerifiedToken[],
): Promise<TokenFact[]> {
  const identities = tokens.map(({ verdict }) => (verdict.status === 'accepted' ? verdict.identity : null));
  const accepted = identities.filter((identity) => identity !== null);
  const asked = accepted.map((key) => ({
    key,
    verifiedAddress: key.email?.verified ? key.email.address : null,
  }));
  const owners = await context.accounts.signIns.findOwners(signIn.realm, asked);
  return tokens.map(({ token, verdict }, at) => {
    const identity = identities[at] ?? null;
    const found = identity === null ? undefined : owners[accepted.indexOf(identity)];
    const owner = found?.accountId ?? null;
    return {
      provider: token.provider,
      index: token.index,
      status: isUnlinkedDevice(identity, owner) ? 'rejected' : verdict.status,
      displayName: identity?.displayName ?? null,
      owner,
      emailOwner: found?.emailAccountId ?? null,
    };
  });
}

/** A device is issued with its account. If it was unlinked a moment ago, it creates no other account. */
function isUnlinkedDevice(identity: { readonly provider: string } | null, owner: string | null): boolean {
  return identity?.provider === 'device' && owner === null;
}

interface AccountsAsked {
  readonly ids: readonly string[];
  readonly evident: Evident;
  /** Receives every accepted attempt. */
  readonly passes: Map<string, Pass>;
}

async function factsOfAccounts(
  context: AuthContext,
  signIn: SignIn,
  { ids, evident, passes }: AccountsAsked,
): Promise<AccountFact[]> {
  // Built-in roles cannot be granted in a project.
  const projectId = signIn.role.startsWith('builtin:') ? null : signIn.principal.projectId;
  const rows = await context.accounts.signIns.findAccounts(signIn.realm, { ids, projectId });
  return Promise.all(
    rows.map(async (row) => ({
      id: row.id,
      displayName: row.display_name,
      providers: row.providers,
      hasPassword: row.has_password,
      hasEmail: row.email !== null,
      emailVerified: row.email_verified !== null,
      ban: banOf(row, context.now()),
      secondFactor: await secondFactorOf(context, signIn, { row, evident, passes }),
      terms: row.terms,
      marketing: row.marketing,
      roles: row.roles,
    })),
  );
}

async function secondFactorOf(
  context: AuthContext,
  signIn: SignIn,
  { row, evident, passes }: Omit<AccountsAsked, 'ids'> & { readonly row: SignInAccount },
): Promise<AccountFact['secondFactor']> {
  const { live, realm, request } = signIn;
  if (!row.has_second_factor) return 'none';
  const byCode = live?.amr.some((method) => method === 'otp' || method === 'recovery') ?? false;
  if (live?.account_id === row.id && byCode) return 'passed';
  const pass = await recallPass(context, signIn, { accountId: row.id, evident });
  if (pass) {
    passes.set(row.id, pass);
    return 'passed';
  }
  const device = readDeviceIdentifier(request);
  if (device === null) return 'required';
  const isTrusted = await context.accounts.signIns.isTrustedDevice(realm, { accountId: row.id, device });
  return isTrusted ? 'passed' : 'required';
}

function banOf(row: SignInAccount, nowMs: number): AccountFact['ban'] {
  if (row.banned === null) return null;
  const expiresMs = row.ban_expires?.getTime() ?? null;
  return expiresMs !== null && expiresMs <= nowMs ? null : { reason: row.ban_reason ?? '', expiresMs };
}
