import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startClickHouse, startPostgres } from '@tickrate/embedded';
import { findFreePort } from '@tickrate/testkit';
import { startApp, untilReady } from '../tests/event-path/app-process.ts';
import { createSendingProject, migrateStores } from '../tests/event-path/prepare-stores.ts';
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
  await migrateStores({ postgresUrl: postgres.url, clickhouseUrl: clickhouse.url });
  const project = await createSendingProject(postgres.url, sampleType);
  const gatewayPort = await findFreePort();
  const environment = {
    POSTGRES_URL: postgres.url,
    CLICKHOUSE_URL: clickhouse.url,
    QUEUE_URL: queue === 'postgres' ? postgres.url : queue.redisUrl,
    LOG_LEVEL: 'warn',
    RATE_PER_ADDRESS: '0',
    RATE_PER_KEY: '0',
    RATE_PER_PROJECT: '0',
  };
  const launch = async (app: 'gateway' | 'worker', port: number) => {
    const process = startApp({ app, environment: { ...environment, PORT: String(port) } });
    stops.push(async () => {
      process.signal('SIGTERM');
      await process.exited;
    });
    await untilReady(port);
    return process;
  };
  const gateway = await launch('gateway', gatewayPort);
  if (worker) await launch('worker', await findFreePort());
  return {
    gatewayPort,
    gatewayPid: gateway.pid,
    postgresUrl: postgres.url,
    clickhouseUrl: clickhouse.url,
    ...project,
    stop: async () => {
      for (const stop of stops.reverse()) await stop();
    },
  };
}
