import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { freshPostgres, startSteamStandIn, waitUntil } from '@tickrate/testkit';
import { SMTPServer } from 'smtp-server';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type AuthInstance, type AuthWorld, createAuthWorld } from '../testing/auth-world.ts';

const { url } = await freshPostgres();
const steam = await startSteamStandIn();
const mails: string[] = [];
const smtp = new SMTPServer({
  authOptional: true,
  onData(stream, _session, done) {
    const pieces: Buffer[] = [];
    stream.on('data', (piece: Buffer) => pieces.push(piece));
    stream.on('end', () => {
      mails.push(Buffer.concat(pieces).toString('utf8'));
      done();
    });
  },
});
let world: AuthWorld;
let one: AuthInstance;
let other: AuthInstance;

beforeAll(async () => {
  smtp.listen(0, '127.0.0.1');
  await once(smtp.server, 'listening');
  const { port } = smtp.server.address() as AddressInfo;
  world = await createAuthWorld(url);
  const values = { development: true, smtpUrl: `smtp://127.0.0.1:${port}`, mailFrom: 'a@studio.example' };
  one = await world.start(values);
  other = await world.start(values);
});
afterEach(() => steam.feel('well'));
afterAll(async () => {
  await world.close();
  await steam.stop();
  await new Promise<void>((resolve) => smtp.close(resolve));
});

function project(changes: object = {}, sessions = {}) {
  const { publisherKey, address } = steam;
  const given = { publisherKey, appIds: ['480'], profile: false, address, ...changes };
  return world.project({ providers: { steam: given }, sessions });
}

let players = 0;
function newTicket(): string {
  players += 1;
  return steam.issueTicket({ appId: '480', steamId: `7656119796028${7000 + players}` });
}

async function send(instance: AuthInstance, key: string, userTicket: string, more: object = {}) {
  return instance.send({ key, body: { tokens: { steamTokens: [{ userTicket }] }, ...more } });
}

async function accounts(): Promise<number> {
  const [row] = await world.db.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM auth.accounts',
    [],
  );
  return row?.count ?? -1;
}

