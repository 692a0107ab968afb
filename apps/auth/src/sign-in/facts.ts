import {
  type CodeSent,
  findIdentityOwners,
  findSignInAccounts,
  hasAdministrator,
  isTrustedDevice,
  recallPass,
  type SignInAccount,
  tryCode,
} from '@tickrate/accounts';
import { systemError } from '@tickrate/contract';
import { isRecent } from '../callers/caller.ts';
import type { AccountFact, Ask, CodeFact, Facts, Proofs, TokenFact } from '../exchange/decision.ts';
import type { AuthParts } from '../parts.ts';
import { nameOfToken } from '../providers/provider.ts';
import { readDeviceIdentifier } from './credentials.ts';
import { type Evidence, installationRealm, type SignIn, type VerifiedToken } from './sign-in.ts';

/** The facts of a request before anything is fetched. */
export function factsOf(signIn: SignIn, { codes }: Evidence, nowMs: number): Facts {
  const live = signIn.live?.realm === signIn.realm ? signIn.live : null;
  return {
    ask: askOf(signIn),
    policies: signIn.settings.policies,
    keyProjectId: signIn.principal.projectId,
    liveAccount: live?.account_id ?? null,
    liveByPassword: live?.amr.includes('pwd') ?? false,
    liveIsRecent: live !== null && isRecent(live, nowMs),
    codes: { ...codes },
  };
}

function askOf({ request, credentials, role }: SignIn): Ask {
  const { linkDecision } = request;
  return {
    role,
    hasEmail: credentials.email !== null,
    hasPassword: credentials.derived !== null,
    hasCode: (request.twoFactor?.twoFactorCode ?? '').replaceAll(/[\s-]/g, '') !== '',
    wantsDevice: credentials.wantsDevice,
    intent: request.intent ?? null,
    linkAction: linkDecision?.action ?? null,
    accountRef: linkDecision?.accountRef ?? null,
    promptForProject: request.promptForProject ?? false,
    projectId: request.projectId ?? null,
    marketing: request.marketingPreferenceOptIn ?? null,
    acceptedTerms: termsOf(request),
  };
}

/** The accepted version by the id of the terms. */
export function termsOf(request: SignIn['request']): Record<string, string> {
  const terms = request.registration?.acceptedTerms ?? [];
  return Object.fromEntries(terms.flatMap(({ id, version }) => (id && version ? [[id, version]] : [])));
}

/** Whether the installation has no administrator yet, so that the first one to sign in becomes it. */
export async function mayBeFirst({ accounts, config }: AuthParts, { realm }: SignIn): Promise<boolean> {
  const isAllowed = realm === installationRealm && config.adminSignup === 'first';
  return isAllowed && !(await hasAdministrator(accounts.db));
}

/**
 * Finds the accounts of the evidence in the current store. A password of an account that is gone is a wrong one. Throws
 * 2004 if the account of the caller's session is gone.
 */
export async function findProofs(parts: AuthParts, signIn: SignIn, evidence: Evidence): Promise<Proofs> {
  const { live, realm } = signIn;
  const { password } = evidence;
  const tokens = await factsOfTokens(parts, signIn, evidence.tokens);
  const passwordAccount = password.kind === 'right' ? password.accountId : null;
  const owners = tokens.flatMap(({ owner, emailOwner }) => [owner, emailOwner]);
  const named = [live?.account_id, passwordAccount, ...owners].filter((id) => typeof id === 'string');
  // Built-in roles cannot be granted in a project.
  const projectId = signIn.role.startsWith('builtin:') ? null : signIn.principal.projectId;
  const rows = await findSignInAccounts(parts.accounts, realm, { ids: [...new Set(named)], projectId });
  const proven = { evidence, proofs: { passwordAccount, tokens } };
  const accounts = await Promise.all(
    rows.map(async (row) => {
      const secondFactor = await secondFactorOf(parts, signIn, { ...proven, row });
      return factOfAccount(row, secondFactor, parts.accounts.now());
    }),
  );
  const isGone = (accountId: string | null) =>
    accountId !== null && !accounts.some(({ id }) => id === accountId);
  if (live?.realm === realm && isGone(live.account_id))
    throw systemError('sessionExpired', { invalidSessionId: live.id });
  const shown = isGone(passwordAccount) ? ({ kind: 'wrong' } as const) : password;
  return {
    lockedSeconds: shown.kind === 'locked' ? shown.seconds : null,
    password: shown.kind === 'locked' ? 'absent' : shown.kind,
    tokens,
    passwordAccount: shown.kind === 'right' ? passwordAccount : null,
    accounts,
    firstAdministrator: shown.kind === 'wrong' && (await mayBeFirst(parts, signIn)),
  };
}

