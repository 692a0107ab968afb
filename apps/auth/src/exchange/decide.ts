import type { EnrolmentFact } from '@tickrate/accounts';
import { type Choice, chooseAccount, meantOf } from './choose-account.ts';
import {
  type AccountFact,
  type CodeFact,
  type Decision,
  type Facts,
  type Plan,
  type Prompt,
  type Proofs,
  prompt,
  type Refusal,
  refuse,
  type TokenFact,
} from './decision.ts';

/**
 * The exchange as a pure function: facts in; the next fact to fetch, the prompt, the refusal or the plan of the session
 * out. It uses no clock, no store and no secret. A request contains everything that the user sent so far, so the state
 * is the first of these gates that is closed. A gate fetches its facts only if all gates before it are open: throttle
 * and proofs → account → ban → second factor → links → terms, marketing, address → setup of a second factor that the
 * policy requires (after the code of a mail) → role and project.
 */
export function decide(facts: Facts): Decision {
  const { proofs } = facts;
  if (proofs === undefined) return { kind: 'fetch', what: 'proofs' };
  if (proofs.lockedSeconds !== null)
    return refuse('tooManyAttempts', { retryAfterSeconds: proofs.lockedSeconds });
  if (isRefusedPassword(facts, proofs)) return refuse('credentialsInvalid');
  const choice = chooseAccount(facts, proofs);
  if (choice.kind !== 'chosen') return choice;
  const links = chooseLinks(facts, proofs, choice);
  const accounts = accountsOf(proofs, choice, links);
  for (const account of accounts) {
    if (account.ban)
      return refuse('accountBanned', {
        banReason: account.ban.reason,
        banExpires: inSeconds(account.ban.expiresMs),
      });
  }
  return passSecondFactors(facts, accounts) ?? linksDecided(facts, { proofs, choice, links });
}

interface Links {
  readonly link: readonly TokenFact[];
  readonly move: Plan['move'];
  readonly issueDevice: boolean;
  /** The fact that the decision needs first. */
  readonly open: Prompt | null;
}

interface Chosen {
  readonly proofs: Proofs;
  readonly choice: Choice;
  readonly links: Links;
}

// A wrong password is always reported, except to a caller who registers: the two cases must look the same.
function isRefusedPassword({ ask, liveAccount }: Facts, { password, firstAdministrator }: Proofs): boolean {
  if (password !== 'wrong' || firstAdministrator) return false;
  return !(ask.intent === 'register' && liveAccount === null);
}

/** The user's decisions about tokens that no account has. */
function saysLink({ linkAction, intent }: Facts['ask']): boolean {
  return linkAction === 'link' || intent === 'link' || intent === 'link-confirm';
}

function chooseLinks(
  { ask, policies: { linking } }: Facts,
  proofs: Proofs,
  { base, foreign, unlinked }: Choice,
): Links {
  const mayAdd = base === null || linking === 'auto' || (linking === 'ask' && saysLink(ask));
  const link = unlinked.filter(
    ({ emailOwner }) => mayAdd || (linking === 'ask' && base !== null && emailOwner === base),
  );
  const issueDevice = ask.wantsDevice && mayAdd;
  const owners = foreign.flatMap(({ owner }) => owner ?? []);
  const from = ask.linkAction === 'move' && linking !== 'never' ? meantOf(ask, owners, base) : null;
  const move = foreign.flatMap((token) => (from !== null && token.owner === from ? [{ token, from }] : []));
  const undecided =
    ask.linkAction === 'skip' ? [] : foreign.filter((token) => !move.some((each) => each.token === token));
  if (undecided.length > 0)
    return { link, move, issueDevice, open: askForeign(proofs, undecided, linking !== 'never') };
  const isLeft = link.length < unlinked.length || (ask.wantsDevice && !issueDevice);
  const isOpen = base !== null && linking === 'ask' && ask.linkAction === null && isLeft;
  const open = isOpen
    ? prompt('NeedLinkDecision', {
        intent: 'link',
        linking: { reason: 'unlinkedToken', options: ['link', 'skip'], accounts: [] },
      })
    : null;
  return { link, move, issueDevice, open };
}

