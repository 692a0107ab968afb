import { expect, test } from 'vitest';
import { findAdministeredProjects } from '../administrators/roles.ts';
import { changePassword, checkPassword } from '../credentials/passwords.ts';
import { createAccountsWorld } from '../testing/accounts-world.ts';
import { findAnswer } from './answers.ts';
import { type CompletedSignIn, completeSignIn, type DecidedSignIn } from './complete-sign-in.ts';
import { keepExchange, openExchange } from './exchanges.ts';
import { listSessions } from './session-calls.ts';

const world = await createAccountsWorld();
const { accounts, advance } = world;
const realm = await world.createProject();
const owner = { keyId: 'key', projectId: realm };

/** A sign-in of a player that changes nothing but its session. */
async function decided(change: Partial<DecidedSignIn>): Promise<DecidedSignIn> {
  return {
    realm,
    role: 'builtin:user',
    actor: { projectId: realm, requestId: 'r-1', clientAddress: '192.0.2.1' },
    exchange: await openExchange(accounts, null),
    codeMarks: [],
    live: null,
    comesOf: null,
    account: { newFrom: 'tokens', provenAddress: null, displayName: null, avatarUrl: null },
    enrolment: null,
    input: { marketing: null, terms: {}, displayName: null, locale: null, device: null },
    project: { kind: 'given', id: realm },
    createProject: () => Promise.reject(new Error('A player creates no project')),
    amr: ['steam'],
    metered: false,
    password: null,
    knewSecondFactor: false,
    proofs: [],
    link: [],
    move: [],
    issueDevice: false,
    ...change,
  };
}

function complete(signIn: DecidedSignIn, fingerprint: Buffer | null = null) {
  return completeSignIn(accounts, signIn, (completed) => ({ answer: completed, fingerprint }));
}

async function completeOrFail(completion: DecidedSignIn): Promise<CompletedSignIn> {
  const outcome = await complete(completion);
  if (outcome.kind !== 'completed') throw new Error(`The sign-in is ${outcome.kind}`);
  return outcome.answer;
}

async function countAccounts(): Promise<number> {
  const [row] = await world.db.query<{ n: number }>('SELECT count(*)::int AS n FROM auth.accounts');
  return row?.n ?? 0;
}

function steam(subject: string) {
  return { provider: 'steam', tenant: '', subject, displayName: 'Max' };
}

// Invariant (Sign-in): A refused call on an account changes nothing; of concurrent calls with one code,
// identity, exchange or request, one succeeds
test('of concurrent sign-ins with one new identity, one creates the account and the others are raced', async () => {
  const link = [steam('1')];
  const before = await countAccounts();
  const completions = await Promise.all([1, 2, 3].map(() => decided({ link, proofs: link })));
  const outcomes = await Promise.all(completions.map((each) => complete(each)));
  expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['completed', 'raced', 'raced']);
  expect(await countAccounts()).toBe(before + 1);
});

test('an exchange and a fingerprint create one session each, and the answer is repeated for a minute', async () => {
  const id = await world.createAccount(realm);
  const opened = await openExchange(accounts, null);
  await keepExchange(accounts, opened, owner);
  const exchange = { ...opened, isNamed: true };
  const completion = await decided({ account: { id }, exchange });
  const fingerprint = Buffer.from('a keyed hash of the request');
  const outcomes = await Promise.all([1, 2].map(() => complete(completion, fingerprint)));
  expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['answeredMeanwhile', 'completed']);
  const again = await complete(await decided({ account: { id } }), fingerprint);
  expect(again.kind).toBe('answeredMeanwhile');
  expect(await world.liveSessions(id)).toHaveLength(1);
  const text = await findAnswer(accounts, fingerprint);
  expect(JSON.parse(text ?? 'null').session.accountId).toBe(id);
  advance(61_000);
  expect(await findAnswer(accounts, fingerprint)).toBeNull();
});

