import { createManualClock, waitUntil } from '@tickrate/testkit';
import { describe, expect, test } from 'vitest';
import { type AnswerBody, startAuthWorld } from '../testing/auth-world.ts';

const clock = createManualClock();
const { world, auth, key } = await startAuthWorld({ now: clock.now });

const password = 'correct horse battery staple';
const another = 'another horse battery staple';

async function send(method: string, path: string, body: object, by = key): Promise<AnswerBody> {
  return (await auth.send({ key: by, method, path, body })).body;
}

/** The code of the mail that this call sends. */
async function mailedBy(to: string, call: () => Promise<unknown>): Promise<string> {
  const before = await world.mailedCode(to);
  await call();
  const newer = async () => {
    const code = await world.mailedCode(to);
    return code === before ? null : code;
  };
  const code = await waitUntil(newer, { what: `a mail to ${to}` });
  clock.advance(61_000);
  return code ?? '';
}

async function register(emailAddress: string): Promise<void> {
  const begin = () => send('PUT', 'authenticate', { emailAddress, password, intent: 'register' });
  const token = await mailedBy(emailAddress, begin);
  expect(await send('POST', 'account/email/verify', { token, password })).toBe(true);
}

async function guess(emailAddress: string, times: number, more: object = {}): Promise<void> {
  for (let at = 0; at < times; at++)
    await send('PUT', 'authenticate', { emailAddress, password: `a guess ${at}`, ...more });
}

describe('a caller who reads the mail', () => {
  test('signs in with the new password at once, however often the old one was guessed', async () => {
    const emailAddress = 'locked@example.com';
    await register(emailAddress);
    const ask = () => send('POST', 'password/reset', { emailAddress });
    const token = await mailedBy(emailAddress, ask);
    await guess(emailAddress, 6);
    const closed = await send('PUT', 'authenticate', { emailAddress, password });
    expect(closed).toMatchObject({ code: 4008 });
    expect(await send('PUT', 'password/reset', { token, password: another })).toBe(true);
    const answer = await send('PUT', 'authenticate', { emailAddress, password: another });
    expect(answer).toMatchObject({ authenticatedSession: { amr: ['pwd'] } });
  });

  test('signs in after a registration, however often it was requested', async () => {
    const emailAddress = 'patient@example.com';
    const begin = () => send('PUT', 'authenticate', { emailAddress, password, intent: 'register' });
    const token = await mailedBy(emailAddress, begin);
    await guess(emailAddress, 6, { password, intent: 'register' });
    expect(await begin()).toMatchObject({ code: 4008 });
    expect(await send('POST', 'account/email/verify', { token, password })).toBe(true);
    expect((await begin()).authenticatedSession).toMatchObject({ amr: ['pwd'] });
  });

  test("gets it at the account's spelling of the address, which stays unchanged", async () => {
    const emailAddress = 'Spelt.So@example.com';
    await register(emailAddress);
    const ask = () => send('POST', 'password/reset', { emailAddress: ' SPELT.SO@EXAMPLE.COM' });
    const token = await mailedBy(emailAddress, ask);
    expect(await send('PUT', 'password/reset', { token, password: another })).toBe(true);
    const { authenticatedSession } = await send('PUT', 'authenticate', { emailAddress, password: another });
    expect(await send('GET', 'account', {}, authenticatedSession.apiKey)).toMatchObject({ emailAddress });
  });
});

describe('the owner of an address', () => {
  const subjects = async (to: string) => {
    const sql = 'SELECT subject FROM auth.outbox WHERE recipient = $1 ORDER BY id';
    return (await world.db.query<{ subject: string }>(sql, [to])).map(({ subject }) => subject);
  };
  const shown = (to: string, subject: string) =>
    waitUntil(async () => (await subjects(to)).includes(subject) || null, { what: `${subject} to ${to}` });

  async function sessionOf(emailAddress: string): Promise<string> {
    const answer = await send('PUT', 'authenticate', { emailAddress, password });
    return answer.authenticatedSession.apiKey;
  }

  test('gets a mail about a reset, as about any change of the password', async () => {
    const emailAddress = 'shown@example.com';
    await register(emailAddress);
    const token = await mailedBy(emailAddress, () => send('POST', 'password/reset', { emailAddress }));
    expect(await send('PUT', 'password/reset', { token, password: another })).toBe(true);
    await shown(emailAddress, 'Your password was changed');
  });

  test('gets a mail when the account gets another address, and none when the same one is confirmed again', async () => {
    const emailAddress = 'before@example.com';
    const next = 'after@example.com';
    await register(emailAddress);
    const session = await sessionOf(emailAddress);
    const ask = () => send('PUT', 'account/email', { emailAddress: next }, session);
    const verify = (token: string) => send('POST', 'account/email/verify', { token }, session);
    const allowed = await mailedBy(emailAddress, ask);
    expect(await verify(await mailedBy(next, () => verify(allowed)))).toBe(true);
    expect(await verify(await mailedBy(next, ask))).toBe(true);
    await shown(emailAddress, 'The address of your account was changed');
    await waitUntil(async () => (await subjects(next)).length === 2 || null, { what: 'two mails' });
    expect(await subjects(next)).toEqual(['Confirm your address', 'Confirm your address']);
  });

  test('invalidates a reset code by changing the password', async () => {
    const emailAddress = 'changed@example.com';
    await register(emailAddress);
    const session = await sessionOf(emailAddress);
    const token = await mailedBy(emailAddress, () => send('POST', 'password/reset', { emailAddress }));
    expect(await send('PUT', 'account/password', { password: another }, session)).toBe(true);
    const refused = await send('PUT', 'password/reset', { token, password: 'a third horse battery' });
    expect(refused).toMatchObject({ code: 4002 });
  });
});
