import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createTcpProxy,
  hasProgram,
  type KillableServer,
  type RedisServer,
  readTestServicesConfig,
  startClickHouseServer,
  startPostgresServer,
  startRedisServer,
  type TcpProxy,
} from '@tickrate/testkit';
import { type AppOptions, untilReady } from '../event-path/app-process.ts';
import { migrateStores } from '../event-path/prepare-stores.ts';
import { startCaddy } from './caddy.ts';
import { type SupervisedApp, superviseApp } from './supervised-app.ts';

export type Backend = 'postgres' | 'redis';

/**
 * As a large installation: four queues, on two servers, and two of auth and of the console, behind a proxy. PostgreSQL has
 * one queue, as on one machine, and its tests have the event path alone.
 */
const redisServers = ['redis-1', 'redis-2'];
const shardsOfRedis = 2;

/** The servers of the queue. */
export function queueServers(backend: Backend): readonly string[] {
  return backend === 'redis' ? redisServers : ['postgres'];
}

/** The connections from processes to services, through a faulty network. */
export function routeNames(backend: Backend): string[] {
  const events = (['gateway', 'worker'] as const).flatMap((app) => [
    `${app}-postgres`,
    ...queueRoutes(app, backend),
    ...(app === 'worker' ? ['worker-clickhouse'] : []),
  ]);
  return backend === 'redis' ? [...events, 'auth-postgres'] : events;
}

function queueRoutes(app: 'gateway' | 'worker', backend: Backend): string[] {
  return queueServers(backend).map((_, at) => `${app}-queue-${at + 1}`);
}

/** The event path: real services, real processes, and a network in between. */
export interface FaultStack {
  readonly backend: Backend;
  /** What the processes log. */
  readonly folder: string;
  readonly services: ReadonlyMap<string, KillableServer>;
  /** None on the other backend. */
  readonly redis: readonly RedisServer[];
  readonly routes: ReadonlyMap<string, TcpProxy>;
  readonly workers: readonly SupervisedApp[];
  /** Without Redis, there are none of these two. */
  readonly auths: readonly SupervisedApp[];
  readonly consoles: readonly SupervisedApp[];
  /** Every process of the product. */
  readonly apps: readonly SupervisedApp[];
  /** The ports for clients: of the proxy, or without Redis of the gateways. */
  readonly entrances: readonly number[];
  /** Bypasses the faulty network, for observers. */
  readonly postgresUrl: string;
  readonly clickhouseUrl: string;
  readonly queueUrl: string;
  readonly queueShards: number;
  /** Unexpected process ends since the last call. */
  surprises(): string[];
  /** Rejects when a process is not ready in time. */
  ready(timeoutMs: number): Promise<void>;
  /** Ends everything and deletes its files, except the logs if wanted. */
  stop(leave: 'nothing' | 'logs'): Promise<void>;
}

/** How long a worker may be silent before its chunks go to another one. */
export const lockMs = 2_000;

export async function startFaultStack(backend: Backend): Promise<FaultStack> {
  const folder = await mkdtemp(join(tmpdir(), `tickrate-faults-${backend}-`));
  const surprises: string[] = [];
  const [postgres, clickhouse, ...redis] = await Promise.all([
    startPostgresServer(),
    startClickHouseServer(),
    // A 200 is sent after Redis has synced (ADR 5).
    ...(backend === 'redis' ? redisServers : []).map(() =>
      startRedisServer({ settings: { appendfsync: 'always' } }),
    ),
  ]);
  const urls = { postgresUrl: postgres.url, clickhouseUrl: clickhouse.url };
  const queues = backend === 'redis' ? redis.map(({ url }) => url) : [postgres.url];
  const queueShards = backend === 'redis' ? shardsOfRedis : 1;
  await migrateStores(urls);
  await keepEveryRow(clickhouse.url);
  const routes = await createRoutes(backend, { ...urls, queues });
  const onSurprise = (what: string) => surprises.push(what);
  const supervised = await superviseApps({
    backend,
    queueShards,
    folder,
    routes,
    onSurprise,
    ...urls,
    queues,
  });
  const apps = Object.values(supervised).flat();
  for (const app of apps) app.start();
  const portsOf = (of: readonly SupervisedApp[]) => of.map(({ port }) => port);
  const { gateways, auths, consoles } = supervised;
  const upstreams = { GATEWAY: portsOf(gateways), AUTH: portsOf(auths), CONSOLE: portsOf(consoles) };
  const proxy = backend === 'redis' ? await startCaddy(folder, upstreams) : null;
  const services = new Map<string, KillableServer>([
    ['postgres', postgres],
    ['clickhouse', clickhouse],
    ...redis.map((server, at) => [`redis-${at + 1}`, server] as const),
    ...(proxy === null ? [] : [['proxy', proxy] as const]),
  ]);
  return {
    backend,
    folder,
    services,
    redis,
    routes,
    queueUrl: queues.join(','),
    queueShards,
    apps,
    workers: supervised.workers,
    auths,
    consoles,
    entrances: proxy === null ? upstreams.GATEWAY : [proxy.port],
    ...urls,
    surprises: () => surprises.splice(0),
    async ready(timeoutMs) {
      await Promise.all(
        apps.map((app) => app.ready(timeoutMs).catch((fault) => Promise.reject(named(app, fault)))),
      );
      if (proxy !== null) await untilReady(proxy.port, timeoutMs);
    },
    async stop(leave) {
      await Promise.all(apps.map((app) => app.kill()));
      await Promise.all([...routes.values()].map((route) => route.close()));
      await Promise.all([...services.values()].map((service) => service.stop()));
      if (leave === 'nothing') await rm(folder, { recursive: true, force: true });
    },
  };
}

