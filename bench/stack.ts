import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startClickHouse, startPostgres } from '@tickrate/embedded';
import { findFreePort, startRedisServer } from '@tickrate/testkit';
import { startApp, untilReady } from '../tests/event-path/app-process.ts';
import { createSendingProject, migrateStores } from '../tests/event-path/prepare-stores.ts';
import { createOpened, type Opened } from './opened.ts';
import { sampleType } from './sample-events.ts';
import { type StoredEvents, watchStoredEvents } from './stored-events.ts';

/** The event path as separate processes, on temporary data. */
export interface Stack {
  readonly gatewayPort: number;
  readonly pids: Readonly<Record<'gateway' | 'postgres' | 'clickhouse', number>>;
  /** Of the queue; null if it is in PostgreSQL. */
  readonly redisPid: number | null;
  readonly postgresUrl: string;
  readonly queueUrl: string;
  readonly clickhouseUrl: string;
  readonly projectId: string;
  readonly apiKey: string;
  startWorker(): Promise<RunningApp>;
  /** Another gateway, on its own port. */
  startGateway(): Promise<RunningApp & { readonly port: number }>;
  /** A second gateway with empty caches. */
  restartGateway(): Promise<void>;
  stop(): Promise<void>;
}

export interface RunningApp {
  readonly pid: number;
  freeze(): void;
  resume(): void;
  stop(): Promise<void>;
}

export type QueueKind = 'postgres' | 'redis';

export async function startStack(queue: QueueKind): Promise<Stack> {
  const opened = createOpened();
  try {
    return await openStack(queue, opened);
  } catch (fault) {
    await opened.close().catch(() => undefined);
    throw fault;
  }
}

async function openStack(queue: QueueKind, opened: Opened): Promise<Stack> {
  const folder = await mkdtemp(join(tmpdir(), 'tickrate-bench-'));
  opened.add(() => rm(folder, { recursive: true, force: true }));
  const { postgres, clickhouse } = await startDatabases(folder, opened);
  await migrateStores({ postgresUrl: postgres.url, clickhouseUrl: clickhouse.url });
  const redis = queue === 'redis' ? await startRedis(opened) : null;
  const queueUrl = redis?.url ?? postgres.url;
  const project = await createSendingProject(postgres.url, sampleType);
  const gatewayPort = await findFreePort();
  const apps = createLauncher({
    POSTGRES_URL: postgres.url,
    CLICKHOUSE_URL: clickhouse.url,
    QUEUE_URL: queueUrl,
    LOG_LEVEL: 'warn',
    RATE_PER_ADDRESS: '0',
    RATE_PER_KEY: '0',
    RATE_PER_PROJECT: '0',
  });
  opened.add(() => apps.stop());
  const pids = { gateway: 0, postgres: postgres.pid, clickhouse: clickhouse.pid };
  let gateway = await apps.launch('gateway', gatewayPort);
  pids.gateway = gateway.pid;
  return {
    gatewayPort,
    pids,
    redisPid: redis?.pid() ?? null,
    postgresUrl: postgres.url,
    queueUrl,
    clickhouseUrl: clickhouse.url,
    ...project,
    startWorker: async () => apps.launch('worker', await findFreePort()),
    async startGateway() {
      const port = await findFreePort();
      return { ...(await apps.launch('gateway', port)), port };
    },
    async restartGateway() {
      await gateway.stop();
      gateway = await apps.launch('gateway', gatewayPort);
      pids.gateway = gateway.pid;
    },
    stop: () => opened.close(),
  };
}

async function startDatabases(folder: string, opened: Opened) {
  const credentials = {
    user: 'tickrate',
    password: randomBytes(12).toString('hex'),
    database: 'tickrate',
    port: 0,
  };
  const postgres = await startPostgres({ ...credentials, dataDir: join(folder, 'postgres') });
  opened.add(() => postgres.stop());
  const clickhouse = await startClickHouse({ ...credentials, dataDir: join(folder, 'clickhouse') });
  opened.add(() => clickhouse.stop());
  return { postgres, clickhouse };
}

/** As durable as PostgreSQL: each write is on disk before it is confirmed. */
async function startRedis(opened: Opened) {
  const server = await startRedisServer({ settings: { appendfsync: 'always' } });
  opened.add(() => server.stop());
  return server;
}

function createLauncher(environment: Readonly<Record<string, string>>) {
  const running = new Set<RunningApp>();
  return {
    async launch(app: 'gateway' | 'worker', port: number): Promise<RunningApp> {
      const process = startApp({ app, environment: { ...environment, PORT: String(port) } });
      const launched = {
        pid: process.pid,
        freeze: () => process.signal('SIGSTOP'),
        resume: () => process.signal('SIGCONT'),
        stop: async () => {
          running.delete(launched);
          process.signal('SIGCONT');
          process.signal('SIGTERM');
          await process.exited;
        },
      };
      running.add(launched);
      await untilReady(port);
      return launched;
    },
    stop: () => Promise.all([...running].map((app) => app.stop())),
  };
}

/** Runs on a stack and always takes it down. */
export async function onStack<T>(
  run: (stack: Stack, stored: StoredEvents) => Promise<T>,
  queue: QueueKind = 'postgres',
): Promise<T> {
  const stack = await startStack(queue);
  try {
    const stored = watchStoredEvents(stack.clickhouseUrl);
    return await run(stack, stored).finally(() => stored.close());
  } finally {
    await stack.stop();
  }
}
