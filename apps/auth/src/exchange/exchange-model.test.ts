import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Account, Item } from '../testing/model-shape.ts';
import { createModel, type Model } from '../testing/model-world.ts';
import { flagsOf } from './decision.ts';

const policy = fc.record({
  tokens: fc.constantFrom('auto' as const, 'ask' as const, 'closed' as const),
  email: fc.constantFrom('ask' as const, 'closed' as const),
  linking: fc.constantFrom('ask' as const, 'auto' as const, 'never' as const),
  passwordSignIn: fc.constant(true),
  hasTerms: fc.boolean(),
  askMarketing: fc.boolean(),
  requireSecondFactor: fc.boolean(),
});

const accountShape = fc.record({
  hasEmail: fc.boolean(),
  hasSecondFactor: fc.boolean(),
  isBanned: fc.boolean(),
  tokens: fc.subarray(['steam', 'discord'] as const),
});

const world = fc.record({
  policy,
  owner: accountShape,
  otherHasItch: fc.boolean(),
  emailOfItch: fc.boolean(),
  isRecent: fc.boolean(),
});

const items: readonly Item[] = [
  'steam',
  'discord',
  'itchIo',
  'badSteam',
  'downDiscord',
  'device',
  'live',
  'email',
  'unknownEmail',
  'password',
  'wrongPassword',
  'code',
  'wrongCode',
  'mailedCode',
  'newCode',
  'terms',
  'marketing',
  'link',
  'skip',
  'move',
  'switch',
  'register',
  'cancel',
];

