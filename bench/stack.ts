import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedServer, startClickHouse, startPostgres } from '@tickrate/embedded';
import { migrateLedger } from '@tickrate/pipeline';
import { createRegistry, migrateRegistry } from '@tickrate/registry';
import { createWarehouse } from '@tickrate/warehouse';
import { sampleType } from './sample-events.ts';

/** The event path as processes of its own, on data that is thrown away. */
export interface Stack {
  readonly gatewayPort: number;
  readonly gatewayPid: number;
  readonly postgresUrl: string;
  readonly clickhouseUrl: string;
  readonly projectId: string;
  readonly apiKey: string;
  stop(): Promise<void>;
}

export interface StackOptions {
  readonly queue: 'postgres' | { readonly redisUrl: string };
  readonly worker: boolean;
}

export async function startStack({ queue, worker }: StackOptions): Promise<Stack> {
  const folder = await mkdtemp(join(tmpdir(), 'tickrate-bench-'));
  const credentials = {
    user: 'tickrate',
    password: randomBytes(12).toString('hex'),
    database: 'tickrate',
    port: 0,
  };
  const stops: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })];
  const postgres = await startPostgres({ ...credentials, dataDir: join(folder, 'postgres') });
  stops.push(() => postgres.stop());
  const clickhouse = await startClickHouse({ ...credentials, dataDir: join(folder, 'clickhouse') });
  stops.push(() => clickhouse.stop());
  const project = await prepare(postgres, clickhouse);
  const gatewayPort = await freePort();
  const environment = {
    POSTGRES_URL: postgres.url,
    CLICKHOUSE_URL: clickhouse.url,
    QUEUE_URL: queue === 'postgres' ? postgres.url : queue.redisUrl,
    LOG_LEVEL: 'warn',
    RATE_PER_ADDRESS: '0',
    RATE_PER_KEY: '0',
    RATE_PER_PROJECT: '0',
  };
  const gateway = startApp('gateway', { ...environment, PORT: String(gatewayPort) });
  stops.push(() => stopApp(gateway));
  await ready(gatewayPort);
  if (worker) {
    const workerPort = await freePort();
    const process = startApp('worker', { ...environment, PORT: String(workerPort) });
    stops.push(() => stopApp(process));
    await ready(workerPort);
  }
  return {
    gatewayPort,
    gatewayPid: gateway.pid ?? 0,
    postgresUrl: postgres.url,
    clickhouseUrl: clickhouse.url,
    ...project,
    stop: async () => {
      for (const stop of stops.reverse()) await stop();
    },
  };
}

async function prepare(postgres: EmbeddedServer, clickhouse: EmbeddedServer) {
  await migrateRegistry(postgres.url);
  await migrateLedger(postgres.url);
  const warehouse = createWarehouse({ clickhouseUrl: clickhouse.url });
  await warehouse.migrate();
  await warehouse.close();
  const registry = createRegistry({ postgresUrl: postgres.url, now: Date.now, randomBytes, onFault: raise });
  const project = await registry.createProject({ name: 'Bench' });
  const { text } = await registry.createKey({
    projectId: project.id,
    kind: 'administrative',
    comment: 'bench',
    createdBy: 'bench',
  });
  await registry.declareEventType({
    projectId: project.id,
    name: sampleType.name,
    declaration: sampleType.declaration,
  });
  await registry.close();
  return { projectId: project.id, apiKey: text };
}

function startApp(name: string, environment: Record<string, string>): ChildProcess {
  const main = join(import.meta.dirname, '..', 'apps', name, 'src', 'main.ts');
  return spawn(process.execPath, [main], {
    env: { ...environment, PATH: process.env['PATH'] },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

async function stopApp(app: ChildProcess): Promise<void> {
  if (app.exitCode !== null || app.signalCode !== null) return;
  const ended = once(app, 'exit');
  app.kill('SIGTERM');
  await ended;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}

async function ready(port: number): Promise<void> {
  const deadline = performance.now() + 30_000;
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => null);
    if (answer?.status === 200) return;
    if (performance.now() > deadline) throw new Error(`nothing became ready on port ${port}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function raise(error: unknown): never {
  throw error;
}
