import { authenticationResponseSchema, promptFlags } from '@tickrate/contract';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { type AuthAnswer, type AuthCall, startAuthWorld } from '../testing/auth-world.ts';

const isAnswer = new Ajv({ strict: false }).compile(authenticationResponseSchema);
const { world, auth } = await startAuthWorld();

/** Sends a request and checks what is true of every answer. */
async function send(call: AuthCall): Promise<AuthAnswer> {
  const answer = await auth.send(call);
  if (answer.status === 200 && (call.path ?? 'authenticate') === 'authenticate') {
    expect(isAnswer(answer.body), JSON.stringify(isAnswer.errors)).toBe(true);
    const isFlagged = promptFlags.some((flag) => answer.body[flag] === true);
    expect(answer.body.authenticatedSession === null).toBe(isFlagged);
  }
  return answer;
}

const device = (deviceId: string) => ({ tokens: { deviceTestTokens: [{ deviceId }] } });

describe('a first request', () => {
  test.each([
    ['nothing', undefined],
    ['null', 'null'],
    ['an empty object', {}],
    [
      'members that are all null or empty',
      {
        tokens: {
          steamTokens: null,
          itchIoTokens: [null],
          deviceTokens: [{ deviceId: '', deviceSecret: null }],
        },
        emailAddress: '',
        passwordHash: null,
        twoFactor: { twoFactorCode: '', deviceIdentifier: null },
        requestedRole: null,
        promptForProject: null,
        registration: null,
        somethingElse: 3,
      },
    ],
  ])('with %s must send an address', async (_, body) => {
    const { key } = await world.project();
    const answer = await send({ key, body });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      authenticatedSession: null,
      promptForEmailAddress: true,
      tokens: [],
    });
  });

  test('with an unknown token creates the account and its session', async () => {
    const { key, projectId } = await world.project();
    const { body } = await send({ key, body: device('first') });
    expect(body).toMatchObject({
      created: true,
      tokens: [{ provider: 'deviceTest', index: 0, status: 'accepted', displayName: null }],
      authenticatedSession: { projectId, role: 'builtin:user', amr: ['deviceTest'], newAccount: true },
    });
    const read = await send({ key: body.authenticatedSession.apiKey, method: 'GET', path: 'session' });
    expect(read.body).toMatchObject({ id: body.authenticatedSession.id, secretKey: null });
  });

  test('sent fifty times at once with one token creates one account', async () => {
    const { key } = await world.project();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        send({
          key,
          body: { ...device('many'), metered: n % 2 === 0, registration: { displayName: `n${n}` } },
        }),
      ),
    );
    const accounts = new Set(answers.map(({ body }) => body.authenticatedSession.accountId));
    expect(accounts.size).toBe(1);
    expect(answers.filter(({ body }) => body.created)).toHaveLength(1);
  });

  test('for a device returns a secret once, with which the device signs in again', async () => {
    const { key } = await world.project({ testMode: false });
    const first = await send({ key, body: { tokens: { deviceTokens: [{ deviceId: 'new' }] } } });
    const { issuedDeviceToken, authenticatedSession } = first.body;
    expect(issuedDeviceToken.deviceSecret).toMatch(/^[\w-]{43}$/);
    const again = await send({ key, body: { tokens: { deviceTokens: [issuedDeviceToken] } } });
    expect(again.body.authenticatedSession.accountId).toBe(authenticatedSession.accountId);
    expect(again.body.issuedDeviceToken).toBeNull();
    const wrong = await send({
      key,
      body: { tokens: { deviceTokens: [{ ...issuedDeviceToken, deviceSecret: 'wrong' }] } },
    });
    expect(wrong.body).toMatchObject({ promptForEmailAddress: true, tokens: [{ status: 'rejected' }] });
  });

  test('repeated within a minute gets the same session, and later another one', async () => {
    const { key } = await world.project();
    const made = await send({ key, body: { tokens: { deviceTokens: [{ deviceId: 'new' }] } } });
    const tokens = { deviceTokens: [made.body.issuedDeviceToken] };
    const [first, second] = [await send({ key, body: { tokens } }), await send({ key, body: { tokens } })];
    expect(second.body).toEqual(first.body);
    const other = await send({ key, body: { tokens, metered: true } });
    expect(other.body.authenticatedSession.id).not.toBe(first.body.authenticatedSession.id);
  });
});
