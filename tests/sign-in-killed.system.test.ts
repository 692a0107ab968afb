import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createRegistry, migrateRegistry } from '@tickrate/registry';
import { findFreePort, freshPostgres, waitUntil } from '@tickrate/testkit';
import { Secret, TOTP } from 'otpauth';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AppProcess, startApp, untilReady } from './event-path/app-process.ts';

const { url } = await freshPostgres();
const mails: string[] = [];
const smtp = new SMTPServer({
  authOptional: true,
  async onData(stream, _session, done) {
    mails.push(Buffer.concat(await stream.toArray()).toString('utf8'));
    done();
  },
});
const emailAddress = 'survivor@example.com';
const password = 'abandoned-quarry-9';
const login = { emailAddress, password };
let port: number;
let key: string;
let auth: AppProcess;

beforeAll(async () => {
  smtp.listen(0, '127.0.0.1');
  await once(smtp.server, 'listening');
  await migrateRegistry(url);
  const registry = createRegistry({ postgresUrl: url, now: Date.now });
  const { id: projectId } = await registry.createProject({ name: 'Kart' });
  const given = { projectId, kind: 'public', comment: '', createdBy: 'test' } as const;
  key = (await registry.createKey(given)).text;
  await registry.close();
  await start();
});
afterAll(async () => {
  auth.signal('SIGKILL');
  await auth.exited;
  await new Promise<void>((resolve) => smtp.close(resolve));
});

async function start(): Promise<void> {
  port = await findFreePort();
  auth = startApp({
    app: 'auth',
    environment: {
      PORT: String(port),
      POSTGRES_URL: url,
      LOG_LEVEL: 'fatal',
      DEVELOPMENT: 'true',
      AUTH_SECRET: 'a secret of tests that is longer than 32 characters',
      SECRETS_KEY: 'a key of tests that is longer than 32 characters',
      SMTP_URL: `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`,
    },
  });
  await untilReady(port);
}

interface Call {
  readonly sender?: string;
  readonly method?: string;
  readonly path?: string;
  readonly body?: object;
}

interface Answer {
  readonly code?: number;
  readonly secret?: string;
  readonly recoveryCodes?: readonly string[];
  readonly authenticatedSession?: { readonly id: string; readonly apiKey: string } | null;
}

async function send({ sender = key, method = 'PUT', path = 'authenticate', body }: Call): Promise<Answer> {
  const answer = await fetch(`http://127.0.0.1:${port}/2018-03-24/${path}`, {
    method,
    headers: { 'X-API-Key': sender, 'Content-Type': 'application/json', Connection: 'close' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return (await answer.json()) as Answer;
}

/** Kills the process as soon as it has answered, and starts another. */
async function killedAfter(answered: Promise<Answer>): Promise<Answer> {
  const answer = await answered;
  auth.signal('SIGKILL');
  expect(await auth.exited).toBe('SIGKILL');
  await start();
  return answer;
}

test('a code that can be used once is spent when the answer is sent, although the process is killed right then', async () => {
  await send({ body: { ...login, intent: 'register' } });
  const mail = await waitUntil(() => mails.at(-1), { what: 'a mail' });
  const token = /Code: (\S+)/.exec(mail ?? '')?.[1];
  const verify = { method: 'POST', path: 'account/email/verify', body: { token, password } };
  expect(await killedAfter(send(verify))).toBe(true);
  expect(await send(verify)).toMatchObject({ code: 4002 });

  const first = await killedAfter(send({ body: login }));
  expect(first.authenticatedSession).toMatchObject({ id: expect.stringMatching(/^us-/) });
  expect((await send({ body: login })).authenticatedSession).toEqual(first.authenticatedSession);

  const sender = first.authenticatedSession?.apiKey ?? '';
  const sent = mails.length;
  expect(await send({ sender, path: 'account/twofactor' })).toMatchObject({ promptForTwoFactorCode: true });
  const setupMail = await waitUntil(() => mails[sent], { what: 'the code of the mail' });
  const mailed = { twoFactorCode: /Code: (\S+)/.exec(setupMail ?? '')?.[1] };
  const { secret } = await send({ sender, path: 'account/twofactor', body: mailed });
  if (!secret) throw new Error('The setup did not begin');
  const twoFactorCode = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  const confirm = { sender, method: 'POST', path: 'account/twofactor', body: { twoFactorCode } };
  const { recoveryCodes } = await killedAfter(send(confirm));
  const spent = await send({ body: { ...login, metered: true, twoFactor: { twoFactorCode } } });
  expect(spent).toMatchObject({ code: 4005 });

  const recovery = { ...login, twoFactor: { twoFactorCode: recoveryCodes?.[0] } };
  const recovered = await killedAfter(send({ body: recovery }));
  expect(recovered.authenticatedSession).toMatchObject({ id: expect.stringMatching(/^us-/) });
  expect((await send({ body: recovery })).authenticatedSession).toEqual(recovered.authenticatedSession);
  expect(await send({ body: { ...recovery, metered: true } })).toMatchObject({ code: 4005 });
});
