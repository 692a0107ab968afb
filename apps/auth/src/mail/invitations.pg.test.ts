import { randomUUID } from 'node:crypto';
import { findInvitations, insertInvitation, readAddress, withdrawInvitation } from '@tickrate/accounts';
import { createManualClock, freshPostgres, waitUntil } from '@tickrate/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { authConfig } from '../config.ts';
import { type AuthInstance, type AuthWorld, createAuthWorld } from '../testing/auth-world.ts';
import { createInvitationMails } from './due-mails.ts';
import { createWriteMail, readMailTemplates } from './mail-texts.ts';
import type { Mail } from './mailer.ts';

const { url } = await freshPostgres();
const clock = createManualClock();
const dayMs = 24 * 3_600_000;
const password = 'correct horse battery staple';
const requestedRole = 'builtin:admin';
let world: AuthWorld;
let auth: AuthInstance;

beforeAll(async () => {
  world = await createAuthWorld(url, clock.now);
  // After this first one, only by invitation.
  auth = await world.start();
  const { key } = await world.project();
  const first = { emailAddress: 'first@example.com', password, requestedRole, promptForProject: true };
  expect((await auth.send({ key, body: first })).status).toBe(200);
});
afterAll(() => world.close());

async function invite(projectId: string, emailAddress: string, role = 'analyst'): Promise<string> {
  const id = randomUUID();
  const outcome = await insertInvitation(world.db, {
    id,
    projectId,
    role,
    email: readAddress(emailAddress),
    invitedBy: 'key 1',
    nowMs: clock.now(),
    expiresMs: clock.now() + 3 * dayMs,
  });
  expect(outcome).toMatchObject({ id });
  return id;
}

function withdraw(id: string, projectId: string): Promise<boolean> {
  return withdrawInvitation(world.db, { id, projectId });
}

async function begin(key: string, emailAddress: string, at = auth): Promise<void> {
  const { body } = await at.send({
    key,
    body: { emailAddress, password, requestedRole, intent: 'register' },
  });
  expect(body).toMatchObject({ authenticatedSession: null });
}

async function register(key: string, emailAddress: string): Promise<void> {
  await begin(key, emailAddress);
  const token = await waitUntil(() => world.mailedCode(emailAddress), { what: 'a mail' });
  const body = { token, password };
  expect((await auth.send({ key, method: 'POST', path: 'account/email/verify', body })).body).toBe(true);
}

async function signIn(key: string, emailAddress: string) {
  clock.advance(61_000);
  return (await auth.send({ key, body: { emailAddress, password, requestedRole } })).body;
}

async function roleOf(apiKey: string): Promise<string[]> {
  const rows = await world.db.query<{ scopes: string[] }>(
    "SELECT scopes FROM registry.session_keys WHERE hash = sha256(convert_to($1, 'UTF8'))",
    [apiKey],
  );
  return rows.flatMap(({ scopes }) => scopes);
}

async function countRoles(projectId: string): Promise<number> {
  return (await world.db.query('SELECT FROM auth.members WHERE project_id = $1', [projectId])).length;
}

test('an invited person registers, and administers only that project in that role', async () => {
  const [theirs, other] = [await world.project(), await world.project()];
  await invite(theirs.projectId, 'guest@example.com');
  await register(other.key, 'guest@example.com');
  const { authenticatedSession } = await signIn(theirs.key, 'guest@example.com');
  expect(authenticatedSession).toMatchObject({ projectId: theirs.projectId, role: requestedRole });
  expect(await roleOf(authenticatedSession.apiKey)).toEqual(['role:analyst']);
  expect((await signIn(other.key, 'guest@example.com')).code).toBe(4014);
});

test('an address without a valid invitation gets no mail', async () => {
  const { projectId, key } = await world.project();
  expect(await withdraw(await invite(projectId, 'withdrawn@example.com'), projectId)).toBe(true);
  await invite(projectId, 'late@example.com');
  clock.advance(3 * dayMs + 1);
  const uninvited = ['stranger@example.com', 'withdrawn@example.com', 'late@example.com'];
  const apart = await world.start();
  for (const emailAddress of uninvited) await begin(key, emailAddress, apart);
  // Background work ends with the process.
  await apart.stop();
  for (const emailAddress of uninvited) expect(await world.mailedCode(emailAddress)).toBeNull();
});

test('if registration is closed, an invitation creates no account, but an existing account accepts it', async () => {
  const [before, { projectId, key }] = [await world.project(), await world.project()];
  await invite(before.projectId, 'member@example.com');
  await register(before.key, 'member@example.com');
  const closed = await world.start({ adminSignup: 'closed' });
  await invite(projectId, 'nobody@example.com');
  const body = { emailAddress: 'nobody@example.com', password, requestedRole, intent: 'register' };
  expect((await closed.send({ key, body })).body.code).toBe(4007);
  await invite(projectId, 'member@example.com', 'viewer');
  const signIn = { emailAddress: 'member@example.com', password, requestedRole };
  const { authenticatedSession } = (await closed.send({ key, body: signIn })).body;
  expect(await roleOf(authenticatedSession.apiKey)).toEqual(['role:viewer']);
});

test('an unproven address accepts no invitation', async () => {
  const { projectId, key } = await world.project();
  await invite(projectId, 'first@example.com');
  expect((await signIn(key, 'first@example.com')).code).toBe(4014);
});

