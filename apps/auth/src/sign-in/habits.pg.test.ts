import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { startAuthWorld } from '../testing/auth-world.ts';

const { world, auth, key } = await startAuthWorld();

const body = { tokens: { deviceTestTokens: [{ deviceId: 'habit' }] } };

/** The answer to these bytes on a connection. */
async function raw(text: string): Promise<string> {
  const { hostname, port } = new URL(auth.url);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString();
    if (/\r\n\r\n\{.*\}/s.test(received)) socket.end();
  });
  socket.on('error', () => undefined);
  socket.write(text);
  await once(socket, 'close');
  return received;
}

describe('a client with unusual requests', () => {
  test.each([
    ['a charset', { 'Content-Type': 'application/json; charset=utf-8' }],
    ['no Accept', {}],
    ['any Accept', { Accept: 'text/html' }],
    ['the header api_key', { api_key: 'given below' }],
    ['a bearer token', { Authorization: 'given below' }],
  ])('that sends %s signs in', async (_, headers) => {
    const given = Object.entries(headers).map(([name, value]) => {
      if (name === 'api_key') return [name, key];
      return [name, name === 'Authorization' ? `Bearer ${key}` : value];
    });
    const withKey = 'api_key' in headers || 'Authorization' in headers ? {} : { key };
    const answer = await auth.send({ ...withKey, body, headers: Object.fromEntries(given) });
    expect(answer.body.authenticatedSession).not.toBeNull();
  });

  test.each([
    ['exchangeId', { exchangeId: 'x\0' }],
    ['requestedRole', { requestedRole: 'a\0' }],
    ['registration.displayName', { registration: { displayName: 'a\0' } }],
    ['registration.acceptedTerms.0.id', { registration: { acceptedTerms: [{ id: 'a\0', version: '1' }] } }],
    ['twoFactor.deviceIdentifierFriendlyName', { twoFactor: { deviceIdentifierFriendlyName: 'a\0' } }],
  ])('that sends a zero character as %s gets an error for it', async (parameterName, more) => {
    const refused = await auth.send({ key, body: { ...body, ...more } });
    expect(refused.body).toMatchObject({ code: 1003, data: { parameterName } });
  });

  test('that sends empty tokens gets the statuses of the others at their places', async () => {
    const here = { deviceId: 'place' };
    for (const nothing of [null, '', {}, { deviceId: null }, { deviceId: '' }]) {
      const answer = await auth.send({ key, body: { tokens: { deviceTestTokens: [nothing, here] } } });
      expect(answer.body.tokens).toMatchObject([{ provider: 'deviceTest', index: 1, status: 'accepted' }]);
    }
  });

  test('that sends a token with a zero character, or members that every object has, signs in by another', async () => {
    const tokens = { ...body.tokens, deviceTokens: [{ deviceId: 'd\0', deviceSecret: 's\0' }] };
    const answer = await auth.send({ key, body: { ...body, tokens, toString: 1, valueOf: 2 } });
    expect(answer.body.authenticatedSession).not.toBeNull();
    expect(answer.body.notices).toEqual(['unknownMembers']);
  });

  test('that adds a ? to the address, or reorders members, signs in', async () => {
    const orders = [
      '{"metered":false,"tokens":{"deviceTestTokens":[{"deviceId":"o"}]}}',
      '{"tokens":{"deviceTestTokens":[{"deviceId":"o"}]},"metered":false}',
    ];
    const answers = await Promise.all(
      orders.map((text) => auth.send({ key, path: 'authenticate?', body: text })),
    );
    expect(
      answers.map(
        (answer) =>
          answer.body.authenticatedSession.accountId === answers[0]?.body.authenticatedSession.accountId,
      ),
    ).toEqual([true, true]);
  });

  test('that counts characters instead of bytes gets 1001 at once', async () => {
    const text = '{"emailAddress":"jürgen@exämple.com"}';
    const head = [
      'PUT /2018-03-24/authenticate HTTP/1.1',
      'Host: x',
      `X-API-Key: ${key}`,
      'Content-Type: application/json',
    ];
    const answer = await raw(`${head.join('\r\n')}\r\nContent-Length: ${text.length}\r\n\r\n${text}`);
    expect(answer).toContain('HTTP/1.1 400');
    expect(answer).toContain('"code":1001');
  });

  test('that reads data of every error finds the request id and the reason', async () => {
    const calls = [
      { body },
      { key: 'nonsense', body },
      { key, body: '[]' },
      { key, body: '{' },
      { key, body: { emailAddress: 'x' } },
      { key, body: { password: 3 } },
      { key, method: 'PATCH', body },
      { key, path: 'nowhere', body },
      { key, body: { emailAddress: 'a@example.com', password: 'wrong' } },
    ];
    const answers = await Promise.all(calls.map((call) => auth.send(call)));
    expect(answers.map((answer) => answer.body.code)).toEqual([
      2001, 2002, 1002, 1001, 1003, 1003, 1007, 1006, 4001,
    ]);
    for (const answer of answers) {
      expect(answer.body.data).toMatchObject({
        requestId: answer.headers['x-request-id'],
        reason: expect.any(String),
      });
    }
  });

  test('that retries 6001 gets it only for temporary faults, and 6002 with a short delay', async () => {
    const slow = await world.start({ ratePerSecond: 1 });
    await slow.send({ key, body });
    const refused = await slow.send({ key, body });
    expect(refused.body).toMatchObject({ code: 6002, data: { retryAfterSeconds: 1 } });
    expect(refused.headers['retry-after']).toBe('1');
    await slow.stop();
  });
});
