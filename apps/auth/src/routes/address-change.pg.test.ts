import { createManualClock } from '@tickrate/testkit';
import { expect, test } from 'vitest';
import { type AnswerBody, startAuthWorld } from '../testing/auth-world.ts';
import { createPlayers, device, sessionOf } from '../testing/player-world.ts';

const clock = createManualClock();
const { world, auth, key } = await startAuthWorld({ now: clock.now });
const { enrol, mailed, register, send } = createPlayers({ world, auth, clock });

/** The calls of a session for its address. */
function callsOf({ apiKey }: { readonly apiKey: string }) {
  const call = async (method: string, path: string, body?: object): Promise<AnswerBody> =>
    (await auth.send({ key: apiKey, method, path, ...(body && { body }) })).body;
  return {
    change: (emailAddress: string) => call('PUT', 'account/email', { emailAddress }),
    verify: (token: string) => call('POST', 'account/email/verify', { token }),
    address: async () => (await call('GET', 'account')).emailAddress,
  };
}

async function signUp(emailAddress: string) {
  const login = await register(key, emailAddress);
  const session = sessionOf(await send(key, login));
  const before = await world.mailedCode(emailAddress);
  // The mails of a test are in the order of its clock.
  clock.advance(1_000);
  return { ...callsOf(session), login, session, before };
}

// Invariant (Sign-in): A confirmed address is replaced only with the second factor or a code that was
// mailed to it
test('a session opened by a password alone changes an address only with a code that was mailed to it', async () => {
  const { change, verify, address, before } = await signUp('old@example.com');
  expect(await change('new@example.com')).toBe(true);
  const allowed = await mailed('old@example.com', before);
  expect(await world.mailedCodes('new@example.com')).toEqual([]);
  expect(await verify(allowed)).toBe(true);
  const proven = await mailed('new@example.com');
  expect(await address()).toBe('old@example.com');
  expect(await verify(proven)).toBe(true);
  expect(await address()).toBe('new@example.com');
  expect(await verify(allowed)).toMatchObject({ code: 4002 });
});

test('the code for a change of the address is of use to its account alone', async () => {
  const { change, verify, before } = await signUp('mine@example.com');
  const thief = await signUp('thief@example.com');
  await change('next@example.com');
  const allowed = await mailed('mine@example.com', before);
  expect(await thief.verify(allowed)).toMatchObject({ code: 4001 });
  const given = { key, method: 'POST', path: 'account/email/verify' };
  const stranger = { token: allowed, password: 'not the password' };
  expect((await auth.send({ ...given, body: stranger })).body).toMatchObject({ code: 4001 });
  expect(await verify(allowed)).toBe(true);
});

test('a session opened with the second factor needs the code of the new address alone', async () => {
  const { session, login } = await signUp('second@example.com');
  const { code } = await enrol(session.apiKey);
  const proven = callsOf(sessionOf(await send(key, { ...login, twoFactor: { twoFactorCode: code() } })));
  await proven.change('third@example.com');
  expect(await proven.verify(await mailed('third@example.com'))).toBe(true);
  expect(await proven.address()).toBe('third@example.com');
});

test('a code for a first address does not replace an address that was confirmed meanwhile', async () => {
  const { change, verify, address } = callsOf(sessionOf(await send(key, { tokens: device('first') })));
  await change('eager@example.com');
  const eager = await mailed('eager@example.com');
  await change('owner@example.com');
  expect(await verify(await mailed('owner@example.com'))).toBe(true);
  expect(await verify(eager)).toMatchObject({ code: 4002 });
  expect(await address()).toBe('owner@example.com');
});

test('a new password ends the changes of the address that were requested before it', async () => {
  const { session, change, verify, address, before } = await signUp('robbed@example.com');
  await change('thief-to-be@example.com');
  const allowed = await mailed('robbed@example.com', before);
  await verify(allowed);
  const proven = await mailed('thief-to-be@example.com');
  clock.advance(61_000);
  await change('thief-to-be@example.com');
  const again = await mailed('robbed@example.com', allowed);
  const replaced = { path: 'account/password', body: { password: 'a new horse battery staple' } };
  expect((await auth.send({ key: session.apiKey, method: 'PUT', ...replaced })).body).toBe(true);
  expect(await verify(again)).toMatchObject({ code: 4002 });
  expect(await verify(proven)).toMatchObject({ code: 4002 });
  expect(await address()).toBe('robbed@example.com');
});