test('an invitation is valid once: after a removal of the role only a new one grants it again', async () => {
  const { projectId, key } = await world.project();
  const emailAddress = 'once@example.com';
  const id = await invite(projectId, emailAddress);
  await register(key, emailAddress);
  const at = { key, body: { emailAddress, password, requestedRole } };
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      auth.send({ ...at, body: { ...at.body, registration: { locale: `en-x-l${n}` } } }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(await countRoles(projectId)).toBe(1);
  expect(await withdraw(id, projectId)).toBe(false);
  await world.db.query('DELETE FROM auth.members WHERE project_id = $1', [projectId]);
  expect((await signIn(key, emailAddress)).code).toBe(4014);
  await invite(projectId, emailAddress, 'admin');
  const { authenticatedSession } = await signIn(key, emailAddress);
  expect(await roleOf(authenticatedSession.apiKey)).toEqual(['role:admin']);
});

test('an invitation can be withdrawn only by its project, and grants only administrative roles', async () => {
  const [mine, theirs] = [await world.project(), await world.project()];
  const id = await invite(theirs.projectId, 'kept@example.com');
  expect(await withdraw(id, mine.projectId)).toBe(false);
  await expect(invite(mine.projectId, 'kept@example.com', 'builtin:admin')).rejects.toThrow('role');
});

test('an invitation is mailed once, and retried if the mail server rejects it', async () => {
  const { projectId } = await world.project();
  const emailAddress = 'mailed@example.com';
  const apart = createManualClock(clock.now() + 40 * dayMs);
  const nowMs = apart.now();
  await insertInvitation(world.db, {
    id: randomUUID(),
    projectId,
    role: 'viewer',
    invitedBy: 'key 1',
    email: readAddress(emailAddress),
    nowMs,
    expiresMs: nowMs + 3 * dayMs,
  });
  const sent: Mail[] = [];
  let isAway = true;
  const faults: unknown[] = [];
  const mails = createInvitationMails({
    accounts: { ...world.accounts, now: apart.now },
    write: createWriteMail(readMailTemplates(null).templates),
    send: async (mail) => {
      if (isAway) throw new Error('away');
      sent.push(mail);
    },
    onFault: (error) => faults.push(error),
    consoleUrl: 'https://console.example/',
  });
  const states = () =>
    findInvitations(world.db, { projectId, after: null, limit: 9 }).then((all) =>
      all.map(({ mailedMs }) => mailedMs),
    );
  await mails.deliver();
  isAway = false;
  await mails.deliver();
  expect([faults.length, sent.length, await states()]).toEqual([1, 0, [null]]);
  apart.advance(60_000);
  await Promise.all([mails.deliver(), mails.deliver()]);
  apart.advance(dayMs);
  await mails.deliver();
  expect(sent).toEqual([
    {
      realm: projectId,
      accountId: null,
      to: emailAddress,
      subject: 'You are invited to Kart',
      text: expect.stringMatching(
        /^Tickrate invites you .*"Kart", as viewer[\s\S]*\nhttps:\/\/console\.example\/sign-in\?invited=mailed%40example\.com&project=Kart&role=viewer\n/,
      ),
    },
  ]);
  expect(await states()).toEqual([nowMs + 60_000]);
});

test("an invitation names who sends it, and is written in that administrator's language", async () => {
  const { projectId } = await world.project();
  const [kim] = await world.db.query<{ id: string }>(
    "UPDATE auth.accounts SET locale = 'de-AT', email_verified = now() WHERE email_folded = 'first@example.com' RETURNING id",
  );
  // In the future: the running auth sends what is due for it.
  const nowMs = clock.now() + 40 * dayMs;
  await insertInvitation(world.db, {
    ...{ id: randomUUID(), projectId, role: 'viewer', nowMs, expiresMs: nowMs + dayMs },
    ...{ email: readAddress('neu@example.com'), invitedBy: kim?.id ?? '' },
  });
  const sent: Mail[] = [];
  const mails = createInvitationMails({
    accounts: { ...world.accounts, now: () => nowMs },
    write: createWriteMail(readMailTemplates(null).templates),
    send: async (mail) => void sent.push(mail),
    onFault: () => undefined,
    consoleUrl: 'https://console.example',
  });
  await mails.deliver();
  const mail = sent.find(({ to }) => to === 'neu@example.com');
  expect(mail?.subject).toBe('Du bist zu Kart eingeladen');
  expect(mail?.text).toContain('first@example.com lädt dich');
  expect(mail?.text).toContain('\nhttps://console.example/sign-in?invited=neu%40example.com&project=');
});

test('by default no stranger with a public key becomes the first administrator', async () => {
  const { url: fresh } = await freshPostgres();
  const apart = await createAuthWorld(fresh, clock.now);
  try {
    const { adminSignup } = authConfig.parse({
      POSTGRES_URL: fresh,
      AUTH_SECRET: 'a'.repeat(32),
      SECRETS_KEY: 'b'.repeat(32),
    });
    const one = await apart.start({ adminSignup });
    const { key, projectId } = await apart.project();
    const emailAddress = 'stranger@example.com';
    const body = { emailAddress, password, requestedRole, promptForProject: true };
    for (const intent of [undefined, 'register'])
      expect(
        (await one.send({ key, body: { ...body, intent } })).body.authenticatedSession ?? null,
      ).toBeNull();
    expect(await apart.db.query("SELECT FROM auth.accounts WHERE realm = 'installation'")).toEqual([]);
    expect(projectId).toMatch(/^p-/);
  } finally {
    await apart.close();
  }
});
