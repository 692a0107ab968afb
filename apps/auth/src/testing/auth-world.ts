import { randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import type { Accounts, Database } from '@tickrate/accounts';
import { createRecordId } from '@tickrate/contract';
import { createKeyedLock, createSecretBox, createSecretBoxOf } from '@tickrate/platform';
import { createPostgres } from '@tickrate/postgres';
import { createRegistry, migrateRegistry, type Registry } from '@tickrate/registry';
import { createAnswerCheck, freshPostgres } from '@tickrate/testkit';
import { afterAll } from 'vitest';
import { createAuth } from '../app.ts';
import { type AuthValues, authConfig } from '../config.ts';
import { createSessionDocument } from '../document/session-document.ts';
import { createKeyring } from '../keyring.ts';
import { createPasswordHasher } from '../passwords/password-hasher.ts';

/** The process of sign-in in a test: an instance, a project with its key, and the store. */
export interface AuthWorld {
  readonly registry: Registry;
  readonly db: Database;
  /** With the keys of all instances. */
  readonly accounts: Accounts;
  /** All log lines of all instances. */
  log(): string;
  start(values?: Partial<AuthValues>): Promise<AuthInstance>;
  project(options?: ProjectOptions): Promise<{ readonly projectId: string; readonly key: string }>;
  /** The code of the latest mail to the address. */
  mailedCode(to: string): Promise<string | null>;
  mailedCodes(to: string): Promise<string[]>;
  close(): Promise<void>;
}

export interface ProjectOptions {
  readonly testMode?: boolean;
  readonly sessions?: object;
  readonly providers?: object;
}

export interface AuthInstance {
  readonly url: string;
  send(call: AuthCall): Promise<AuthAnswer>;
  stop(): Promise<void>;
}

export interface AuthCall {
  readonly key?: string;
  readonly method?: string;
  /** The version in the path. The default is the dated one. */
  readonly version?: string;
  readonly path?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by tests, which state their shapes
export type AnswerBody = any;

export interface AuthAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: AnswerBody;
}

const secret = 'a secret of tests that is longer than 32 characters';
const secretsKey = 'a key of tests that is longer than 32 characters';
const sealer = createSecretBoxOf(secretsKey);

function valuesFor(postgresUrl: string): AuthValues {
  const secrets = { AUTH_SECRET: secret, SECRETS_KEY: secretsKey };
  const parsed = authConfig.parse({ POSTGRES_URL: postgresUrl, ...secrets, PORT: '0', LOG_LEVEL: 'trace' });
  return { ...parsed, adminSignup: 'first', ratePerSecond: 100_000, ratePerHalfHour: 1_000_000 };
}

// Invariant (HTTP): Every answer in the tests of the three APIs matches the OpenAPI document, and every
// example in it works

/** Every call of the session API. */
export const { operations: sessionOperations } = createAuth(valuesFor('postgres://127.0.0.1:1/nothing'), {
  logDestination: { write: () => undefined },
});
const checkAnswer = createAnswerCheck(createSessionDocument(sessionOperations));

interface WorldOptions {
  readonly now?: () => number;
  /** Settings of the first instance. */
  readonly values?: Partial<AuthValues>;
}

/** The world of a test file with a new database: one instance, and the key of one project. Closed after the tests. */
export async function startAuthWorld({ now, values }: WorldOptions = {}) {
  const { url } = await freshPostgres();
  const world = await createAuthWorld(url, now);
  afterAll(() => world.close());
  const auth = await world.start(values);
  const { key } = await world.project();
  return { world, auth, key, url };
}

export async function createAuthWorld(postgresUrl: string, now: () => number = Date.now): Promise<AuthWorld> {
  await migrateRegistry(postgresUrl);
  const registry = createRegistry({ postgresUrl, now, sealer });
  const db = createPostgres({ postgresUrl, maxConnections: 2, onFault: () => undefined });
  const keyring = createKeyring(secret);
  const costs = { memoryKiB: 19_456, passes: 2, atOnce: 1, queueLimit: 9 };
  const hasher = createPasswordHasher({ pepper: keyring.pepper, ...costs });
  const accounts: Accounts = {
    db,
    keyring,
    now,
    randomBytes,
    box: createSecretBox(keyring.boxKey),
    newId: () => createRecordId(now(), randomBytes),
    verifyPassword: hasher.verify,
    passwordLock: createKeyedLock(),
  };
  const instances: AuthInstance[] = [];
  const lines: string[] = [];

  return {
    registry,
    db,
    accounts,
    log: () => lines.join(''),
    async start(given = {}) {
      const values = { ...valuesFor(postgresUrl), ...given };
      const auth = createAuth(values, { now, logDestination: { write: (line) => lines.push(line) } });
      for (const component of auth.components) await component.start?.();
      const instance = instanceOf(auth.server.url(), async () => {
        for (const component of auth.components.toReversed()) await component.drain?.();
        for (const component of auth.components.toReversed()) await component.stop?.();
      });
      instances.push(instance);
      return instance;
    },
    async project({ testMode = true, sessions, providers } = {}) {
      const { id: projectId } = await registry.createProject({ name: 'Kart', testMode });
      const { text: key } = await registry.createKey({
        projectId,
        kind: 'public',
        comment: '',
        createdBy: 'test',
      });
      for (const [name, value] of Object.entries({ sessions, providers })) {
        if (value) await registry.setPolicy({ projectId, name, value });
      }
      return { projectId, key };
    },
    mailedCode: async (to) => (await mailedCodes(db, to))[0] ?? null,
    mailedCodes: (to) => mailedCodes(db, to),
    async close() {
      await Promise.all(instances.map((instance) => instance.stop()));
      await registry.close();
      await hasher.close();
      await db.close();
    },
  };
}

async function mailedCodes(db: Database, to: string): Promise<string[]> {
  const sql = 'SELECT body FROM auth.outbox WHERE recipient = $1 ORDER BY id DESC LIMIT 20';
  const mails = await db.query<{ body: Buffer }>(sql, [to]);
  return mails.flatMap(({ body }) => /Code: (\S+)/.exec(sealer.open(body, 'outbox'))?.[1] ?? []);
}

function instanceOf(url: string, end: () => Promise<void>): AuthInstance {
  let stopped: Promise<void> | null = null;
  return {
    url,
    stop() {
      stopped ??= end();
      return stopped;
    },
    send({ key, method = 'PUT', version = '2018-03-24', path = 'authenticate', body, headers = {} }) {
      const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
      const { promise, resolve, reject } = Promise.withResolvers<AuthAnswer>();
      const request = httpRequest(`${url}/${version}/${path}`, {
        method,
        agent: false,
        headers: {
          ...(key && { 'X-API-Key': key }),
          ...(text && { 'Content-Type': 'application/json' }),
          ...headers,
        },
      });
      request.on('error', reject);
      request.on('response', (response) => {
        response.on('error', reject);
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const answered = Buffer.concat(chunks).toString();
          const { statusCode: status = 0, headers: given } = response;
          try {
            const body = answered === '' ? null : JSON.parse(answered);
            // Every answer of auth must match its document.
            const contentType = given['content-type'];
            checkAnswer({ method, path: `/${version}/${path}`, status, contentType, body });
            resolve({ status, headers: given, body });
          } catch (error) {
            reject(error);
          }
        });
      });
      request.end(text);
      return promise;
    },
  };
}
