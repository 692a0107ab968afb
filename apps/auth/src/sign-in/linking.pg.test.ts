import { createManualClock } from '@tickrate/testkit';
import { describe, expect, test } from 'vitest';
import { startAuthWorld } from '../testing/auth-world.ts';
import { createPlayers, device, password } from '../testing/player-world.ts';

const clock = createManualClock();
const { world, auth } = await startAuthWorld({ now: clock.now, values: { adminSignup: 'open' } });
const { send: authenticate, mailed, register, enrol } = createPlayers({ world, auth, clock });

describe('linking', () => {
  test('asks before it links a token to a proven account, and follows the decision', async () => {
    const { key } = await world.project();
    await register(key, 'link@example.com');
    const body = { emailAddress: 'link@example.com', password, tokens: device('mine') };
    const asked = await authenticate(key, body);
    expect(asked).toMatchObject({
      promptForLinking: true,
      linking: { reason: 'unlinkedToken', options: ['link', 'skip'] },
    });
    const linked = await authenticate(key, { ...body, linkDecision: { action: 'link' } });
    const byToken = await authenticate(key, { tokens: device('mine') });
    expect(byToken.authenticatedSession.accountId).toBe(linked.authenticatedSession.accountId);
  });

  test('uses the only other account if the client names none', async () => {
    const { key } = await world.project();
    await register(key, 'sole@example.com');
    const other = await authenticate(key, { tokens: device('sole') });
    const { accountId } = other.authenticatedSession;
    const body = { emailAddress: 'sole@example.com', password, tokens: device('sole') };
    const switched = await authenticate(key, { ...body, linkDecision: { action: 'switch' } });
    expect(switched.authenticatedSession.accountId).toBe(accountId);
    const moved = await authenticate(key, { ...body, linkDecision: { action: 'move' } });
    expect(moved.authenticatedSession.accountId).not.toBe(accountId);
    clock.advance(61_000);
    const byToken = await authenticate(key, { tokens: device('sole') });
    expect(byToken.authenticatedSession.accountId).toBe(moved.authenticatedSession.accountId);
  });

  test('leaves the address of an archived account to it, and reports this only to a caller who proves the address', async () => {
    const { key } = await world.project();
    const emailAddress = 'aside@example.com';
    const verify = async (session: string, path: string, body: object) => {
      const before = await world.mailedCode(emailAddress);
      await auth.send({ key: session, path, body: { emailAddress, ...body } });
      const token = await mailed(emailAddress, before);
      clock.advance(61_000);
      const given = { key: session, method: 'POST', path: 'account/email/verify' };
      return (await auth.send({ ...given, body: { token, password } })).body;
    };
    const aside = (await authenticate(key, { tokens: device('aside') })).authenticatedSession;
    expect(await verify(aside.apiKey, 'account/email', {})).toBe(true);
    const kept = (await authenticate(key, { tokens: device('kept') })).authenticatedSession;
    const moving = { tokens: device('aside'), linkDecision: { action: 'move' } };
    expect((await authenticate(kept.apiKey, moving)).authenticatedSession.accountId).toBe(kept.accountId);
    expect(await verify(kept.apiKey, 'account/email', {})).toMatchObject({ code: 3011 });
    const registering = { password, intent: 'register' };
    expect(await verify(key, 'authenticate', registering)).toMatchObject({ code: 3011 });
  });

  test('never guesses between accounts, and moves a token only with a proof of both', async () => {
    const { key } = await world.project();
    await register(key, 'move@example.com');
    const other = await authenticate(key, { tokens: device('theirs') });
    const { code } = await enrol(other.authenticatedSession.apiKey);
    const body = { emailAddress: 'move@example.com', password, tokens: device('theirs') };
    const asked = await authenticate(key, body);
    expect(asked.linking).toMatchObject({
      reason: 'tokenOnOtherAccount',
      options: ['skip', 'switch', 'move'],
    });
    const accountRef = asked.linking.accounts[0].accountRef;
    expect(accountRef).toBe(other.authenticatedSession.accountId);
    const move = { ...body, linkDecision: { action: 'move', accountRef } };
    expect(await authenticate(key, move)).toMatchObject({
      promptForTwoFactorCode: true,
      authenticatedSession: null,
    });
    const moved = await authenticate(key, { ...move, twoFactor: { twoFactorCode: code() } });
    expect(moved.authenticatedSession.accountId).not.toBe(accountRef);
    const byToken = await authenticate(key, { tokens: device('theirs') });
    expect(byToken.authenticatedSession.accountId).toBe(moved.authenticatedSession.accountId);
    const session = byToken.authenticatedSession.apiKey;
    const { body: list } = await auth.send({ key: session, method: 'GET', path: 'account/identities' });
    const undone = await auth.send({
      key: session,
      method: 'DELETE',
      path: `account/identities/${list.identities[0].id}`,
    });
    expect(undone.body).toBe(true);
    const back = await auth.send({
      key,
      body: { tokens: device('theirs'), twoFactor: { twoFactorCode: code() } },
    });
    expect([back.body.code ?? 'prompt']).not.toContain(4002);
  });

  test('keeps a sign-in method: of two concurrent unlinkings one is refused', async () => {
    const { key } = await world.project({ sessions: { linking: 'auto' } });
    const first = await authenticate(key, { tokens: device('one') });
    const tokens = { deviceTestTokens: [{ deviceId: 'one' }, { deviceId: 'two' }] };
    const both = await authenticate(key, { tokens });
    expect(both.authenticatedSession.accountId).toBe(first.authenticatedSession.accountId);
    const session = both.authenticatedSession.apiKey;
    const { body } = await auth.send({ key: session, method: 'GET', path: 'account/identities' });
    expect(body.identities).toHaveLength(2);
    const ends = await Promise.all(
      body.identities.map(({ id }: { id: string }) =>
        auth.send({ key: session, method: 'DELETE', path: `account/identities/${id}` }),
      ),
    );
    expect(ends.map((answer) => answer.body.code ?? 'done').toSorted()).toEqual([3012, 'done']);
  });
});
