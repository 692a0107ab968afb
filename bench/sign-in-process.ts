import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@tickrate/embedded';
import { createRegistry, migrateRegistry } from '@tickrate/registry';
import { findFreePort } from '@tickrate/testkit';
import { Agent, request } from 'undici';
import { startApp, untilReady } from '../tests/event-path/app-process.ts';
import { cpuMs } from './process-usage.ts';

/** The sign-in process and its client. */
export interface SignInProcess {
  /** Returns the body of the answer. Throws on an error. */
  send(method: 'PUT' | 'POST', path: string, body: object): Promise<unknown>;
  /** CPU of sign-in and Postgres so far, in milliseconds. */
  cpuTimes(): readonly [number, number];
}

/** The database of a bench, deleted at its end. */
export interface SignInStore {
  readonly folder: string;
  readonly postgresUrl: string;
  /** Starts sign-in, runs and stops it again. */
  withAuth<T>(run: (auth: SignInProcess) => Promise<T>, options?: AuthOptions): Promise<T>;
}

export interface AuthOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly preload?: URL;
}

export const players = 16;

export async function withSignInStore<T>(run: (store: SignInStore) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'tickrate-bench-'));
  const credentials = { user: 'tickrate', password: 'tickrate', database: 'tickrate', port: 0 };
  const postgres = await startPostgres({ ...credentials, dataDir: join(folder, 'postgres') });
  const key = await createPublicKey(postgres.url);
  const environment = {
    POSTGRES_URL: postgres.url,
    LOG_LEVEL: 'warn',
    DEVELOPMENT: 'true',
    AUTH_SECRET: randomBytes(32).toString('hex'),
    SECRETS_KEY: randomBytes(32).toString('hex'),
    SIGN_IN_RATE_PER_SECOND: '100000',
    SIGN_IN_RATE_PER_HALF_HOUR: '1000000000',
  };
  const server = { key, environment, postgresPid: postgres.pid };
  try {
    return await run({
      folder,
      postgresUrl: postgres.url,
      withAuth: (work, options = {}) => withAuth(server, options, work),
    });
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Server {
  readonly key: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly postgresPid: number;
}

async function withAuth<T>(
  { key, environment, postgresPid }: Server,
  options: AuthOptions,
  run: (auth: SignInProcess) => Promise<T>,
): Promise<T> {
  const port = await findFreePort();
  const app = startApp({
    app: 'auth',
    environment: { ...environment, PORT: String(port), ...options.environment },
    preload: options.preload,
  });
  const agent = new Agent({ connections: players });
  try {
    await untilReady(port);
    return await run({
      cpuTimes: () => [cpuMs(app.pid), cpuMs(postgresPid)],
      async send(method, path, body) {
        const answer = await request(`http://127.0.0.1:${port}/2018-03-24/${path}`, {
          dispatcher: agent,
          method,
          body: JSON.stringify(body),
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