function named(app: SupervisedApp, fault: unknown): Error {
  return new Error(`${app.name} is ${fault instanceof Error ? fault.message : String(fault)}`, {
    cause: fault,
  });
}

/** Merging parts would collapse two equal rows into one and hide a duplicate. */
async function keepEveryRow(clickhouseUrl: string): Promise<void> {
  const { origin, username, password } = new URL(clickhouseUrl);
  const answer = await fetch(origin, {
    method: 'POST',
    headers: { Authorization: `Basic ${btoa(`${username}:${password}`)}`, Connection: 'close' },
    body: `ALTER TABLE tickrate.events MODIFY SETTING max_bytes_to_merge_at_max_space_in_pool = 1,
      max_bytes_to_merge_at_min_space_in_pool = 1, parts_to_delay_insert = 1000000, parts_to_throw_insert = 1000000`,
  });
  if (answer.status !== 200) throw new Error(await answer.text());
}

interface Targets {
  readonly postgresUrl: string;
  readonly clickhouseUrl: string;
  readonly queues: readonly string[];
}

async function createRoutes(backend: Backend, { postgresUrl, clickhouseUrl, queues }: Targets) {
  const routes = new Map<string, TcpProxy>();
  for (const name of routeNames(backend)) {
    const queue = queues[Number(/-queue-(\d)$/.exec(name)?.[1]) - 1];
    const target = queue ?? (name.endsWith('clickhouse') ? clickhouseUrl : postgresUrl);
    routes.set(name, await createTcpProxy(target));
  }
  return routes;
}

interface Parts extends Targets {
  readonly backend: Backend;
  readonly queueShards: number;
  readonly folder: string;
  readonly routes: ReadonlyMap<string, TcpProxy>;
  onSurprise(what: string): void;
}

async function superviseApps(parts: Parts) {
  const { backend, queueShards, folder, routes, onSurprise } = parts;
  const environmentOf = (app: 'gateway' | 'worker') => ({
    POSTGRES_URL: urlOf(routes, `${app}-postgres`),
    QUEUE_URL: queueRoutes(app, backend)
      .map((name) => urlOf(routes, name))
      .join(','),
    QUEUE_SHARDS: String(queueShards),
    LOG_LEVEL: 'info',
  });
  const gatewayEnvironment = {
    ...environmentOf('gateway'),
    ...(backend === 'redis' && { TRUSTED_PROXIES: '127.0.0.1' }),
    RATE_PER_ADDRESS: '0',
    RATE_PER_KEY: '0',
    RATE_PER_PROJECT: '0',
  };
  const workerEnvironment = {
    ...environmentOf('worker'),
    CLICKHOUSE_URL: urlOf(routes, 'worker-clickhouse'),
    WORKER_LOCK: `${lockMs}ms`,
    STOP_TIMEOUT: '10s',
  };
  const supervise = (app: AppOptions['app'], number: number, environment: Record<string, string>) =>
    superviseApp({ app, name: `${app}-${number}`, folder, environment, onSurprise });
  const two = (app: AppOptions['app'], environment: Record<string, string>) =>
    Promise.all([1, 2].map((number) => supervise(app, number, environment)));
  const gateways = await two('gateway', gatewayEnvironment);
  const workers = await Promise.all([
    supervise('worker', 1, workerEnvironment),
    supervise('worker', 2, workerEnvironment),
    // This worker asks ClickHouse for its rows soon; the others would do so after minutes.
    supervise('worker', 3, { ...workerEnvironment, TOKEN_WINDOW: '3s' }),
  ]);
  if (backend !== 'redis') return { gateways, workers, auths: [], consoles: [] };
  const auths = await two('auth', {
    ...behindProxy,
    POSTGRES_URL: urlOf(routes, 'auth-postgres'),
    AUTH_SECRET: 'a secret of tests that is longer than 32 characters',
    // All players share one address.
    SIGN_IN_RATE_PER_SECOND: '100000',
    SIGN_IN_RATE_PER_HALF_HOUR: '100000',
  });
  const consoles = await two('console', {
    ...behindProxy,
    POSTGRES_URL: parts.postgresUrl,
    CLICKHOUSE_URL: parts.clickhouseUrl,
    QUEUE_URL: parts.queues.join(','),
    QUEUE_SHARDS: String(queueShards),
  });
  return { gateways, workers, auths, consoles };
}

const behindProxy = {
  TRUSTED_PROXIES: '127.0.0.1',
  SECRETS_KEY: 'a key of tests that is longer than 32 characters',
  LOG_LEVEL: 'info',
};

function urlOf(routes: ReadonlyMap<string, TcpProxy>, name: string): string {
  const route = routes.get(name);
  if (route === undefined) throw new Error(`there is no route ${name}`);
  return route.url;
}

/** Redis and the proxy are killed, so they must be programs on this machine. */
export function availableBackends(): Backend[] {
  const isLarge = readTestServicesConfig().redisProgram !== null && hasProgram('caddy');
  return isLarge ? ['postgres', 'redis'] : ['postgres'];
}
