import type { Operation } from '@tickrate/contract';
import { freshPostgres } from '@tickrate/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type AuthInstance,
  type AuthWorld,
  createAuthWorld,
  sessionOperations,
} from '../testing/auth-world.ts';

const { url } = await freshPostgres();
let world: AuthWorld;
let auth: AuthInstance;
let key: string;
let sessionKey: string;

beforeAll(async () => {
  world = await createAuthWorld(url);
  auth = await world.start();
  ({ key } = await world.project());
  const tokens = { deviceTestTokens: [{ deviceId: 'bodies' }] };
  sessionKey = (await auth.send({ key, body: { tokens } })).body.authenticatedSession.apiKey;
});
afterAll(() => world.close());

const withBody = sessionOperations.filter(({ body }) => body !== undefined);
const noObjects = ['[]', '[{}]', '"x"', '1', 'true'];

function send({ method, path }: Operation, body: string) {
  const [, ...parts] = path.replace(/^\//, '').split('/');
  return auth.send({ key: sessionKey, method, path: parts.join('/'), body });
}

// Invariant (HTTP): Every call that takes an object rejects `null`, arrays, scalars and an empty body;
// only a sign-in may be empty
test.each(withBody.map((operation) => [operation.id, operation] as const))(
  '%s rejects every body that is no object',
  async (_id, operation) => {
    for (const body of [...noObjects, ...(operation.bodyOptional ? [] : ['null'])]) {
      const answer = await send(operation, body);
      expect([body, answer.status, answer.body.code]).toEqual([body, 400, 1002]);
    }
    if (operation.bodyOptional) return;
    expect((await send(operation, '')).body).toMatchObject({ code: 1001 });
  },
);

test('only a sign-in and the setup of a second factor may be empty: they ask what to send', async () => {
  const optional = withBody.filter(({ bodyOptional }) => bodyOptional);
  expect(optional.map(({ id }) => id)).toEqual(['authenticate', 'beginTwoFactor']);
  for (const body of ['', 'null', '{}']) {
    const begun = await auth.send({ key: sessionKey, path: 'account/twofactor', body });
    expect([body, begun.status, begun.body.promptForTwoFactorCode]).toEqual([body, 200, false]);
    const answer = await auth.send({ key, body });
    expect([body, answer.status, answer.body.promptForEmailAddress]).toEqual([body, 200, true]);
  }
});

test('the members that a sign-in ignored are named by their pointers', async () => {
  const tokens = { deviceTestTokens: [{ deviceId: 'a', 'a/b': 1 }], nix: 1 };
  const { body } = await auth.send({ key, body: { email: 'bo@example.com', tokens } });
  expect(body).toMatchObject({
    notices: ['unknownMembers'],
    unknownMembers: ['/email', '/tokens/deviceTestTokens/0/a~1b', '/tokens/nix'],
  });
  const none = await auth.send({ key, body: {} });
  expect(none.body).toMatchObject({ notices: [], unknownMembers: [] });
  const names = Array.from({ length: 60 }, (_, n) => [`${n}${'x'.repeat(200)}`, n]);
  const many = await auth.send({ key, body: Object.fromEntries(names) });
  expect(many.body.unknownMembers).toHaveLength(20);
  for (const name of many.body.unknownMembers) expect(name.length).toBeLessThanOrEqual(100);
});
