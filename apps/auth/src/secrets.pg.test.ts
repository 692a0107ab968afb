import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createManualClock, freshPostgres, startSteamStandIn, waitUntil } from '@tickrate/testkit';
import { Secret, TOTP } from 'otpauth';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKeyring } from './keyring.ts';
import { derivePassword } from './passwords/password-weakness.ts';
import {
  type AnswerBody,
  type AuthCall,
  type AuthInstance,
  type AuthWorld,
  createAuthWorld,
} from './testing/auth-world.ts';

const { url } = await freshPostgres();
const clock = createManualClock();
const steam = await startSteamStandIn();
const mails: string[] = [];
const smtpPassword = 'smtp/pass+word of tests';
const smtp = new SMTPServer({
  allowInsecureAuth: true,
  hideSTARTTLS: true,
  onAuth: ({ password }, _session, done) =>
    password === smtpPassword ? done(null, { user: 'studio' }) : done(new Error('Wrong SMTP password')),
  async onData(stream, _session, done) {
    mails.push(Buffer.concat(await stream.toArray()).toString('utf8'));
    done();
  },
});
const authSecret = 'a secret of this file, of more than 32 characters';
const secretsKey = 'a key of this file, of more than 32 characters';
const developerKey = 'a-developer-key/of+itch';
const adminPassword = 'administrators? quarry & gate 7';
const names = ['first', 'second', 'reset', 'changed', 'wrong'] as const;
const passwords = Object.fromEntries(names.map((name) => [name, `${name}? quarry+gate/9 é`]));
const emailAddress = 'keeper@example.com';
const deviceIdentifier = 'device/identifier+of.tests';

const secrets = new Map<string, string | Buffer>();
const refusals: AnswerBody[] = [];
let world: AuthWorld;
let auth: AuthInstance;
let key: string;

beforeAll(async () => {
  smtp.listen(0, '127.0.0.1');
  await once(smtp.server, 'listening');
  const { port } = smtp.server.address() as AddressInfo;
  world = await createAuthWorld(url, clock.now);
  // As an older installation stored it, before secrets were sealed: the start seals it.
  const { publisherKey, address } = steam;
  const made = await world.project();
  key = made.key;
  const providers = {
    steam: { publisherKey, appIds: ['480'], profile: false, address },
    itchIo: { gameId: '7', developerKey },
  };
  await world.db.query("INSERT INTO registry.policies VALUES ($1, 'providers', $2, now())", [
    made.projectId,
    JSON.stringify(providers),
  ]);
  auth = await world.start({
    development: true,
    authSecret,
    secretsKey,
    adminEmail: 'admin@example.com',
    adminPassword,
    smtpUrl: `smtp://studio:${encodeURIComponent(smtpPassword)}@127.0.0.1:${port}`,
  });
  const configured = { authSecret, secretsKey, adminPassword, smtpPassword, publisherKey, developerKey, key };
  for (const [name, text] of Object.entries(configured)) secrets.set(name, text);
  const keyring = createKeyring(authSecret);
  secrets.set('pepper', keyring.pepper).set('box key', keyring.boxKey);
  secrets.set('device identifier', deviceIdentifier);
  for (const [name, text] of Object.entries({ ...passwords, adminPassword })) {
    secrets.set(`password: ${name}`, text).set(`derived: ${name}`, derivePassword(text));
  }
});
afterAll(async () => {
  await world.close();
  await steam.stop();
  await new Promise<void>((resolve) => smtp.close(resolve));
});

/** Keeps the text of a refusal, and the secrets of a session. */
async function call(given: AuthCall): Promise<AnswerBody> {
  const { body } = await auth.send({ key, ...given });
  if (body?.code) refusals.push(body);
  const { authenticatedSession: session, issuedDeviceToken: device } = body ?? {};
  if (session)
    secrets.set(`${session.id} key`, session.apiKey).set(`${session.id} secret`, session.secretKey);
  if (device) secrets.set(`${device.deviceId} secret`, device.deviceSecret);
  return body;
}

/** A sign-in that is not a repeat of an earlier one. */
let calls = 0;
function signIn(body: object): Promise<AnswerBody> {
  calls += 1;
  return call({ body: { registration: { locale: `en-x-c${calls}` }, ...body } });
}

async function mailed(): Promise<string> {
  const mail = await waitUntil(() => mails.shift(), { what: 'a mail' });
  const token = /Code: (\S+)/.exec(mail ?? '')?.[1] ?? '';
  secrets.set(`mail token ${secrets.size}`, token);
  return token;
}