function askForeign({ accounts }: Proofs, tokens: readonly TokenFact[], mayMove: boolean): Prompt {
  return prompt('NeedLinkDecision', {
    linking: {
      reason: 'tokenOnOtherAccount',
      options: mayMove ? ['skip', 'switch', 'move'] : ['skip', 'switch'],
      accounts: accounts.filter(({ id }) => tokens.some(({ owner }) => owner === id)),
    },
  });
}

/** The account itself first, then the accounts that lose a token: each must be proven completely. */
function accountsOf({ accounts }: Proofs, { base }: Choice, { move }: Links): AccountFact[] {
  const ids = [base, ...new Set(move.map(({ from }) => from))];
  return ids.flatMap((id) => accounts.find((account) => account.id === id) ?? []);
}

function passSecondFactors(facts: Facts, accounts: readonly AccountFact[]): Decision | null {
  const { ask, codes } = facts;
  const open = accounts.find(
    ({ id, secondFactor }) => secondFactor === 'required' && codes[id]?.kind !== 'passed',
  );
  if (open === undefined) return null;
  const code = codes[open.id];
  if (code !== undefined && code.kind !== 'passed') return refuseCode(code);
  // One code proves one account: it is not tried on the next.
  const isSpent = accounts.some(({ id }) => codes[id] !== undefined);
  return ask.hasCode && !isSpent
    ? { kind: 'fetch', what: 'code', accountId: open.id }
    : prompt('NeedSecondFactor');
}

function refuseCode(
  code: Exclude<CodeFact | EnrolmentFact, { kind: 'waiting' | 'addressUnproven' | 'passed' }>,
): Refusal {
  if (code.kind === 'locked') return refuse('tooManyTwoFactorAttempts', { retryAfterSeconds: code.seconds });
  if (code.kind === 'invalid') {
    const { attemptsLeft } = code;
    return refuse('twoFactorCodeInvalid', attemptsLeft === null ? {} : { amount: attemptsLeft });
  }
  return refuse('twoFactorCodeUsed');
}

function linksDecided(facts: Facts, chosen: Chosen): Decision {
  const { choice, proofs } = chosen;
  if (chosen.links.open) return chosen.links.open;
  const links = isProvenLately(facts, chosen) ? chosen.links : withoutAdditions(facts, chosen.links);
  if (links === null) return refuse('notPermitted', {}, signInFirst);
  const account = proofs.accounts.find(({ id }) => id === choice.base) ?? null;
  const asked = meetPolicies(facts, account) ?? setUpSecondFactor(facts, account, chosen);
  return asked ?? placeSession(facts, account, { ...chosen, links });
}

const signInFirst = 'sign in again first: this needs a sign-in within 15 minutes';

/** A session key could be stolen. After an old sign-in it cannot add a sign-in method to its account. */
function isProvenLately({ liveAccount, liveIsRecent, codes }: Facts, { choice, proofs }: Chosen): boolean {
  const { base } = choice;
  if (base === null || base !== liveAccount || liveIsRecent || proofs.passwordAccount === base) return true;
  if (codes[base]?.kind === 'passed') return true;
  return proofs.tokens.some(({ status, owner }) => status === 'accepted' && owner === base);
}

/** Leaves out tokens without a decision. Returns null when a decision exists and the answer must report it. */
function withoutAdditions({ ask }: Facts, links: Links): Links | null {
  const isAsked = links.move.length > 0 || links.issueDevice || saysLink(ask);
  if (isAsked && (links.move.length > 0 || links.issueDevice || links.link.length > 0)) return null;
  return { ...links, link: [] };
}

function meetPolicies({ ask, policies }: Facts, account: AccountFact | null): Prompt | null {
  const accepted = { ...account?.terms, ...ask.acceptedTerms };
  if (Object.entries(policies.terms).some(([id, version]) => accepted[id] !== version))
    return prompt('NeedTerms');
  if (policies.askMarketing && (ask.marketing ?? account?.marketing ?? null) === null)
    return prompt('NeedMarketing');
  if (policies.requireVerifiedEmail && account?.hasEmail && !account.emailVerified) {
    return prompt('NeedEmailVerification', {
      effects: [{ kind: 'sendVerification', accountId: account.id }],
    });
  }
  return null;
}

