import { countRecoveryCodes, inRealm, type Queryable } from '@tickrate/accounts';
import type { Notice } from '@tickrate/contract';
import type { Plan } from '../../exchange/decision.ts';
import type { Facts } from '../../exchange/facts.ts';
import type { WeighPassword } from '../../passwords/strength-check.ts';
import { isTooWeakToTrust } from '../request/device-identifier.ts';
import type { SignIn } from '../sign-in.ts';

const fewCodes = 3;

/** What the user should know about a successful sign-in. No notice is a condition. */
export function createNotices(weigh: WeighPassword) {
  return async (
    tx: Queryable,
    { signIn, plan, facts }: { readonly signIn: SignIn; readonly plan: Plan; readonly facts: Facts },
  ): Promise<Notice[]> => {
    const notices: Notice[] = [];
    if (isWeak(weigh, signIn, facts)) notices.push('passwordWeak');
    if (isTooWeakToTrust(signIn.request)) notices.push('deviceNotTrusted');
    if (leavesTokens(plan, facts)) notices.push('tokenNotLinked');
    const { accountId } = plan;
    const code = accountId === null ? undefined : facts.codes[accountId];
    if (accountId !== null && code?.kind === 'passed' && code.method === 'recovery') {
      const left = await countRecoveryCodes(inRealm(tx, signIn.realm), accountId);
      if (left <= fewCodes) notices.push('recoveryCodesLow');
    }
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
