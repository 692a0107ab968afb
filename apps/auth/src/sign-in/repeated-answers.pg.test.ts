import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { AuthCall, AuthInstance } from '../testing/auth-world.ts';
import { device, newDevice, sessionOf, startSteamWorld, withCode } from '../testing/player-world.ts';

const { clock, enrolWith, one, other, project, register, send, ticket, world } = await startSteamWorld();

/** Signs in with an Idempotency-Key. */
async function sendAgain(key: string, body: object, at: AuthInstance, headers: AuthCall['headers']) {
  return (await at.send({ key, body, ...(headers && { headers }) })).body;
}

describe('the repeat of an answer', () => {
  const strong = () => ({ 'Idempotency-Key': randomBytes(16).toString('hex') });

  test('is returned for the same Idempotency-Key, also by another process at the same time', async () => {
    const { key } = await project();
    const headers = strong();
    const sends = [one, one, other, other].map((at) => sendAgain(key, newDevice, at, headers));
    const answers = [...(await Promise.all(sends)), await sendAgain(key, newDevice, other, headers)];
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    const theirs = await sendAgain(key, newDevice, one, strong());
    expect(sessionOf(theirs).accountId).not.toBe(sessionOf(answers[0]).accountId);
    const more = await sendAgain(key, { ...newDevice, metered: true }, one, headers);
    expect(sessionOf(more).accountId).not.toBe(sessionOf(answers[0]).accountId);
    clock.advance(61_000);
    const late = await sendAgain(key, newDevice, one, headers);
    expect(sessionOf(late).accountId).not.toBe(sessionOf(answers[0]).accountId);
  });

  test('is not returned to another key with the same Idempotency-Key, of any project', async () => {
    const { key, projectId } = await project();
    const headers = strong();
    const mine = await sendAgain(key, newDevice, one, headers);
    const sibling = await world.registry.createKey({
      projectId,
      kind: 'public',
      comment: '',
      createdBy: 'test',
    });
    for (const their of [sibling.text, (await project()).key]) {
      const shown = await sendAgain(their, newDevice, one, headers);
      expect(sessionOf(shown).accountId).not.toBe(sessionOf(mine).accountId);
    }
  });

  test.each([
    '1',
    'my-first-device',
    '0'.repeat(64),
    '1234567890123456789012',
    'a b'.repeat(20),
    'ab'.repeat(20),
  ])('is refused for the guessable Idempotency-Key %s', async (weak) => {
    const { key } = await project();
    const refused = await sendAgain(key, newDevice, one, { 'Idempotency-Key': weak });
    expect(refused).toMatchObject({ code: 1003, data: { parameterName: 'Idempotency-Key' } });
  });

  test.each([
    ['a ticket', async () => ({ tokens: ticket() })],
    ['an address and its password', (key: string) => register(key, 'repeat@example.com')],
  ])('is only for callers with the same credentials: %s', async (_, make) => {
    const { key } = await project();
    const body = await make(key);
    const sends = [one, other, one, other].map((at) => send(key, body, at));
    const answers = [...(await Promise.all(sends)), await send(key, body, other)];
    expect(sessionOf(answers[0])).not.toBeNull();
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    clock.advance(61_000);
    expect(sessionOf(await send(key, body)).id).not.toBe(sessionOf(answers[0]).id);
  });

  test('is returned for the device secret, and for a session key, also by another process at the same time', async () => {
    const { key } = await project();
    const { issuedDeviceToken } = await send(key, newDevice);
    const body = { tokens: { deviceTokens: [issuedDeviceToken] } };
    const answers = await Promise.all([one, other, one, other].map((at) => send(key, body, at)));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    const { apiKey } = sessionOf(answers[0]);
    const more = await Promise.all([one, other].map((at) => send(apiKey, {}, at)));
    expect(more[1]).toEqual(more[0]);
    const guess = { tokens: { deviceTokens: [{ ...issuedDeviceToken, deviceSecret: 'a guess' }] } };
    expect(sessionOf(await send(key, guess))).toBeNull();
  });

  test('is returned for the exchange, and not to a key that does not name it', async () => {
    const { key } = await project();
    const { exchangeId } = await send(key, {});
    const body = { ...newDevice, exchangeId };
    const answers = [await send(key, body), await send(key, body, other)];
    expect(answers[1]).toEqual(answers[0]);
    expect(await send((await project()).key, body)).toMatchObject({ code: 4012 });
    const { projectId } = sessionOf(answers[0]);
    const sibling = await world.registry.createKey({
      projectId,
      kind: 'public',
      comment: '',
      createdBy: 'test',
    });
    expect(await send(sibling.text, body)).toMatchObject({ code: 4012 });
    const unnamed = await send(key, newDevice);
    expect(sessionOf(unnamed).accountId).not.toBe(sessionOf(answers[0]).accountId);
    clock.advance(61_000);
    expect(sessionOf(await send(key, body)).accountId).not.toBe(sessionOf(answers[0]).accountId);
  });

  test('is not returned for a test device, whose id is not secret: same account, different session', async () => {
    const { key } = await project();
    const body = { tokens: device('open') };
    const answers = [await send(key, body), await send(key, body), await send(key, body, other)];
    expect(new Set(answers.map((answer) => sessionOf(answer).accountId)).size).toBe(1);
    expect(new Set(answers.map((answer) => sessionOf(answer).apiKey)).size).toBe(3);
  });

  test('contains the one session of a code that two processes receive at the same time', async () => {
    const { key } = await project();
    const login = await register(key, 'atonce@example.com');
    const code = await enrolWith(key, login);
    const body = { ...login, ...withCode(code()) };
    const answers = await Promise.all([one, other, one, other, other].map((at) => send(key, body, at)));
    expect(sessionOf(answers[0])).not.toBeNull();
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    const changed = await send(key, { ...body, metered: true }, other);
    expect(changed).toMatchObject({ code: 4005 });
  });

  test('ends with its session', async () => {
    const { key } = await project();
    const body = { tokens: ticket() };
    const first = sessionOf(await send(key, body));
    await one.send({ key: first.apiKey, method: 'DELETE', path: 'session' });
    const again = sessionOf(await send(key, body, other));
    expect(again).toMatchObject({ accountId: first.accountId });
    expect(again.id).not.toBe(first.id);
  });
});