test('a password that was changed meanwhile opens no session', async () => {
  const id = await world.createAccount(realm, { email: 'kim@example.com', password: 'old' });
  const derived = 'old';
  const checked = await checkPassword(accounts, { realm, folded: 'kim@example.com', device: null, derived });
  if (checked.kind !== 'right') throw new Error('The password is not right');
  advance(1_000);
  const session = await world.openSession(realm, id);
  const by = { session, requestId: 'r-1', clientAddress: '192.0.2.1' };
  await changePassword(accounts, by, 'hash of new');
  const completion = await decided({ account: { id }, password: checked });
  expect(await complete(completion)).toEqual({ kind: 'passwordChanged' });
  expect(await world.liveSessions(id)).toEqual([session.id]);
});

test('a moved identity ends the sessions of its previous account, which gets a mail', async () => {
  const [from, id] = [
    await world.createAccount(realm, { email: 'from@example.com' }),
    await world.createAccount(realm),
  ];
  await world.linkSteam(realm, from, '2');
  await world.openSession(realm, from);
  const move = [{ identity: steam('2'), from }];
  await completeOrFail(await decided({ account: { id }, move, proofs: [steam('2')] }));
  expect(await world.liveSessions(from)).toEqual([]);
  expect(await world.mails(from)).toEqual(['identity-unlinked']);
  expect((await world.acts(id)).toSorted()).toEqual(['identityMoved', 'signIn']);
  expect(await complete(await decided({ account: { id }, move }))).toEqual({ kind: 'raced' });
});

test('a new device gets a secret of its own, and a verified address is taken from an account without proof', async () => {
  const squatter = await world.createAccount(realm, { email: 'lee@example.com', verified: false });
  const account = {
    newFrom: 'tokens',
    provenAddress: ' Lee@example.com',
    displayName: null,
    avatarUrl: null,
  } as const;
  const done = await completeOrFail(await decided({ account, issueDevice: true }));
  expect(done.session).toMatchObject({ newAccount: true, projectId: realm });
  expect(done.issuedDevice?.deviceSecret).toHaveLength(43);
  const rows = await world.db.query(
    'SELECT id, email FROM auth.accounts WHERE id = ANY ($1) ORDER BY email',
    [[squatter, done.session.accountId]],
  );
  expect(rows).toEqual([
    { id: done.session.accountId, email: 'Lee@example.com' },
    { id: squatter, email: null },
  ]);
});

test('an account that was banned meanwhile gets no session', async () => {
  const id = await world.createAccount(realm);
  await world.db.query("UPDATE auth.accounts SET banned = now(), ban_reason = '' WHERE id = $1", [id]);
  expect(await complete(await decided({ account: { id } }))).toEqual({ kind: 'raced' });
  expect(await world.acts(id)).toEqual([]);
});

test('concurrent first sign-ins of an administrator create one default project', async () => {
  const id = await world.createAccount('installation', { email: 'admin@example.com' });
  const created: string[] = [];
  const completions = await Promise.all(
    [1, 2].map(() =>
      decided({
        realm: 'installation',
        role: 'builtin:admin',
        account: { id },
        project: { kind: 'default' },
        createProject: async (_, name) => {
          const projectId = await world.createProject();
          created.push(projectId);
          return { id: projectId, name };
        },
      }),
    ),
  );
  const outcomes = await Promise.all(completions.map((each) => complete(each)));
  expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['completed', 'raced']);
  expect(created).toHaveLength(1);
  const [project] = await findAdministeredProjects(world.db, id);
  expect(project).toMatchObject({ id: created[0], name: 'Kart', role: 'owner' });
});

test('a session renews until its absolute end, and one that a key opened inherits that end', async () => {
  const id = await world.createAccount(realm);
  const live = await world.openSession(realm, id);
  advance(1_800_000);
  const done = await completeOrFail(await decided({ account: { id }, live, comesOf: live }));
  expect(done.session.absoluteExpiry).toBe(Math.floor(live.absolute_expires.getTime() / 1000));
  const [, opened] = await listSessions(accounts, live);
  expect(opened?.proven).toEqual(live.proven);
});