async function factsOfTokens(
  { accounts }: AuthParts,
  { realm }: SignIn,
  tokens: readonly VerifiedToken[],
): Promise<TokenFact[]> {
  const identities = tokens.map(({ verdict }) => (verdict.status === 'accepted' ? verdict.identity : null));
  const accepted = identities.filter((identity) => identity !== null);
  const asked = accepted.map((key) => ({
    key,
    verifiedAddress: key.email?.verified ? key.email.address : null,
  }));
  const owners = await findIdentityOwners(accounts, realm, asked);
  return tokens.map(({ token, verdict }, at) => {
    const identity = identities[at] ?? null;
    const found = identity === null ? undefined : owners[accepted.indexOf(identity)];
    const owner = found?.accountId ?? null;
    // A device is issued with its account. If it was unlinked a moment ago, it creates no other account.
    const isUnlinkedDevice = identity?.provider === 'device' && owner === null;
    return {
      provider: token.provider,
      index: token.index,
      status: isUnlinkedDevice ? 'rejected' : verdict.status,
      displayName: identity?.displayName ?? null,
      owner,
      emailOwner: found?.emailAccountId ?? null,
    };
  });
}

function factOfAccount(
  row: SignInAccount,
  secondFactor: AccountFact['secondFactor'],
  nowMs: number,
): AccountFact {
  const { id, displayName, providers, hasPassword, emailAddress, emailVerified, ban, terms } = row;
  const isOver = ban !== null && ban.expiresMs !== null && ban.expiresMs <= nowMs;
  return {
    id,
    displayName,
    providers,
    hasPassword,
    hasEmail: emailAddress !== null,
    emailVerified,
    ban: isOver ? null : ban,
    secondFactor,
    terms,
    marketing: row.marketing,
    roles: row.roles,
  };
}

/** What proved the accounts of a request so far. */
interface Proven {
  readonly proofs: Pick<Proofs, 'passwordAccount' | 'tokens'>;
  /** Receives every accepted code. */
  readonly evidence: Evidence;
}

async function secondFactorOf(
  parts: AuthParts,
  signIn: SignIn,
  { row, proofs, evidence }: Proven & { readonly row: SignInAccount },
): Promise<AccountFact['secondFactor']> {
  const { live, realm, request } = signIn;
  const { id: accountId } = row;
  if (!row.hasSecondFactor) return 'none';
  const byCode = live?.amr.some((method) => method === 'otp' || method === 'recovery') ?? false;
  if (live?.account_id === accountId && byCode) return 'passed';
  const pass = await recallPass(parts.accounts, codeSent(parts, signIn, { accountId, proofs }));
  if (pass) {
    // If the pass is gone later, it has created a session: the transaction finds that out.
    evidence.passes.set(accountId, pass);
    return 'passed';
  }
  const device = readDeviceIdentifier(request);
  const isTrusted = device !== null && (await isTrustedDevice(parts.accounts, realm, { accountId, device }));
  return isTrusted ? 'passed' : 'required';
}

/** Checks the code of the request for this account, by its authenticator or its recovery codes. */
export async function checkCode(
  parts: AuthParts,
  signIn: SignIn,
  { accountId, proofs, evidence }: Proven & { readonly accountId: string },
): Promise<CodeFact> {
  const tried = await tryCode(parts.accounts, codeSent(parts, signIn, { accountId, proofs }));
  if (tried.kind !== 'passed') return tried;
  evidence.passes.set(accountId, tried.pass);
  return { kind: 'passed', method: tried.pass.method };
}

/**
 * The code with the proofs of the account in this request, each as a keyed hash: the address with its password, every
 * token, and the session whose key was sent. A caller has the same proof only after sending one of them again.
 */
function codeSent(
  { accounts: { keyring } }: AuthParts,
  { exchange, credentials, principal, realm, live, request }: SignIn,
  { accountId, proofs }: Pick<Proven, 'proofs'> & { readonly accountId: string },
): CodeSent {
  const { keyId } = principal;
  const mark = (...of: string[]) => keyring.mac('proof', keyId, realm, ...of);
  const marks = proofs.tokens.flatMap((fact) => {
    const token = credentials.tokens.find(
      ({ provider, index }) => provider === fact.provider && index === fact.index,
    );
    const isProof = fact.status === 'accepted' && fact.owner === accountId && token !== undefined;
    return isProof ? [mark('token', nameOfToken(token))] : [];
  });
  if (proofs.passwordAccount === accountId)
    marks.push(mark('password', credentials.email?.folded ?? '', credentials.derived ?? ''));
  if (live?.account_id === accountId && live.realm === realm) marks.push(mark('session'));
  const code = request.twoFactor?.twoFactorCode ?? '';
  return { exchange, realm, keyId, accountId, proofs: marks, code };
}
