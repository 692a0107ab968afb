import { type Database, migrateAuth } from '@tickrate/accounts';
import type { JsonObject, Operation } from '@tickrate/contract';
import { migrateLedger } from '@tickrate/pipeline';
import { createPostgres } from '@tickrate/postgres';
import { createRegistry, migrateRegistry, type Registry } from '@tickrate/registry';
import { createAnswerCheck, freshClickHouse, freshPostgres } from '@tickrate/testkit';
import { createWarehouse } from '@tickrate/warehouse';
import { afterAll } from 'vitest';
import { createConsole } from '../app.ts';
import { type ConsoleValues, consoleConfig } from '../config.ts';
import { createManagementDocument } from '../server/management-document.ts';

/** A complete console on a real database for a test file, with projects and keys. */
export interface ConsoleWorld {
  readonly url: string;
  readonly document: JsonObject;
  readonly operations: readonly Operation[];
  readonly registry: Registry;
  readonly accounts: Database;
  log(): string;
  /** Creates a project and an administrative key with these scopes. The default is all scopes. */
  project(scopes?: readonly string[]): Promise<ManagedProject>;
  send(call: ConsoleCall): Promise<ConsoleAnswer>;
  close(): Promise<void>;
}

export interface ManagedProject {
  readonly projectId: string;
  readonly key: string;
  readonly keyId: string;
}

export interface ConsoleCall {
  readonly method?: string;
  readonly path: string;
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text is sent unchanged. Any other value is sent as JSON. */
  readonly body?: unknown;
}

export interface ConsoleAnswer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: these tests check what a client decodes
  readonly body: any;
}

export interface ConsoleTools {
  readonly postgresUrl: string;
  readonly clickhouse?: { readonly url: string; readonly database: string };
  readonly values?: Partial<ConsoleValues>;
}

// Invariant (HTTP): Every answer in the tests of the three APIs matches the OpenAPI document, and every
// example in it works
export const secretsKey = 'a key of tests that is longer than 32 characters';

/** A world on a new database, closed after the tests of the file. */
export async function startConsoleWorld(values: Partial<ConsoleValues> = {}) {
  const { url: postgresUrl } = await freshPostgres();
  const world = await createConsoleWorld({ postgresUrl, values });
  afterAll(() => world.close());
  return { world, postgresUrl };
}

/** The same with ClickHouse, which has the tables of the product. */
export async function startStoredWorld(values: Partial<ConsoleValues> = {}) {
  const { url: postgresUrl } = await freshPostgres();
  const clickhouse = await freshClickHouse();
  const warehouse = createWarehouse({ clickhouseUrl: clickhouse.url, database: clickhouse.database });
  await warehouse.migrate();
  const world = await createConsoleWorld({ postgresUrl, clickhouse, values });
  afterAll(async () => {
    await world.close();
    await warehouse.close();
  });
  return { world, postgresUrl, clickhouse, warehouse };
}

export async function createConsoleWorld(tools: ConsoleTools): Promise<ConsoleWorld> {
  const { postgresUrl } = tools;
  await migrateRegistry(postgresUrl);
  await migrateLedger(postgresUrl);
  await migrateAuth(postgresUrl);
  const registry = createRegistry({ postgresUrl, now: Date.now });
  const accounts = createPostgres({ postgresUrl, maxConnections: 4, onFault: () => undefined });
  const lines: string[] = [];
  const running = createConsole(valuesOf(tools), { logDestination: { write: (line) => lines.push(line) } });
  for (const component of running.components) await component.start?.();
  const url = running.server.url();
  const document = createManagementDocument(running.operations);
  const check = createAnswerCheck(document);
  return {
    url,
    document,
    operations: running.operations,
    registry,
    accounts,
    log: () => lines.join(''),
    async project(scopes = ['all:write', 'personal:read']) {
      const { id: projectId } = await registry.createProject({ name: 'Kart' });
      const { text, key } = await registry.createKey({
        projectId,
        kind: 'administrative',
        comment: 'tests',
        createdBy: 'test',
        scopes,
      });
      return { projectId, key: text, keyId: key.id };
    },
    async send(call) {
      const answer = await send(url, call);
      check({
        method: call.method ?? 'GET',
        path: call.path,
        status: answer.status,
        contentType: answer.headers.get('content-type') ?? undefined,
        body: answer.body,
      });
      return answer;
    },
    async close() {
      for (const component of running.components.toReversed()) await component.drain?.();
      for (const component of running.components.toReversed()) await component.stop?.();
      await registry.close();
      await accounts.close();
    },
  };
}

function valuesOf({ postgresUrl, clickhouse, values }: ConsoleTools): ConsoleValues {
  const environment = {
    POSTGRES_URL: postgresUrl,
    QUEUE_URL: postgresUrl,
    SECRETS_KEY: secretsKey,
    CLICKHOUSE_URL: clickhouse?.url ?? 'http://127.0.0.1:9',
    CLICKHOUSE_DATABASE: clickhouse?.database ?? 'tickrate',
    PORT: '0',
    LOG_LEVEL: 'trace',
  };
  return { ...consoleConfig.parse(environment), rateOfAddress: 0, rateOfKey: 0, ...values };
}

async function send(url: string, call: ConsoleCall): Promise<ConsoleAnswer> {
  const { method = 'GET', path, key, headers = {}, body } = call;
  const answer = await fetch(url + path, {
    method,
    headers: {
      Connection: 'close',
      ...(key !== undefined && { 'X-API-Key': key }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  const isJson = /^application\/(?:problem\+)?json\b/.test(answer.headers.get('content-type') ?? '');
  return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(text) : text };
}
