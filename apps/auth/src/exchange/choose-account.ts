import type { Reason } from '@tickrate/contract';
import {
  type Ask,
  type Facts,
  type Prompt,
  type Proofs,
  prompt,
  type Refusal,
  refuse,
  type TokenFact,
} from './decision.ts';

/** The account of the session. `base` is null for a new account. */
export interface Choice {
  readonly kind: 'chosen';
  readonly base: string | null;
  readonly newFrom: 'tokens' | 'email' | null;
  /** Tokens of other accounts than the base; empty when the base was found by tokens. */
  readonly foreign: readonly TokenFact[];
  readonly unlinked: readonly TokenFact[];
}

/**
 * Selects the account, in this order: the live session, the account whose address and password were proven, the account
 * that all linked tokens share. It never guesses between tokens of different accounts. An address alone proves nothing.
 */
export function chooseAccount(facts: Facts, proofs: Proofs): Choice | Prompt | Refusal {
  const accepted = proofs.tokens.filter(({ status }) => status === 'accepted');
  const owners = [...new Set(accepted.flatMap(({ owner }) => owner ?? []))];
  const unlinked = accepted.filter(({ owner }) => owner === null);
  const proven = facts.liveAccount ?? proofs.passwordAccount;
  const { ask } = facts;
  if (ask.linkAction === 'switch') {
    const known = [...owners, ...(proofs.passwordAccount === null ? [] : [proofs.passwordAccount])];
    const meant = proven === null ? ask.accountRef : meantOf(ask, owners, proven);
    if (meant !== null && known.includes(meant)) return chosen(meant, { unlinked: [] });
  }
  if (proven !== null) {
    return chosen(proven, {
      unlinked,
      foreign: accepted.filter(({ owner }) => owner !== null && owner !== proven),
    });
  }
  if (owners.length > 1) {
    return ask.intent === 'cancel' && facts.policies.passwordSignIn
      ? prompt('NeedIdentifier', { intent: 'login' })
      : askWhich(proofs, owners);
  }
  if (owners[0] !== undefined) return chosen(owners[0], { unlinked });
  return chooseWithoutOwner(facts, proofs, unlinked);
}

/** The other account that the client selects. If there is only one, the client need not select it. */
export function meantOf({ accountRef }: Ask, owners: readonly string[], base: string | null): string | null {
  const [only, ...more] = new Set(owners.filter((owner) => owner !== base));
  return accountRef ?? (more.length === 0 ? (only ?? null) : null);
}

function chooseWithoutOwner(
  facts: Facts,
  proofs: Proofs,
  unlinked: readonly TokenFact[],
): Choice | Prompt | Refusal {
  const { ask } = facts;
  if (ask.hasEmail && facts.policies.passwordSignIn)
    return ask.hasPassword ? registerAddress(facts, proofs) : proveAddress(proofs, unlinked);
  if (unlinked.length > 0 || ask.wantsDevice) return registerTokens(facts, unlinked);
  return askWho(facts, proofs);
}

/** The password is wrong, or no account has this address. The answer must not show which. */
function registerAddress({ ask, policies }: Facts, proofs: Proofs): Choice | Prompt | Refusal {
  if (proofs.firstAdministrator) return { ...chosen(null, {}), newFrom: 'email' };
  if (ask.intent !== 'register') return refuse('credentialsInvalid');
  if (policies.registration.email === 'closed') return refuse('registrationClosed');
  return prompt('NeedEmailVerification', { intent: 'register', effects: [{ kind: 'beginRegistration' }] });
}

function proveAddress(proofs: Proofs, unlinked: readonly TokenFact[]): Prompt {
  const named = unlinked.find(({ emailOwner }) => emailOwner !== null)?.emailOwner ?? null;
  const account = proofs.accounts.find(({ id }) => id === named);
  // Only a caller who proved the address to a platform learns that the account has no password.
  if (account && !account.hasPassword) {
    return prompt('PasswordUnset', {
      intent: 'link',
      effects: [{ kind: 'sendReset', accountId: account.id }],
    });
  }
  return prompt('NeedPassword', { intent: named === null ? 'login' : 'link' });
}

function registerTokens(facts: Facts, unlinked: readonly TokenFact[]): Choice | Prompt | Refusal {
  const { ask, policies } = facts;
  const wantsNew = ask.intent === 'register' || ask.intent === 'cancel';
  if (unlinked.some(({ emailOwner }) => emailOwner !== null) && !wantsNew)
    return prompt('NeedIdentifier', { intent: 'link' });
  if (ask.intent === 'login' || ask.intent === 'link') return prompt('NeedIdentifier', { intent: 'link' });
  if (policies.registration.tokens === 'closed') {
    return policies.passwordSignIn && ask.intent !== 'register'
      ? prompt('NeedIdentifier', { intent: 'link' })
      : refuse('registrationClosed');
  }
  if (policies.registration.tokens === 'ask' && ask.intent !== 'register') {
    return prompt('NeedRegistration', { intent: 'register' });
  }
  return { ...chosen(null, { unlinked }), newFrom: 'tokens' };
}

const statusReasons: readonly (readonly [TokenFact['status'], Reason])[] = [
  ['misconfigured', 'providerMisconfigured'],
  ['banned', 'platformBanned'],
];

/** None of the credentials is valid. */
function askWho({ policies, ask }: Facts, { tokens }: Proofs): Prompt | Refusal {
  for (const [status, reason] of statusReasons) {
    const token = tokens.find((each) => each.status === status);
    if (token)
      return refuse(
        reason,
        reason === 'providerMisconfigured' ? { invalidConfigurationReason: token.provider } : {},
      );
  }
  if (policies.passwordSignIn)
    return prompt('NeedIdentifier', { intent: ask.intent === 'register' ? 'register' : 'login' });
  const objectContext = tokens.map(({ provider, status }) => `${provider}: ${status}`).join(', ');
  const down = tokens.find(({ status }) => status === 'unavailable');
  if (down)
    return refuse('identityProviderUnavailable', { objectContext: down.provider, retryAfterSeconds: 5 });
  const expired = tokens.length > 0 && tokens.every(({ status }) => status === 'expired');
  return refuse(expired ? 'tokenExpired' : 'tokenInvalid', { objectContext });
}

function askWhich(proofs: Proofs, owners: readonly string[]): Prompt {
  const accounts = proofs.accounts.filter(({ id }) => owners.includes(id));
  return prompt('NeedLinkDecision', {
    linking: { reason: 'tokensOfDifferentAccounts', options: ['switch', 'cancel'], accounts },
  });
}

function chosen(base: string | null, more: Partial<Pick<Choice, 'foreign' | 'unlinked'>>): Choice {
  return { kind: 'chosen', base, newFrom: null, foreign: [], unlinked: [], ...more };
}
