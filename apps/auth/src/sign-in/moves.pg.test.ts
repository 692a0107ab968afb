import { createManualClock } from '@tickrate/testkit';
import { expect, test } from 'vitest';
import { type AnswerBody, startAuthWorld } from '../testing/auth-world.ts';

const clock = createManualClock();
const { auth, key } = await startAuthWorld({ now: clock.now });

const tokens = (...ids: string[]) => ({ deviceTestTokens: ids.map((deviceId) => ({ deviceId })) });

async function signIn(by: string, body: object): Promise<AnswerBody> {
  clock.advance(61_000);
  const answer = await auth.send({ key: by, body });
  return answer.body.authenticatedSession;
}

/** Unlinks everything except the named tokens, as the account of the session. */
async function unlinkAllBut(session: string, kept: string): Promise<void> {
  const listed = await auth.send({ key: session, method: 'GET', path: 'account/identities' });
  const ids: string[] = listed.body.identities.map(({ id }: { id: string }) => id);
  for (const id of ids.filter((each) => each !== kept)) {
    const unlinked = await auth.send({ key: session, method: 'DELETE', path: `account/identities/${id}` });
    expect(unlinked.body).toBe(true);
  }
}

async function moveTwo(name: string): Promise<{ readonly from: string; readonly undo: () => Promise<void> }> {
  const [first, second, own] = [`${name} 1`, `${name} 2`, `${name} own`];
  const from = await signIn(key, { tokens: tokens(first) });
  const linked = await signIn(from.apiKey, { tokens: tokens(second), intent: 'link' });
  expect(linked.accountId).toBe(from.accountId);
  const to = await signIn(key, { tokens: tokens(own) });
  const { body } = await auth.send({ key: to.apiKey, method: 'GET', path: 'account/identities' });
  const moved = await signIn(to.apiKey, { tokens: tokens(first, second), linkDecision: { action: 'move' } });
  expect(moved.accountId).toBe(to.accountId);
  const undo = async () => {
    const { apiKey } = await signIn(key, { tokens: tokens(own) });
    await unlinkAllBut(apiKey, body.identities[0].id);
  };
  return { from: from.accountId, undo };
}

test('all tokens that were moved together go back when they are unlinked', async () => {
  const { from, undo } = await moveTwo('both');
  await undo();
  expect((await signIn(key, { tokens: tokens('both 1') })).accountId).toBe(from);
  expect((await signIn(key, { tokens: tokens('both 2') })).accountId).toBe(from);
});

test('a token that was moved more than 30 days ago is free after it is unlinked', async () => {
  const { from, undo } = await moveTwo('late');
  clock.advance(31 * 24 * 3_600_000);
  await undo();
  const anew = await signIn(key, { tokens: tokens('late 1') });
  expect(anew).toMatchObject({ newAccount: true });
  expect(anew.accountId).not.toBe(from);
});

test('two accounts that take a token from each other both get an answer', async () => {
  const accountOf = async (name: string) => {
    const session = await signIn(key, { tokens: tokens(name) });
    await signIn(session.apiKey, { tokens: tokens(`${name} too`), intent: 'link' });
    return session;
  };
  for (const round of ['1', '2', '3']) {
    const [mine, theirs] = [await accountOf(`mine ${round}`), await accountOf(`theirs ${round}`)];
    const linkDecision = { action: 'move' };
    const answers = await Promise.all([
      auth.send({ key: mine.apiKey, body: { tokens: tokens(`theirs ${round}`), linkDecision } }),
      auth.send({ key: theirs.apiKey, body: { tokens: tokens(`mine ${round}`), linkDecision } }),
    ]);
    expect(answers.map(({ status }) => status)).not.toContain(503);
  }
});