function ticket(steamId: string) {
  const userTicket = steam.issueTicket({ appId: '480', steamId });
  secrets.set(`ticket of ${steamId}`, userTicket);
  return { steamTokens: [{ userTicket }] };
}

async function byPassword(): Promise<string> {
  const password = passwords['first'];
  await signIn({ emailAddress, password, intent: 'register' });
  const token = await mailed();
  const verify = { method: 'POST', path: 'account/email/verify', body: { token, password } };
  expect(await call(verify)).toBe(true);
  await call(verify);
  await signIn({ emailAddress, password: passwords['wrong'] });
  await signIn({ emailAddress, passwordHash: derivePassword('of another') });
  await signIn({ emailAddress, password, passwordHash: derivePassword(passwords['second'] ?? '') });
  return (await signIn({ emailAddress, password })).authenticatedSession.apiKey;
}

async function bySecondFactor(session: string): Promise<void> {
  const login = { emailAddress, password: passwords['first'] };
  await call({ key: session, path: 'account/twofactor' });
  const begin = { key: session, path: 'account/twofactor', body: { twoFactorCode: await mailed() } };
  const { secret } = await call(begin);
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now() });
  secrets.set('TOTP secret', secret).set('TOTP bytes', Buffer.from(Secret.fromBase32(secret).bytes));
  const confirm = { key: session, method: 'POST', path: 'account/twofactor', body: { twoFactorCode: code } };
  const { recoveryCodes } = await call(confirm);
  for (const each of recoveryCodes) secrets.set(`recovery ${each}`, each);
  await waitUntil(() => mails.shift(), { what: 'the news of it' });
  await signIn(login);
  for (const twoFactorCode of [code, 'wrong-code-of-mine', recoveryCodes[0]]) {
    await signIn({ ...login, twoFactor: { twoFactorCode, deviceIdentifier, trustThisDevice: true } });
  }
  await signIn({ ...login, metered: true, twoFactor: { twoFactorCode: recoveryCodes[0] } });
}

/** Rows that the end of a sign-in deletes. */
const rowsOfBefore: string[] = [];

/** One setup is completed; for two others only the secret is shown. The completed one deletes them. */
async function bySetUp(): Promise<void> {
  const made = await world.project({ sessions: { requireSecondFactor: true } });
  const login = { emailAddress: 'setter@example.com', password: passwords['second'] };
  const send = (body: object, more: Partial<AuthCall> = {}) => call({ key: made.key, body, ...more });
  await send({ ...login, intent: 'register' });
  const verify = { method: 'POST', path: 'account/email/verify' };
  expect(await send({ token: await mailed(), password: login.password }, verify)).toBe(true);
  // An address receives one mail a minute.
  clock.advance(61_000);
  await send(login);
  const coded = { ...login, linkDecision: { action: 'skip' }, twoFactor: { twoFactorCode: await mailed() } };
  for (const more of [{}, { tokens: { deviceTestTokens: [{ deviceId: 'another exchange' }] } }]) {
    const asked = await send({ ...coded, ...more });
    secrets.set(`set up ${secrets.size}`, asked.twoFactorEnrolment.secret);
  }
  const { twoFactorEnrolment } = await send(coded);
  const pending = 'SELECT t::text AS row FROM auth.enrolments t';
  rowsOfBefore.push(...(await world.db.query<{ row: string }>(pending)).map(({ row }) => row));
  const totp = new TOTP({ secret: Secret.fromBase32(twoFactorEnrolment.secret) });
  await send({ ...login, twoFactor: { twoFactorCode: 'no-code-of-mine' } });
  const twoFactorCode = totp.generate({ timestamp: clock.now() });
  const { recoveryCodes } = await send({ ...login, twoFactor: { twoFactorCode } });
  for (const each of recoveryCodes) secrets.set(`of set up ${each}`, each);
  await waitUntil(() => mails.shift(), { what: 'the news of it' });
}

async function byTokens(session: string): Promise<void> {
  await call({
    key: session,
    body: { tokens: ticket('76561197960287930'), linkDecision: { action: 'link' } },
  });
  const { issuedDeviceToken } = await signIn({ tokens: { deviceTokens: [{ deviceId: 'new' }] } });
  await signIn({ tokens: { deviceTokens: [issuedDeviceToken] } });
  await signIn({ tokens: { deviceTokens: [{ ...issuedDeviceToken, deviceSecret: 'not-the-secret' }] } });
  for (const mood of ['broken', 'html', 'resetting'] as const) {
    steam.feel(mood);
    await signIn({ tokens: ticket(`7656119796028800${mood.length}`) });
  }
  steam.feel('well');
}

