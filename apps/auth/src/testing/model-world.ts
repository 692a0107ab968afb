import type { EnrolmentFact } from '@tickrate/accounts';
import { decide } from '../exchange/decide.ts';
import type {
  AccountFact,
  CodeFact,
  Decision,
  Facts,
  Plan,
  Prompt,
  Proofs,
  TokenFact,
} from '../exchange/decision.ts';
import { type Account, askOf, type Item, policiesOf, type WorldShape } from './model-shape.ts';

/** The world of the model, in memory. */
export type Model = ReturnType<typeof createModel>;

interface State {
  readonly accounts: Map<string, Account>;
  readonly owners: Map<string, string[]>;
  sessions: number;
  /** The current code was used. */
  spent: boolean;
  spentCodes: number;
  /** The code of the owner's authenticator; a setup during the sign-in creates a new one. */
  authenticator: 'code' | 'newCode';
  /** This exchange showed the setup. */
  isBegun: boolean;
  /** A code was mailed to the owner. */
  isMailed: boolean;
  failures: number;
  made: number;
}

export function createModel(shape: WorldShape) {
  const state = initialState(shape);
  const proofs = (items: readonly Item[]) => proofsOf(shape, state, items);
  return {
    ...observationsOf(shape, state),
    send(items: readonly Item[]): Decision {
      const decision = run(shape, state, { items, proofs: proofs(items) });
      commit(shape, state, { items, decision });
      return decision;
    },
    /** All decide on the facts before the first of them is executed. */
    sendAtOnce(items: readonly Item[], times: number): void {
      const before = proofs(items);
      const decisions = Array.from({ length: times }, () => run(shape, state, { items, proofs: before }));
      for (const decision of decisions) commit(shape, state, { items, decision });
    },
    /** A new time step, a new exchange, expired throttles. */
    expire(): void {
      state.spent = false;
      state.isBegun = false;
      state.isMailed = false;
      state.failures = 0;
    },
    signInAsOwner(): string | null {
      const proof: Item[] = shape.owner.hasEmail ? ['email', 'password'] : ownTokens(state).slice(0, 1);
      const items: Item[] = [...proof, state.authenticator, 'terms', 'marketing'];
      const first = run(shape, state, { items, proofs: proofs(proof) });
      const isAsked = first.kind === 'prompt' && first.state === 'NeedMailedCode';
      const setUp = (code: Item) => {
        const items: Item[] = [...proof, code, 'terms', 'marketing'];
        return run(shape, state, { items, proofs: proofs(proof) });
      };
      if (isAsked) setUp('mailedCode');
      const decision = isAsked ? setUp('newCode') : first;
      return decision.kind === 'complete' ? decision.plan.accountId : null;
    },
  };
}

function observationsOf(shape: WorldShape, state: State) {
  return {
    owner: (): Account => state.accounts.get('owner') ?? { id: 'owner', ...shape.owner },
    /** Everything except the counters. */
    snapshot: () => ({
      owners: [...state.owners].map(([token, ids]) => [token, [...ids]]),
      sessions: state.sessions,
    }),
    isShown: () => state.isBegun,
    sessionCount: () => state.sessions,
    spentCodes: () => state.spentCodes,
    ownersPerToken: () => Math.max(0, ...Array.from(state.owners.values(), ({ length }) => length)),
    hasWayIn: (account: Account) => account.hasEmail || tokensOf(state, account.id).length > 0,
    /** Whether a token may be linked to an existing account: by the project's policy, or because the user agreed. */
    mayLink(items: readonly Item[]): boolean {
      const isOwnAddress = items.includes('itchIo') && shape.emailOfItch;
      return maySay(shape, items) || (shape.policy.linking === 'ask' && isOwnAddress);
    },
    maySay: (items: readonly Item[]) => maySay(shape, items),
    mayMove: () => shape.policy.linking !== 'never',
    /** An old session alone is not enough. */
    isProvenLately(items: readonly Item[]): boolean {
      const brings = [...ownTokens(state), state.authenticator].some((each) => items.includes(each));
      return !items.includes('live') || shape.isRecent || isRightPair(shape, items) || brings;
    },
    /** The owner's credentials that proved a session. */
    proofOf(items: readonly Item[], plan: Plan) {
      const byPassword = isRightPair(shape, items);
      const byLive = items.includes('live') && shape.owner.hasSecondFactor;
      const hasSecondFactor = state.accounts.get('owner')?.hasSecondFactor ?? false;
      return {
        isOwners: plan.accountId === 'owner',
        isProven:
          byPassword || items.includes('live') || ownTokens(state).some((token) => items.includes(token)),
        hasSecondFactor: !hasSecondFactor || items.includes(state.authenticator) || byLive,
        isProtected: hasSecondFactor || !byPassword || !shape.policy.requireSecondFactor,
        isBanned: shape.owner.isBanned,
      };
    },
  };
}

