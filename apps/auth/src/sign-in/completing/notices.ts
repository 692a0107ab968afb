import type { Notice } from '@tickrate/contract';
import type { Plan } from '../../exchange/decision.ts';
import type { Facts } from '../../exchange/facts.ts';
import type { WeighPassword } from '../../passwords/strength-check.ts';
import { isTooWeakToTrust } from '../request/device-identifier.ts';
import type { SignIn } from '../sign-in.ts';

const fewCodes = 3;

interface Noticed {
  readonly signIn: SignIn;
  readonly plan: Plan;
  readonly facts: Facts;
  /** Unused recovery codes; null if none was used. */
  readonly left: number | null;
}

export type FindNotices = ReturnType<typeof createFindNotices>;

/** What the user should know about a successful sign-in. No notice is a condition. */
export function createFindNotices(weigh: WeighPassword) {
  return ({ signIn, plan, facts, left }: Noticed): Notice[] => {
    const notices: Notice[] = [];
    if (isWeak(weigh, signIn, facts)) notices.push('passwordWeak');
    if (isTooWeakToTrust(signIn.request)) notices.push('deviceNotTrusted');
    if (leavesTokens(plan, facts)) notices.push('tokenNotLinked');
    const code = plan.accountId === null ? undefined : facts.codes[plan.accountId];
    const usedRecovery = code?.kind === 'passed' && code.method === 'recovery';
    if (usedRecovery && left !== null && left <= fewCodes) notices.push('recoveryCodesLow');
    return notices;
  };
}

/** It was acceptable when it was chosen, or in the system from which it was imported. */
function isWeak(weigh: WeighPassword, { credentials }: SignIn, { proofs }: Facts): boolean {
  const { derived, password: plain, email } = credentials;
  return (
    proofs?.password === 'right' &&
    derived !== null &&
    weigh({ plain, derived }, email?.address ?? null) !== null
  );
}

function leavesTokens({ accountId, link, issueDevice }: Plan, { proofs, ask }: Facts): boolean {
  if (ask.wantsDevice && !issueDevice) return true;
  const unlinked = (proofs?.tokens ?? []).filter(
    ({ status, owner }) => status === 'accepted' && owner === null,
  );
  return accountId !== null && unlinked.some((token) => !link.includes(token));
}
