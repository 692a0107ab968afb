import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@tickrate/embedded';
import { createRegistry, migrateRegistry } from '@tickrate/registry';
import { findFreePort, waitUntil } from '@tickrate/testkit';
import { SMTPServer } from 'smtp-server';
import { Agent, request } from 'undici';
import { startApp, untilReady } from '../tests/event-path/app-process.ts';
import type { Bench, Round } from './bench.ts';
import { runBareArgon2 } from './drive.ts';
import { cpuMs } from './process-usage.ts';

const rounds = 7;
const players = 16;
const warmupMs = 2_000;
const measureMs = 2_500;

/** Each of the players signs in again and again, one time after the other. */
export const authPassword: Bench = {
  name: 'auth.password',
  unit: 'sign-ins/s',
  against: 'bare Argon2id with the same parameters, as many at once',
  target: 0.85,
  better: 'higher',
  run: (report) =>
    onAuth(async ({ send, mailedCode, cpuTimes }) => {
      const addresses = Array.from({ length: players }, (_, each) => `player${each}@example.com`);
      for (const address of addresses) await register(send, mailedCode, address);
      await signInsASecond(send, addresses, warmupMs);
      const taken: Round[] = [];
      for (let round = 1; round <= rounds; round++) {
        const limit = await runBareArgon2(measureMs);
        const before = cpuTimes();
        const started = performance.now();
        const value = await signInsASecond(send, addresses, measureMs);
        const signIns = (value * (performance.now() - started)) / 1000;
        const [ours, postgres] = cpuTimes().map((ms, at) => ((ms - (before[at] ?? 0)) / signIns).toFixed(1));
        report(
          `round ${round}: ${value.toFixed(1)} sign-ins/s, bare ${limit.toFixed(1)} hashes/s; CPU a sign-in ${ours} ms, Postgres ${postgres} ms`,
        );
        taken.push({ value, limit });
      }
      return taken;
    }),
};

interface Auth {
  /** The answer's body. Throws when it is a refusal. */
  send(method: 'PUT' | 'POST', path: string, body: object): Promise<unknown>;
  mailedCode(to: string): Promise<string>;
  /** What sign-in and Postgres have used so far, in milliseconds. */
  cpuTimes(): readonly number[];
}

const password = 'abandoned-quarry-9';

async function register(
  send: Auth['send'],
  mailedCode: Auth['mailedCode'],
  emailAddress: string,
): Promise<void> {
  await send('PUT', 'authenticate', { emailAddress, password, intent: 'register' });
  const token = await mailedCode(emailAddress);
  await send('POST', 'account/email/verify', { token, password });
}

async function signInsASecond(
  send: Auth['send'],
  addresses: readonly string[],
  forMs: number,
): Promise<number> {
  const started = performance.now();
  let signIns = 0;
  const signInAgain = async (emailAddress: string) => {
    while (performance.now() - started < forMs) {
      // What differs makes each a sign-in of its own: the same request would be answered with the same session.
      const twoFactor = { deviceIdentifierFriendlyName: `sign-in ${randomBytes(8).toString('hex')}` };
      const answer = await send('PUT', 'authenticate', { emailAddress, password, twoFactor });
      const { authenticatedSession } = answer as { readonly authenticatedSession: object | null };
      if (authenticatedSession === null) throw new Error('A sign-in gave no session');
      signIns++;
    }
  };
  await Promise.all(addresses.map(signInAgain));
  return signIns / ((performance.now() - started) / 1000);
}

/** The process of sign-in on a database that is thrown away, and the mails that it sends. */
async function onAuth<T>(run: (auth: Auth) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'tickrate-bench-'));
  const credentials = { user: 'tickrate', password: 'tickrate', database: 'tickrate', port: 0 };
  const postgres = await startPostgres({ ...credentials, dataDir: join(folder, 'postgres') });
  const mails = await receiveMails();
  const key = await createPublicKey(postgres.url);
  const port = await findFreePort();
  const environment = {
    ...{ PORT: String(port), POSTGRES_URL: postgres.url, LOG_LEVEL: 'warn', DEVELOPMENT: 'true' },
    ...{
      AUTH_SECRET: randomBytes(32).toString('hex'),
      SECRETS_KEY: randomBytes(32).toString('hex'),
      SMTP_URL: mails.url,
    },
    ...{ SIGN_IN_RATE_PER_SECOND: '100000', SIGN_IN_RATE_PER_HALF_HOUR: '1000000000' },
  };
  const app = startApp({ app: 'auth', environment });
  const agent = new Agent({ connections: players });
  try {
    await untilReady(port);
    return await run({
      mailedCode: mails.codeTo,
      cpuTimes: () => [cpuMs(app.pid), cpuMs(postgres.pid)],
      async send(method, path, body) {
        const answer = await request(`http://127.0.0.1:${port}/2018-03-24/${path}`, {
          ...{ dispatcher: agent, method, body: JSON.stringify(body) },
          headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
        });
        const text = await answer.body.text();
        if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}: ${text}`);
        return JSON.parse(text);
      },
    });
  } finally {
    await agent.close();
    app.signal('SIGTERM');
    await app.exited;
    await mails.stop();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function createPublicKey(postgresUrl: string): Promise<string> {
  await migrateRegistry(postgresUrl);
  const registry = createRegistry({ postgresUrl, now: Date.now });
  const { id: projectId } = await registry.createProject({ name: 'Kart' });
  const made = await registry.createKey({ projectId, kind: 'public', comment: '', createdBy: 'the bench' });
  await registry.close();
  return made.text;
}

async function receiveMails() {
  const mails: string[] = [];
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    async onData(stream, _session, done) {
      mails.push(Buffer.concat(await stream.toArray()).toString('utf8'));
      done();
    },
  });
  smtp.listen(0, '127.0.0.1');
  await once(smtp.server, 'listening');
  const { port } = smtp.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    async codeTo(address: string): Promise<string> {
      const found = await waitUntil(() => mails.find((mail) => mail.includes(address)), { what: 'a mail' });
      return /Code: (\S+)/.exec(found ?? '')?.[1] ?? '';
    },
    stop: () => new Promise<void>((resolve) => smtp.close(() => resolve())),
  };
}