function maySay({ policy: { linking } }: WorldShape, items: readonly Item[]): boolean {
  return linking === 'auto' || (linking === 'ask' && items.includes('link'));
}

interface Sent {
  readonly items: readonly Item[];
  readonly proofs: Proofs;
}

function run(shape: WorldShape, state: State, { items, proofs }: Sent): Decision {
  const ask = askOf(items);
  let known: Facts = {
    ask,
    policies: policiesOf(shape),
    keyProjectId: 'p-1',
    codes: {},
    liveAccount: items.includes('live') ? 'owner' : null,
    liveByPassword: false,
    liveIsRecent: shape.isRecent,
  };
  for (;;) {
    const decision = decide(known);
    if (decision.kind === 'prompt') notePrompt(state, decision);
    if (decision.kind !== 'fetch') return decision;
    if (decision.what === 'proofs') known = { ...known, proofs };
    else if (decision.what === 'projects') known = { ...known, projects: [] };
    else if (decision.what === 'enrolment')
      known = { ...known, enrolment: tryEnrolment(state, items, decision.tryCode) };
    else known = { ...known, codes: { ...known.codes, [decision.accountId]: tryCode(state, items) } };
  }
}

function notePrompt(state: State, prompt: Prompt): void {
  if (prompt.enrolling) state.isBegun = true;
  if (prompt.state === 'NeedMailedCode') state.isMailed = true;
}

/** Like the store: the unique index rejects the slower request, and it decides again. */
function commit(
  shape: WorldShape,
  state: State,
  { items, decision }: { readonly items: readonly Item[]; readonly decision: Decision },
): void {
  if (decision.kind !== 'complete') return;
  const { link, enrols, accountId } = decision.plan;
  const isEnrolled = enrols && state.accounts.get(accountId ?? '')?.hasSecondFactor === true;
  if (isEnrolled || link.some(({ provider }) => (state.owners.get(provider) ?? []).length > 0)) {
    const again = run(shape, state, { items, proofs: proofsOf(shape, state, items) });
    commit(shape, state, { items, decision: again });
  } else apply(state, decision.plan);
}

function ownTokens(state: State): Item[] {
  return tokensOf(state, 'owner').filter(
    (token) => token === 'steam' || token === 'discord' || token === 'itchIo',
  );
}

function initialState({ owner, otherHasItch }: WorldShape): State {
  const { tokens, ...rest } = owner;
  const accounts = new Map<string, Account>([['owner', { id: 'owner', ...rest }]]);
  accounts.set('other', { id: 'other', hasEmail: false, hasSecondFactor: false, isBanned: false });
  const owners = new Map<string, string[]>(tokens.map((token) => [token, ['owner']]));
  if (otherHasItch) owners.set('itchIo', ['other']);
  return {
    accounts,
    owners,
    sessions: 0,
    spent: false,
    spentCodes: 0,
    failures: 0,
    made: 0,
    authenticator: 'code',
    isBegun: false,
    isMailed: false,
  };
}

function tokensOf({ owners }: State, accountId: string): string[] {
  return [...owners].flatMap(([token, ids]) => (ids.includes(accountId) ? [token] : []));
}

function tryCode(state: State, items: readonly Item[]): CodeFact {
  if (!items.includes(state.authenticator)) {
    state.failures += 1;
    return { kind: 'invalid', attemptsLeft: Math.max(0, 5 - state.failures) };
  }
  if (state.spent) return { kind: 'used' };
  state.spent = true;
  state.spentCodes += 1;
  return { kind: 'passed', method: 'otp' };
}

