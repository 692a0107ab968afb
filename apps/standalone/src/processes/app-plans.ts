import { join } from 'node:path';
import { type Environment, portPlan } from '@tickrate/platform';
import type { StandaloneValues } from '../config.ts';
import { keptSecret } from '../folder/data-folder.ts';
import { administratorOf } from '../folder/first-project.ts';
import { type Copies, copyPortOffset } from './copies.ts';
import type { DatabaseName } from './databases.ts';

export type AppName = 'gateway' | 'auth' | 'worker' | 'console' | 'demo';

export interface AppPlace {
  /** Of copies from the second on, with the number: `gateway-2`. */
  readonly name: string;
  /** The app's main.ts. */
  readonly script: string;
  readonly url: string;
  /** The address of its metrics and health. */
  readonly operatorUrl: string;
  /** Complete: nothing else is inherited, and no secret is on the command line. */
  readonly environment: Environment;
}

export const appNames: readonly AppName[] = ['gateway', 'auth', 'worker', 'console', 'demo'];

export interface AppPlan {
  /** The data folder. */
  readonly folder: string;
  readonly basePort: number;
  /** Whether the simulated game starts by itself. */
  readonly demo: boolean;
  readonly copies: Copies;
  readonly values: StandaloneValues;
}

const host = '127.0.0.1';
const apps = join(import.meta.dirname, '../..', '..');

/** At least one. */
export type AppPlaces = readonly [AppPlace, ...AppPlace[]];

/** The copies of an app, which share its address. */
export function placeCopies(
  name: AppName,
  plan: AppPlan,
  urls: Readonly<Record<DatabaseName, string>>,
): AppPlaces {
  const first = placeApp(name, plan, urls);
  if (name !== 'gateway' && name !== 'auth') return [first];
  const count = plan.copies[name];
  const shared = { ...first.environment, SHARE_PORT: String(count > 1) };
  const others = Array.from({ length: count - 1 }, (_, at) => {
    const copy = at + 2;
    const port = Math.max(...Object.values(portPlan(plan.basePort))) + 1 + copyPortOffset(name, copy);
    return {
      ...first,
      name: `${name}-${copy}`,
      operatorUrl: `http://${host}:${port}`,
      environment: { ...shared, METRICS_PORT: String(port) },
    };
  });
  return [{ ...first, environment: shared }, ...others];
}

/** The address and the environment of an app. Every app also inherits the environment of `npm start`. */
function placeApp(
  name: AppName,
  { folder, basePort, demo, values }: AppPlan,
  urls: Readonly<Record<DatabaseName, string>>,
): AppPlace {
  const { inherited, logLevel } = values;
  const ports = portPlan(basePort);
  const hasMailServer = (inherited['SMTP_URL'] ?? '') !== '';
  const secretsKey = keptSecret(folder, 'secrets-key');
  const metricsPort = name === 'worker' || name === 'demo' ? ports[name] : ports[`${name}Metrics`];
  return {
    name,
    script: join(apps, name, 'src', 'main.ts'),
    url: `http://${host}:${ports[name]}`,
    operatorUrl: `http://${host}:${metricsPort}`,
    environment: {
      EVENTS_URL: `http://${host}:${ports.gateway}`,
      SESSIONS_URL: `http://${host}:${ports.auth}`,
      CONSOLE_URL: `http://${host}:${ports.console}`,
      QUEUE_URL: urls.postgres,
      ...inherited,
      HOST: host,
      PORT: String(ports[name]),
      METRICS_HOST: host,
      METRICS_PORT: String(metricsPort),
      LOG_LEVEL: logLevel,
      POSTGRES_URL: urls.postgres,
      CLICKHOUSE_URL: urls.clickhouse,
      ...(name === 'gateway' && volumesOf(folder)),
      ...(name === 'auth' && secretsOf(folder)),
      ...((name === 'console' || name === 'demo') && { AUTH_URL: `http://${host}:${ports.auth}` }),
      ...(name === 'demo' && {
        GATEWAY_URL: `http://${host}:${ports.gateway}`,
        SECRETS_KEY: secretsKey,
        DEMO_FOLDER: join(folder, 'demo'),
        DEMO_START: String(demo),
        // The SDK as it is in the repository.
        NODE_OPTIONS: '--conditions=tickrate-source',
      }),
      ...(name === 'console' && {
        CLICKHOUSE_QUERY_URL: urls.queries,
        PUBLIC_AUTH_URL: `http://${host}:${ports.auth}`,
        PUBLIC_GATEWAY_URL: `http://${host}:${ports.gateway}`,
      }),
      ...((name === 'auth' || name === 'console') && {
        SECRETS_KEY: secretsKey,
        OUTBOX: String(!hasMailServer),
      }),
    },
  };
}

/** Auth creates the administrator at its first start. */
function secretsOf(folder: string): Environment {
  const { email, password } = administratorOf(folder);
  return { AUTH_SECRET: keptSecret(folder, 'auth-secret'), ADMIN_EMAIL: email, ADMIN_PASSWORD: password };
}

/** Commas separate the folders. If a folder contains one, only the worker reports its free space. */
function volumesOf(folder: string): Environment {
  const volumes = [join(folder, 'postgres'), join(folder, 'clickhouse')];
  return folder.includes(',') ? {} : { STORE_VOLUMES: volumes.join(',') };
}