describe('a Steam ticket', () => {
  test('that one process receives repeatedly is shown to Steam once', async () => {
    const { key } = await project({}, { askMarketing: true });
    const ticket = newTicket();
    const before = steam.requests.length;
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(one, key, ticket)));
    for (const { body } of answers) expect(body).toMatchObject({ promptForMarketingPreferenceOptIn: true });
    const done = await send(one, key, ticket, { marketingPreferenceOptIn: false });
    expect(done.body.authenticatedSession).not.toBe(null);
    expect(steam.requests.length).toBe(before + 1);
  });

  test('that one process has shown to Steam is valid for the rest of the sign-in at another', async () => {
    const { key } = await project({}, { askMarketing: true });
    const ticket = newTicket();
    const begun = await send(one, key, ticket);
    expect(begun.body).toMatchObject({ promptForMarketingPreferenceOptIn: true });
    const before = steam.requests.length;
    steam.feel('broken');
    const { exchangeId } = begun.body;
    const done = await send(other, key, ticket, { exchangeId, marketingPreferenceOptIn: true });
    expect(done.body.authenticatedSession).not.toBe(null);
    expect(steam.requests.length).toBe(before);
  });

  test('that Steam accepts once creates one account with two concurrent processes, and both answer', async () => {
    const { key } = await project();
    const [before, asked] = [await accounts(), steam.requests.length];
    const ticket = steam.issueTicket({ appId: '480', steamId: '76561197960279999', isGoodOnce: true });
    const body = (n: number) => ({ registration: { displayName: `Ada ${n}` } });
    const both = Array.from({ length: 10 }, (_, n) => send(n % 2 ? one : other, key, ticket, body(n)));
    const answers = await Promise.all(both);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const later = await Promise.all([send(one, key, ticket), send(other, key, ticket, body(99))]);
    const sessions = [...answers, ...later].flatMap((answer) => answer.body.authenticatedSession ?? []);
    expect(later.map((answer) => answer.body.authenticatedSession === null)).toEqual([false, false]);
    expect(new Set(sessions.map(({ accountId }) => accountId)).size).toBe(1);
    expect(await accounts()).toBe(before + 1);
    expect(steam.requests.length - asked).toBe(1);
  });

  test('that Steam accepts once counts for one of two senders who show it at once', async () => {
    const { key, projectId } = await project({}, { passwordSignIn: false });
    const { text: otherKey } = await world.registry.createKey({
      projectId,
      kind: 'public',
      comment: '',
      createdBy: 'test',
    });
    const ticket = steam.issueTicket({ appId: '480', steamId: '76561197960279998', isGoodOnce: true });
    const answers = await Promise.all([send(one, key, ticket), send(one, otherKey, ticket)]);
    expect(answers.map(({ body }) => body.code ?? 'session').toSorted()).toEqual([4002, 'session']);
  });

  test('that Steam refuses is refused by two concurrent processes, and can be checked again', async () => {
    const { key } = await project({}, { passwordSignIn: false });
    const refused = '00'.repeat(20);
    const claims = () => world.db.query('SELECT name FROM auth.token_checks ORDER BY name', []);
    const others = await claims();
    const sends = [send(one, key, refused), send(other, key, refused, { metered: true })];
    expect((await Promise.all(sends)).map(({ body }) => body.code)).toEqual([4002, 4002]);
    expect(await claims()).toEqual(others);
    const before = steam.requests.length;
    expect((await send(other, key, refused)).body.code).toBe(4002);
    expect(steam.requests.length).toBe(before + 1);
  });

  test('creates no account while Steam is away, and is checked again afterwards', async () => {
    const { key } = await project({}, { passwordSignIn: false });
    const ticket = newTicket();
    const before = await accounts();
    steam.feel('html');
    const away = await send(one, key, ticket);
    expect(away).toMatchObject({ status: 503, body: { code: 6003 } });
    expect(away.headers['retry-after']).toBe(String(away.body.data.retryAfterSeconds));
    expect(await accounts()).toBe(before);
    steam.feel('well');
    expect((await send(one, key, ticket)).body.authenticatedSession).toMatchObject({ newAccount: true });
  });

  test('with an address and a password that are not permitted signs in as if it were alone', async () => {
    const { key } = await project({}, { passwordSignIn: false });
    const emailAddress = 'kept@example.com';
    for (const intent of [undefined, 'register']) {
      const more = { emailAddress, password: 'that the client kept', intent };
      const { body } = await send(one, key, newTicket(), more);
      expect(body.authenticatedSession).toMatchObject({ newAccount: true, amr: ['steam'] });
      const alone = await send(one, key, '00'.repeat(20), more);
      expect(alone.body).toMatchObject({ code: 4002, data: { objectContext: 'steam: rejected' } });
    }
  });

  test('that cannot be checked does not block the other sign-in methods', async () => {
    const { key } = await project();
    steam.feel('busy');
    const { body } = await send(one, key, newTicket());
    expect(body).toMatchObject({ promptForEmailAddress: true, created: false });
    expect(body.tokens).toMatchObject([{ provider: 'steam', status: 'unavailable' }]);
  });

  test('is not blamed on the player if our key is wrong, and neither key nor ticket is shown', async () => {
    const { key } = await project({ publisherKey: 'AWRONGPUBLISHERKEY' });
    const ticket = newTicket();
    const answer = await send(one, key, ticket);
    expect(answer).toMatchObject({ status: 500, body: { code: 5001 } });
    for (const text of [JSON.stringify(answer), world.log()]) {
      expect(text).not.toContain('AWRONGPUBLISHERKEY');
      expect(text).not.toContain(steam.publisherKey);
      expect(text).not.toContain(ticket);
    }
  });

  test('that is invalid does not hide a valid one', async () => {
    const { key } = await project();
    const steamTokens = [{ userTicket: '00'.repeat(20) }, { userTicket: newTicket() }];
    const { body } = await one.send({ key, body: { tokens: { steamTokens } } });
    expect(body.authenticatedSession).not.toBe(null);
    expect(body.tokens.map(({ status }: { status: string }) => status)).toEqual(['rejected', 'accepted']);
  });
});

test('mails reach the mail server, and their codes work', async () => {
  const { key } = await project();
  const emailAddress = 'marigold@example.test';
  const password = 'abandoned-quarry-9';
  await one.send({ key, body: { emailAddress, password, intent: 'register' } });
  const mail = await waitUntil(() => mails.find((each) => each.includes(emailAddress)), { what: 'a mail' });
  const token = /Code: (\S+)/.exec(mail ?? '')?.[1];
  const done = await one.send({
    key,
    method: 'POST',
    path: 'account/email/verify',
    body: { token, password },
  });
  expect(done).toMatchObject({ status: 200, body: true });
  expect(await world.mailedCode(emailAddress)).toBe(null);
});