function tryEnrolment(state: State, items: readonly Item[], tryCode: boolean): EnrolmentFact {
  // One code per request: the first code of an authenticator that was shown takes precedence over the code of the mail.
  if (tryCode && state.isBegun && items.includes('newCode')) return { kind: 'passed' };
  if (tryCode && items.includes('mailedCode')) return { kind: 'waiting' };
  if (!(state.isBegun || state.isMailed) || !tryCode) return { kind: 'addressUnproven' };
  state.failures += 1;
  return { kind: 'invalid', attemptsLeft: Math.max(0, 5 - state.failures) };
}

function apply(state: State, { accountId, link, move, enrols }: Plan): void {
  const id = accountId ?? `made-${++state.made}`;
  if (accountId === null)
    state.accounts.set(id, { id, hasEmail: false, hasSecondFactor: false, isBanned: false });
  const account = state.accounts.get(id);
  if (enrols && account) {
    state.accounts.set(id, { ...account, hasSecondFactor: true });
    Object.assign(state, { authenticator: 'newCode', spent: true, spentCodes: state.spentCodes + 1 });
  }
  for (const { provider } of link) state.owners.set(provider, [...(state.owners.get(provider) ?? []), id]);
  for (const { token } of move) state.owners.set(token.provider, [id]);
  state.sessions += 1;
}

function proofsOf(shape: WorldShape, state: State, items: readonly Item[]): Proofs {
  const has = (item: Item) => items.includes(item);
  const hasPair = (has('email') || has('unknownEmail')) && (has('password') || has('wrongPassword'));
  const isRight = isRightPair(shape, items);
  const checked = isRight ? 'right' : 'wrong';
  // A session that is older than the second factor has not passed it.
  const isLive = has('live') && shape.owner.hasSecondFactor;
  const accepted = (['steam', 'discord', 'itchIo'] as const).filter(has);
  const tokens = accepted.map((provider, index): TokenFact => tokenFact(shape, state, { provider, index }));
  const bad = { index: 9, displayName: null, owner: null, emailOwner: null };
  const rejected: TokenFact[] = [
    ...(has('badSteam') ? [{ ...bad, provider: 'steam', status: 'rejected' as const }] : []),
    ...(has('downDiscord') ? [{ ...bad, provider: 'discord', status: 'unavailable' as const }] : []),
  ];
  return {
    lockedSeconds: null,
    password: hasPair ? checked : 'absent',
    passwordAccount: isRight ? 'owner' : null,
    tokens: [...rejected, ...tokens],
    accounts: Array.from(state.accounts.values(), (account) =>
      accountFact(state, account, isLive && account.id === 'owner'),
    ),
    firstAdministrator: false,
  };
}

function isRightPair(shape: WorldShape, items: readonly Item[]): boolean {
  const isWrong = items.includes('unknownEmail') || items.includes('wrongPassword');
  return shape.owner.hasEmail && items.includes('email') && items.includes('password') && !isWrong;
}

function tokenFact(
  shape: WorldShape,
  { owners }: State,
  { provider, index }: { readonly provider: string; readonly index: number },
): TokenFact {
  const owner = owners.get(provider)?.[0] ?? null;
  const isNamed = provider === 'itchIo' && shape.emailOfItch && shape.owner.hasEmail && owner === null;
  return {
    provider,
    index,
    status: 'accepted',
    displayName: null,
    owner,
    emailOwner: isNamed ? 'owner' : null,
  };
}

function accountFact(
  state: State,
  { id, hasEmail, hasSecondFactor, isBanned }: Account,
  isLive: boolean,
): AccountFact {
  const required = isLive ? 'passed' : 'required';
  return {
    id,
    hasEmail,
    displayName: null,
    providers: tokensOf(state, id),
    hasPassword: hasEmail,
    emailVerified: hasEmail,
    ban: isBanned ? { reason: 'cheating', expiresMs: null } : null,
    secondFactor: hasSecondFactor ? required : 'none',
    terms: {},
    marketing: null,
    roles: [],
  };
}
