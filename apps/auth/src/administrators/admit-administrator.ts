import {
  acceptInvitations,
  admitIdentity,
  findAdministeredProjects,
  followGroups,
  inRealm,
  limitRights,
  writeAuditUnlessErased,
} from '@tickrate/accounts';
import { type SystemError, systemError } from '@tickrate/contract';
import type { TokenFact } from '../exchange/decision.ts';
import type { AuthParts } from '../parts.ts';
import type { ProvenIdentity, TokenVerdict } from '../providers/provider.ts';
import { type Evidence, installationRealm, type SignIn, type VerifiedToken } from '../sign-in/sign-in.ts';

/** Throws 2005 if administrators cannot sign in with a password. */
export function refusePassword({ studio }: Pick<AuthParts, 'studio'>): void {
  if (studio?.isOnly !== true) return;
  const fields = `administrators sign in with ${studio.name} only; if it is down, the operator makes a link with \`tickrate sign-in-link\``;
  throw systemError('notPermitted', {}, { fields });
}

/**
 * Before the exchange decides: gives an administrator whom the provider of the studio confirmed an account, unless there
 * is one. An address alone never opens an account that has proved it. Throws 3011 or 4007 for a user who has no account
 * and gets none, and the fault of a token that is not accepted.
 */
export async function admitAdministrator(
  parts: AuthParts,
  signIn: SignIn,
  tokens: readonly VerifiedToken[],
): Promise<void> {
  const { accounts, studio, config } = parts;
  const { realm, live } = signIn;
  const shown = tokens.find(({ token }) => token.provider === 'openId');
  if (studio === null || realm !== installationRealm || shown === undefined || live?.realm === realm) return;
  const { verdict } = shown;
  if (verdict.status !== 'accepted') return refuse(parts, signIn, { fault: faultOf(verdict) });
  const { identity } = verdict;
  const admission = await admitIdentity(accounts, {
    identity,
    verifiedAddress: identity.email?.verified ? identity.email.address : null,
    hasRole: studio.rolesOf(identity.groups ?? []).length > 0,
    trustsAddresses: config.adminOidcTrustAddresses,
    actor: actorOf(signIn),
  });
  if (admission === 'addressTaken') {
    const fields = config.adminOidcTrustAddresses
      ? 'another user of the provider opens the account with this address'
      : 'an administrator with this address signs in with a password; the operator can let the provider open this account with ADMIN_OIDC_TRUST_ADDRESSES=true';
    return refuse(parts, signIn, { fault: systemError('emailInUse', {}, { fields }) });
  }
  if (admission === 'stranger') await refuse(parts, signIn, { fault: strangerFault(identity) });
}

function actorOf({ principal: { projectId }, requestId, clientAddress }: SignIn) {
  return { projectId, requestId, clientAddress };
}

async function refuse(
  { accounts }: AuthParts,
  signIn: SignIn,
  { fault, accountId = null }: { readonly fault: SystemError; readonly accountId?: string | null },
): Promise<never> {
  const { realm, role } = signIn;
  await writeAuditUnlessErased(accounts, inRealm(accounts.db, realm), {
    actor: { ...actorOf(signIn), sessionId: null },
    act: 'signInRefused',
    accountId,
    details: { reason: fault.reason, role },
  });
  throw fault;
}

function faultOf(verdict: Exclude<TokenVerdict, { status: 'accepted' }>): SystemError {
  if (verdict.status === 'unavailable') {
    const { retryAfterSeconds } = verdict;
    return systemError('identityProviderUnavailable', { objectContext: 'openId', retryAfterSeconds });
  }
  if (verdict.status === 'misconfigured')
    return systemError('providerMisconfigured', { invalidConfigurationReason: 'openId' });
  return systemError('tokenInvalid', { objectContext: `openId: ${verdict.status}` });
}

function strangerFault({ groups, email }: ProvenIdentity): SystemError {
  const why = groups ? 'none of your groups has a role here' : 'the provider lists no groups of yours';
  const address = email?.verified
    ? email.address
    : 'your address, which the provider does not call verified,';
  const fields = `${why}, and no open invitation is for ${address}: ask the operator for an entry of ADMIN_OIDC_GROUPS, or an owner of a project for an invitation`;
  return systemError('registrationClosed', {}, { fields });
}

interface Asked {
  readonly accountId: string;
  readonly evidence: Evidence;
  readonly tokens: readonly TokenFact[];
}

/**
 * The projects of a proven administrator, with those of the invitations that it accepts now. If a token of the provider
 * proves it, it gets the roles of its groups, and loses those of other groups. A role by invitation stays. Throws 4007
 * where none is left: such an account gets no project of its own.
 */
export async function findProjects(parts: AuthParts, signIn: SignIn, { accountId, evidence, tokens }: Asked) {
  const { accounts, registry, studio } = parts;
  const { db, now } = accounts;
  await acceptInvitations(db, accountId, now());
  const own = tokens.find(({ provider, owner }) => provider === 'openId' && owner === accountId);
  const shown = evidence.tokens.find(
    ({ token }) => token.provider === own?.provider && token.index === own.index,
  );
  if (studio === null || shown?.verdict.status !== 'accepted') return findAdministeredProjects(db, accountId);
  const { identity } = shown.verdict;
  await followGroups(db, {
    accountId,
    roles: studio.rolesOf(identity.groups ?? []),
    nowMs: now(),
    limit: (tx, member) => limitRights(tx, registry.inTransaction(tx), member),
  });
  const projects = await findAdministeredProjects(db, accountId);
  if (projects.length === 0) await refuse(parts, signIn, { fault: strangerFault(identity), accountId });
  return projects;
}
