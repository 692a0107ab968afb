import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startClickHouseServer, startPostgresServer, startRedisServer } from '@tickrate/testkit';
import { migrateStores } from '../event-path/prepare-stores.ts';
import type { Backend } from '../faults/fault-stack.ts';
import { type SupervisedApp, superviseApp } from '../faults/supervised-app.ts';
import { findChildren } from './memory-samples.ts';

/** One gateway and one worker on real services. */
export interface OverloadStack {
  readonly gateway: SupervisedApp;
  readonly worker: SupervisedApp;
  readonly postgresUrl: string;
  readonly clickhouseUrl: string;
  readonly queueUrl: string;
  /** The processes by role. */
  readonly processes: ReadonlyMap<string, number>;
  surprises(): string[];
  stop(): Promise<void>;
}

type Environment = Readonly<Record<string, string>>;

export async function startOverloadStack(
  backend: Backend,
  more: { readonly gateway?: Environment; readonly worker?: Environment } = {},
): Promise<OverloadStack> {
  const folder = await mkdtemp(join(tmpdir(), 'tickrate-overload-'));
  const surprises: string[] = [];
  const [postgres, clickhouse, redis] = await Promise.all([
    startPostgresServer(),
    startClickHouseServer(),
    backend === 'redis' ? startRedisServer({ settings: { appendfsync: 'always' } }) : null,
  ]);
  const urls = { postgresUrl: postgres.url, clickhouseUrl: clickhouse.url };
  const queueUrl = redis?.url ?? postgres.url;
  await migrateStores(urls);
  const common = { POSTGRES_URL: postgres.url, QUEUE_URL: queueUrl, LOG_LEVEL: 'warn' };
  // The senders represent many clients, but share one address.
  const noLimits = {
    RATE_PER_ADDRESS: '0',
    RATE_PER_KEY: '0',
    RATE_PER_PROJECT: '0',
    CONNECTIONS_PER_ADDRESS: '0',
  };
  const onSurprise = (what: string) => void surprises.push(what);
  const supervise = (app: 'gateway' | 'worker', environment: Environment) =>
    superviseApp({ app, name: app, folder, onSurprise, environment: { ...common, ...environment } });
  const gateway = await supervise('gateway', { ...noLimits, ...more.gateway });
  const worker = await supervise('worker', {
    CLICKHOUSE_URL: clickhouse.url,
    WORKER_LOCK: '5s',
    ...more.worker,
  });
  for (const app of [gateway, worker]) app.start();
  const stop = async () => {
    await Promise.all([gateway.kill(), worker.kill()]);
    await Promise.all([postgres.stop(), clickhouse.stop(), redis?.stop()]);
    await rm(folder, { recursive: true, force: true });
  };
  await Promise.all([gateway.ready(30_000), worker.ready(30_000)]).catch(async (fault: unknown) => {
    await stop();
    throw fault;
  });
  return {
    gateway,
    worker,
    queueUrl,
    ...urls,
    processes: findChildren({
      gateway: 'gateway/src/main.ts',
      worker: 'worker/src/main.ts',
      postgres: 'bin/postgres',
      clickhouse: 'clickhouse-main',
      redis: '-server',
    }),
    surprises: () => surprises.splice(0),
    stop,
  };
}