/**
 * A code that arrives before the setup was shown is not a wrong one: the answer shows the setup and requests the code.
 */
function setUpSecondFactor(facts: Facts, account: AccountFact | null, chosen: Chosen): Decision | null {
  if (!lacksSecondFactor(facts, account, chosen)) return null;
  const { ask, codes, enrolment } = facts;
  const accountId = account?.id ?? null;
  if (enrolment === undefined) {
    const tryCode = ask.hasCode && Object.keys(codes).length === 0;
    return { kind: 'fetch', what: 'enrolment', accountId, tryCode };
  }
  if (enrolment.kind === 'passed') return null;
  if (enrolment.kind === 'addressUnproven') return askOwner(account);
  if (enrolment.kind === 'waiting') return prompt('NeedSecondFactorEnrolment', { enrolling: { accountId } });
  return refuseCode(enrolment);
}

/**
 * A password could be stolen. To set up a second factor, the caller must read the mail of the account. Accounts without
 * an address cannot.
 */
function askOwner(account: AccountFact | null): Decision {
  if (!account?.hasEmail) return refuse('notPermitted');
  const effects = [{ kind: 'sendEnrolmentCode' as const, accountId: account.id }];
  return prompt('NeedMailedCode', { effects });
}

function lacksSecondFactor(facts: Facts, account: AccountFact | null, { proofs, choice }: Chosen): boolean {
  if (!facts.policies.requireSecondFactor) return false;
  if (account === null) return choice.newFrom === 'email';
  const isLive = facts.liveAccount === account.id && facts.liveByPassword;
  return account.secondFactor === 'none' && (isLive || proofs.passwordAccount === account.id);
}

function placeSession(facts: Facts, account: AccountFact | null, chosen: Chosen): Decision {
  const { ask, keyProjectId } = facts;
  if (ask.role === 'builtin:user') return complete(facts, chosen, { kind: 'given', id: keyProjectId });
  if (ask.role === 'builtin:admin') return placeAdministrator(facts, account, chosen);
  return account?.roles.includes(ask.role)
    ? complete(facts, chosen, { kind: 'given', id: keyProjectId })
    : refuse('roleNotAvailable', { requestedRole: ask.role });
}

function placeAdministrator(facts: Facts, account: AccountFact | null, chosen: Chosen): Decision {
  const { ask, keyProjectId } = facts;
  const projects = account ? facts.projects : [];
  if (projects === undefined) return { kind: 'fetch', what: 'projects', accountId: account?.id ?? '' };
  const find = (id: string) => projects.find((project) => project.id === id);
  if (ask.projectId !== null) {
    const project = find(ask.projectId);
    return project ? complete(facts, chosen, { kind: 'given', id: project.id }) : refuse('notPermitted');
  }
  if (!ask.promptForProject) {
    return find(keyProjectId)
      ? complete(facts, chosen, { kind: 'given', id: keyProjectId })
      : refuse('roleNotAvailable', { requestedRole: ask.role });
  }
  const [only, ...more] = projects;
  if (only === undefined) return complete(facts, chosen, { kind: 'default' });
  return more.length > 0
    ? prompt('NeedProject', { projects })
    : complete(facts, chosen, { kind: 'given', id: only.id });
}

function complete(
  { ask, enrolment }: Facts,
  { choice, links }: Chosen,
  project: Plan['project'],
): Decision | Refusal {
  const { base, newFrom } = choice;
  const { link, move, issueDevice } = links;
  const plan = {
    accountId: base,
    newFrom,
    link,
    move,
    issueDevice,
    enrols: enrolment?.kind === 'passed',
    project,
    role: ask.role,
  };
  return { kind: 'complete', state: 'Complete', plan };
}

function inSeconds(timeMs: number | null): number | null {
  return timeMs === null ? null : Math.floor(timeMs / 1000);
}