async function byReset(): Promise<string> {
  // An address receives one mail a minute.
  clock.advance(61_000);
  await call({ path: 'password/reset', method: 'POST', body: { emailAddress } });
  const [token, password] = [await mailed(), passwords['reset']];
  for (let time = 0; time < 2; time++) await call({ path: 'password/reset', body: { token, password } });
  const login = { emailAddress, password };
  await signIn({ ...login, twoFactor: { deviceIdentifier } });
  const recovery = [...secrets].filter(([name]) => name.startsWith('recovery ')).at(-1)?.[1];
  const signedIn = await signIn({ ...login, twoFactor: { twoFactorCode: recovery } });
  const { apiKey } = signedIn.authenticatedSession;
  const change = { currentPassword: password, password: passwords['changed'] };
  await call({ key: apiKey, path: 'account/password', body: change });
  await call({ key: apiKey, path: 'account/password', body: change });
  return apiKey;
}

async function byMistake(session: string): Promise<void> {
  const password = passwords['changed'];
  await call({ body: `{"emailAddress":"${emailAddress}","password":"${password}` });
  await call({ body: { emailAddress: { password } } });
  await call({ body: { [password ?? '']: password } });
  await call({ body: { password, tokens: { steamTokens: [{ userTicket: { password } }] } } });
  await call({
    key: passwords['second'] ?? '',
    body: {},
    headers: { 'X-API-Key': 'tk_pub_of_nobody_at_all' },
  });
  await call({ key: session, method: 'GET', path: `session?apiKey=${session}` });
  await call({ key: session, method: 'GET', path: `nothing/${session}` });
  await call({ key: session, method: 'DELETE', path: 'session' });
  await call({ key: session, method: 'GET', path: 'session' });
}

// Invariant (Sign-in): No secret of a complete sign-in appears in a log, an error or a stored row
test('no log, refusal or stored row contains a secret that is sent, issued, mailed or configured', async () => {
  const session = await byPassword();
  await bySecondFactor(session);
  await byTokens(session);
  await bySetUp();
  await byMistake(await byReset());
  await world.db.query('ALTER TABLE auth.identities RENAME TO identities_away', []);
  await signIn({ tokens: ticket('76561197960288999'), emailAddress, password: passwords['changed'] });
  const codes = new Set(refusals.map(({ code }) => code));
  for (const code of [1001, 1003, 2002, 2004, 4001, 4002, 4004, 4005, 7001]) expect(codes).toContain(code);
  const stored = await storedRows();
  const said = [world.log(), JSON.stringify(refusals), ...stored, ...rowsOfBefore].join('\n');
  expect(said).toContain('"msg":"request"');
  const leaked = [...secrets].filter(([, secret]) => formsOf(secret).some((form) => said.includes(form)));
  expect(leaked.map(([name]) => name)).toEqual([]);
  // The event of the security mail has happened.
  expect(stored.filter((row) => row.includes('signIn')).length).toBeGreaterThan(5);
  expect(rowsOfBefore).toHaveLength(3);
  expect(steam.requests.length).toBeGreaterThan(3);
  for (const prefix of ['us-', 'd-', 'mail token', 'ticket', 'recovery', 'set up', 'of set up']) {
    expect([...secrets.keys()].filter((name) => name.startsWith(prefix)).length, prefix).toBeGreaterThan(0);
  }
});

/** Every row of sign-in and of the registry, including audit and policies with the keys of providers. */
async function storedRows(): Promise<string[]> {
  const tables = await world.db.query<{ name: string }>(
    "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname IN ('auth', 'registry')",
  );
  const rows = await Promise.all(
    tables.map(({ name }) => world.db.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`)),
  );
  return rows.flat().map(({ row }) => row);
}

/** Unchanged, and in the forms in which a log could contain it. */
function formsOf(secret: string | Buffer): string[] {
  const bytes = Buffer.from(secret);
  const base64 = bytes.toString('base64');
  const forms = [base64, base64.replace(/=+$/, ''), bytes.toString('base64url'), bytes.toString('hex')];
  if (typeof secret !== 'string') return forms;
  const quoted = JSON.stringify(secret).slice(1, -1);
  return [secret, quoted, JSON.stringify(quoted).slice(1, -1), encodeURIComponent(secret), ...forms];
}
