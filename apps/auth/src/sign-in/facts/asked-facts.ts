import type { Pass, SessionRow } from '@tickrate/accounts';
import { isRecent } from '../../callers/recent-sign-in.ts';
import type { Plan } from '../../exchange/decision.ts';
import type { Ask, CodeFact, Facts } from '../../exchange/facts.ts';
import type { SignIn } from '../sign-in.ts';

/** The facts of a request before anything is fetched. */
export function factsOf(signIn: SignIn, codes: Readonly<Record<string, CodeFact>>, nowMs: number): Facts {
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

interface Chosen {
  readonly plan: Plan;
  readonly facts: Facts;
}

/** The live session, if nothing in the request proves its account again. A token that is only being linked does not. */
export function comesOfKey({ live }: SignIn, { plan, facts }: Chosen): SessionRow | null {
  const { accountId, enrols } = plan;
  if (live === null || accountId === null || accountId !== facts.liveAccount) return null;
  const { passwordAccount = null, tokens = [] } = facts.proofs ?? {};
  const byToken = tokens.some(({ status, owner }) => status === 'accepted' && owner === accountId);
  const byCode = enrols || facts.codes[accountId]?.kind === 'passed';
  return passwordAccount === accountId || byToken || byCode ? null : live;
}

/** The credentials that proved the session's account. */
export function amrOf(signIn: SignIn, { plan, facts }: Chosen, passes: ReadonlyMap<string, Pass>): string[] {
  const { accountId } = plan;
  const methods = provenByTokens(plan, facts);
  if (plan.newFrom === 'email' || (accountId !== null && facts.proofs?.passwordAccount === accountId))
    methods.push('pwd');
  if (plan.issueDevice && accountId === null) methods.push('device');
  if (plan.enrols) methods.push('otp');
  if (accountId !== null)
    methods.push(...secondMethods(signIn, facts, { accountId, pass: passes.get(accountId) }));
  return [...new Set(methods)];
}

function provenByTokens(plan: Plan, { proofs }: Facts): string[] {
  return (proofs?.tokens ?? []).flatMap((token) => {
    const isOwned = token.owner === plan.accountId || plan.link.includes(token);
    return token.status === 'accepted' && isOwned ? [token.provider] : [];
  });
}

function secondMethods(
  signIn: SignIn,
  { liveAccount }: Facts,
  { accountId, pass }: { readonly accountId: string; readonly pass: Pass | undefined },
): string[] {
  const live = liveAccount === accountId ? (signIn.live?.amr ?? []) : [];
  return pass ? [...live, pass.method] : [...live];
}

/** The accepted version by the id of the terms. */
export function termsOf(request: SignIn['request']): Record<string, string> {
  const terms = request.registration?.acceptedTerms ?? [];
  return Object.fromEntries(terms.flatMap(({ id, version }) => (id && version ? [[id, version]] : [])));
}
