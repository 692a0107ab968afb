import { createHash } from 'node:crypto';
import type { Queryable } from '@tickrate/postgres';
import { waitUntil } from '@tickrate/testkit';
import { expect, test } from 'vitest';
import { putMail } from '../mails/outbox.ts';
import { writeAudit, writeAuditUnlessErased, writeOwnAudit } from '../records/audit.ts';
import { removeSecondFactor } from '../second-factor/second-factors.ts';
import { endOtherSessions, signOut } from '../sign-in/session-calls.ts';
import { endSessions, type SessionRow } from '../sign-in/sessions.ts';
import { inRealm } from '../store/in-realm.ts';
import { actor, createAccountsWorld, self } from '../testing/accounts-world.ts';
import { eraseAccount } from './erase-account.ts';

const world = await createAccountsWorld();
const { accounts, db } = world;
const realm = await world.createProject();

/** The erasure of the account, by its session. Events are another store's. */
function erase(session: SessionRow) {
  return eraseAccount(accounts, self(session), {
    modeOf: async () => 'remove',
    statementOf: (id) => ({ sql: 'SELECT $1::text AS id', values: [id] }),
  });
}

function pseudonymOf(accountId: string): string {
  return `erased-${createHash('sha256').update(accountId).digest('hex').slice(0, 20)}`;
}

function putMailTo(accountId: string | null, to: string, of = realm) {
  const mail = { accountId, to, subject: 'Your password was changed', body: Buffer.from('sealed') };
  return putMail(inRealm(db, of), { ...mail, id: accounts.newId(), sentMs: world.now() });
}

async function recipients(of = realm): Promise<string[]> {
  const sql = 'SELECT recipient FROM auth.outbox WHERE realm = $1 ORDER BY sent, id';
  return (await db.query<{ recipient: string }>(sql, [of])).map(({ recipient }) => recipient);
}

/** Resolves when a call waits for a row that another transaction has locked. */
async function oneWaits(): Promise<void> {
  const sql = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  await waitUntil(async () => (await db.query(sql)).length === 1, { what: 'a call that waits for a row' });
}

/** Begins `call` in the midst of an erasure, which ends while the call waits for it. */
async function duringErasure(accountId: string, call: () => Promise<unknown>): Promise<void> {
  const calls: Promise<unknown>[] = [];
  await db.transaction(async (tx) => {
    await tx.query('SELECT auth.erase_account($1, $2)', [accountId, realm]);
    calls.push(call());
    await oneWaits();
  });
  await Promise.all(calls);
}

test('a mail to an account that is erased meanwhile is not stored', async () => {
  const kim = await world.createAccount(realm, { email: 'kim@example.com' });
  await duringErasure(kim, () => putMailTo(kim, 'kim@example.com'));
  await putMailTo(kim, 'kim@example.com');
  await putMailTo(null, 'new@example.com');
  expect(await recipients()).toEqual(['new@example.com']);
});

test('an erasure deletes the mails to every address of the account, and none of another project', async () => {
  const elsewhere = await world.createProject();
  const lee = await world.createAccount(realm, { email: 'lee@example.com' });
  await putMailTo(lee, 'lee.of.before@example.com');
  await putMailTo(null, 'Lee@example.com');
  await putMailTo(null, 'lee@example.com', elsewhere);
  expect(await erase(await world.openSession(realm, lee))).toMatchObject({ removed: { mails: 2 } });
  expect((await recipients()).filter((to) => /lee/i.test(to))).toEqual([]);
  expect(await recipients(elsewhere)).toEqual(['lee@example.com']);
});

test('a refused sign-in during the erasure is not recorded for the account', async () => {
  const max = await world.createAccount(realm, { email: 'max@example.com' });
  const refused = { actor: actor(realm), act: 'signInRefused' as const, accountId: max };
  await writeAuditUnlessErased(accounts, inRealm(db, realm), refused);
  await duringErasure(max, () => writeAuditUnlessErased(accounts, inRealm(db, realm), refused));
  expect(await world.acts(max)).toEqual([]);
  expect(await world.acts(pseudonymOf(max))).toEqual(['signInRefused']);
});