class Send implements fc.Command<Model, Model> {
  readonly #items: readonly Item[];
  constructor(given: readonly Item[]) {
    this.#items = given;
  }
  check = () => true;
  toString = () => `send(${this.#items.join(', ')})`;
  run(_: Model, model: Model): void {
    const before = model.snapshot();
    const wasProvenLately = model.isProvenLately(this.#items);
    const mayBeShown = model.isShown() || this.#items.includes('mailedCode');
    const decision = model.send(this.#items);
    // For an existing account, the setup is shown only after the code of its mail.
    if (decision.kind === 'prompt' && decision.enrolling !== null) expect(mayBeShown).toBe(true);
    if (decision.kind === 'refuse') expect(model.snapshot()).toEqual(before);
    if (decision.kind === 'prompt') expect(flagsOf[decision.state].length).toBeGreaterThan(0);
    if (decision.kind !== 'complete') return;
    // A token that was rejected or could not be checked is linked to no account and creates none.
    const { link, move, issueDevice, accountId } = decision.plan;
    expect(link.every(({ status }) => status === 'accepted')).toBe(true);
    if (accountId === null) expect(link.length > 0 || issueDevice).toBe(true);
    else if (link.length > 0) expect(model.mayLink(this.#items)).toBe(true);
    // For every sign-in method that is added: only as the project links, and only by a caller who proved the account
    // recently.
    if (accountId !== null && issueDevice) expect(model.maySay(this.#items)).toBe(true);
    if (move.length > 0) expect(model.mayMove()).toBe(true);
    const adds = link.length > 0 || move.length > 0 || issueDevice;
    if (accountId === 'owner' && adds) expect(wasProvenLately).toBe(true);
    const { isOwners, isProven, hasSecondFactor, isProtected, isBanned } = model.proofOf(
      this.#items,
      decision.plan,
    );
    if (isOwners)
      expect([isProven, hasSecondFactor, isProtected, isBanned]).toEqual([true, true, true, false]);
  }
}

/** The same request from many senders at the same time: all decide on the same facts. */
class SendAtOnce implements fc.Command<Model, Model> {
  readonly #items: readonly Item[];
  constructor(given: readonly Item[]) {
    this.#items = given;
  }
  check = () => true;
  toString = () => `sendAtOnce(${this.#items.join(', ')})`;
  run(_: Model, model: Model): void {
    const sessions = model.sessionCount();
    const codes = model.spentCodes();
    model.sendAtOnce(this.#items, 4);
    // A code is accepted once; the other requests get "already used".
    if (model.spentCodes() > codes) expect(model.sessionCount() - sessions).toBeLessThanOrEqual(1);
    expect(model.ownersPerToken()).toBeLessThanOrEqual(1);
  }
}

class Expire implements fc.Command<Model, Model> {
  check = () => true;
  toString = () => 'expire()';
  run(_: Model, model: Model): void {
    model.expire();
  }
}

// Invariant (Sign-in): The exchange keeps its promises for any order of facts, repeats, errors, expiries
// and parallel requests
// Invariant (Sign-in): Where a second factor is required, no password works without one, and its owner can
// set one up during sign-in
// Invariant (Sign-in): No second factor of an account with an address is offered for setup before the code
// mailed to it, in a sign-in or from a session
// Invariant (Sign-in): A way into an existing account is added only as the project links, by a sign-in
// within 15 minutes, with an audit entry and a mail
test('the invariants hold in any order of facts, repeats, errors, expiries and concurrent requests', () => {
  const some = fc.subarray([...items], { minLength: 0, maxLength: 6 });
  // Credentials of the owner come equally often, so that the later gates are reached.
  const owners = some.map((given): Item[] => [...new Set<Item>(['email', 'password', ...given])]);
  const sends = fc.oneof(some, owners);
  const commands = fc.commands(
    [
      sends.map((given) => new Send(given)),
      sends.map((given) => new SendAtOnce(given)),
      fc.constant(new Expire()),
    ],
    { maxCommands: 25 },
  );
  fc.assert(
    fc.property(world, commands, (shape, run) => {
      const model = createModel(shape);
      fc.modelRun(() => ({ model, real: model }), run);
      // Whatever happened before, the owner can sign in, unless banned or without any sign-in method.
      const owner: Account | undefined = model.owner();
      model.expire();
      if (owner && !owner.isBanned && model.hasWayIn(owner)) expect(model.signInAsOwner()).toBe(owner.id);
    }),
    { numRuns: 1_500 },
  );
});

test('the first sufficient request gets the session', () => {
  fc.assert(
    fc.property(world, (shape) => {
      const model = createModel({
        ...shape,
        policy: { ...shape.policy, hasTerms: false, askMarketing: false, requireSecondFactor: false },
      });
      const owner = model.owner();
      if (owner.isBanned || !owner.hasEmail) return;
      const all: Item[] = ['email', 'password', ...(owner.hasSecondFactor ? ['code' as const] : [])];
      expect(model.send(all).kind).toBe('complete');
    }),
  );
});

test('no answer shows whether an address exists: without its password all are the same', () => {
  const rest = fc.subarray(
    items.filter(
      (item) =>
        !['email', 'unknownEmail', 'password', 'code', 'wrongCode', 'mailedCode', 'newCode'].includes(item),
    ),
  );
  fc.assert(
    fc.property(world, rest, (shape, given) => {
      const answers = (['email', 'unknownEmail'] as const).map((email) => {
        const model = createModel({
          ...shape,
          owner: { ...shape.owner, tokens: [], hasEmail: true },
          emailOfItch: false,
        });
        const decision = model.send([email, ...given]);
        return JSON.stringify(decision);
      });
      expect(answers[1]).toBe(answers[0]);
    }),
  );
});

test('an address alone never opens or links an account', () => {
  fc.assert(
    fc.property(world, fc.subarray([...items]), (shape, given) => {
      const model = createModel({
        ...shape,
        owner: { ...shape.owner, tokens: [], hasEmail: true },
        emailOfItch: true,
      });
      const withoutProof = given.filter((item) => item !== 'password' && item !== 'live');
      const decision = model.send(['itchIo', ...withoutProof]);
      if (decision.kind === 'complete') expect(decision.plan.accountId).not.toBe(model.owner().id);
    }),
  );
});