test('the end of a session during the erasure is recorded without the account', async () => {
  const noa = await world.createAccount(realm);
  const session = await world.openSession(realm, noa);
  const running: Promise<unknown>[] = [];
  await db.transaction(async (tx) => {
    await endMeanwhile(tx, session, () => {
      running.push(db.query('SELECT auth.erase_account($1, $2)', [noa, realm]));
      return oneWaits();
    });
  });
  await Promise.all(running);
  expect(await world.acts(noa)).toEqual([]);
  expect(await world.acts(pseudonymOf(noa))).toEqual(['sessionEnded']);
});

async function endMeanwhile(
  tx: Queryable,
  session: SessionRow,
  meanwhile: () => Promise<void>,
): Promise<void> {
  const people = inRealm(tx, realm);
  const { account_id: accountId, id: sessionId } = session;
  await endSessions(people, { accountId, sessionId, reason: 'signedOut', nowMs: world.now() });
  await meanwhile();
  await writeOwnAudit(accounts, people, { by: self(session), act: 'sessionEnded' });
}

test('a session that acts during the erasure of its account changes and records nothing', async () => {
  const acts: Record<string, (session: SessionRow) => Promise<unknown>> = {
    remove: (session) => removeSecondFactor(accounts, self(session)),
    end: (session) => signOut(accounts, self(session)),
    endOthers: (session) => endOtherSessions(accounts, self(session)),
  };
  const outcomes: unknown[] = [];
  for (const act of Object.values(acts)) {
    const accountId = await world.createAccount(realm);
    const session = await world.openSession(realm, accountId);
    await duringErasure(accountId, async () =>
      outcomes.push(await act(session).catch(({ reason }) => reason)),
    );
    expect(await world.acts(accountId)).toEqual([]);
  }
  expect(outcomes).toEqual(['sessionExpired', undefined, 'sessionExpired']);
});

test('of two erasures at once, the second finds no account and records nothing', async () => {
  const pat = await world.createAccount(realm);
  const session = await world.openSession(realm, pat);
  const outcomes = await Promise.all([1, 2].map(() => erase(session).catch(({ reason }) => reason)));
  expect(outcomes.filter((outcome) => outcome === 'sessionExpired')).toHaveLength(1);
  expect(await world.acts(pat)).toEqual([]);
  expect(await world.acts(pseudonymOf(pat))).toEqual(['accountErased']);
});

test('a refused erasure is not recorded as one', async () => {
  const owner = await world.createAccount('installation', { email: 'owner@example.com' });
  await db.query('UPDATE auth.accounts SET owns_installation = true WHERE id = $1', [owner]);
  const session = await world.openSession(realm, await world.createAccount(realm));
  await expect(erase({ ...session, account_id: owner, realm: 'installation' })).rejects.toMatchObject({
    data: { objectNotEditableReason: 'lastAdministrator' },
  });
  expect(await world.acts(owner)).toEqual([]);
});

test('entries of other accounts name an erased account no more', async () => {
  const [sam, old, young] = [
    await world.createAccount(realm),
    await world.createAccount(realm),
    await world.createAccount(realm),
  ];
  const moved = (of: string, details: Readonly<Record<string, unknown>>) =>
    writeAudit(accounts, inRealm(db, realm), {
      actor: actor(realm),
      act: 'identityMoved',
      accountId: of,
      details,
    });
  await moved(sam, { provider: 'steam', from: old });
  await moved(old, { provider: 'steam', to: sam });
  await moved(young, { provider: 'itch', from: sam });
  await moved(sam, { provider: 'itch', to: young });
  await erase(await world.openSession(realm, sam));
  const detailsOf = (accountId: string) =>
    db.query('SELECT details FROM auth.audit WHERE account_id = $1', [accountId]);
  expect(await detailsOf(old)).toEqual([{ details: { provider: 'steam', to: pseudonymOf(sam) } }]);
  expect(await detailsOf(young)).toEqual([{ details: { provider: 'itch', from: pseudonymOf(sam) } }]);
});
