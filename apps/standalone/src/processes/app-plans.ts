import { join } from 'node:path';
import type { Environment, ServiceName } from '@tickrate/platform';
import { type Copies, copyPortOffset } from './copies.ts';

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

export interface AppSurroundings {
  /** Whether the simulated game starts by itself. */
  readonly demo: boolean;
  readonly demoFolder: string;
  /** Of PostgreSQL and ClickHouse. */
  readonly dataFolders: readonly string[];
  readonly copies: Copies;
  readonly inherited: Environment;
  readonly logLevel: string;
  readonly ports: Readonly<Record<ServiceName, number>>;
  readonly urls: { readonly postgres: string; readonly clickhouse: string; readonly queries: string };
  readonly authSecret: string;
  readonly secretsKey: string;
  /** The administrator of the installation, created at auth's first start. */
  readonly admin: { readonly email: string; readonly password: string };
}

const host = '127.0.0.1';
const apps = join(import.meta.dirname, '../..', '..');

/** At least one. */
export type AppPlaces = readonly [AppPlace, ...AppPlace[]];

/** The copies of an app, which share its address. */
export function placeCopies(name: AppName, surroundings: AppSurroundings): AppPlaces {
  const { ports, copies } = surroundings;
  const first = placeApp(name, surroundings);
  if (name !== 'gateway' && name !== 'auth') return [first];
  const count = copies[name];
  const shared = { ...first.environment, SHARE_PORT: String(count > 1) };
  const others = Array.from({ length: count - 1 }, (_, at) => {
    const copy = at + 2;
    const port = Math.max(...Object.values(ports)) + 1 + copyPortOffset(name, copy);
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
function placeApp(name: AppName, surroundings: AppSurroundings): AppPlace {
  const { inherited, logLevel, ports, urls, authSecret, secretsKey, admin, dataFolders, demo, demoFolder } =
    surroundings;
  const secrets = { AUTH_SECRET: authSecret, ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password };
  const hasMailServer = (inherited['SMTP_URL'] ?? '') !== '';
  const people = { SECRETS_KEY: secretsKey, OUTBOX: String(!hasMailServer) };
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
      ...(name === 'gateway' && volumesOf(dataFolders)),
      ...(name === 'auth' && secrets),
      ...((name === 'console' || name === 'demo') && { AUTH_URL: `http://${host}:${ports.auth}` }),
      ...(name === 'demo' && {
        GATEWAY_URL: `http://${host}:${ports.gateway}`,
        SECRETS_KEY: secretsKey,
        DEMO_FOLDER: demoFolder,
        DEMO_START: String(demo),
        // The SDK as it is in the repository.
        NODE_OPTIONS: '--conditions=tickrate-source',
      }),
      ...(name === 'console' && {
        CLICKHOUSE_QUERY_URL: urls.queries,
        PUBLIC_AUTH_URL: `http://${host}:${ports.auth}`,
        PUBLIC_GATEWAY_URL: `http://${host}:${ports.gateway}`,
      }),
      ...((name === 'auth' || name === 'console') && people),
    },
  };
}

/** Commas separate the folders. If a folder contains one, only the worker reports its free space. */
function volumesOf(folders: readonly string[]): Environment {
  return folders.some((folder) => folder.includes(',')) ? {} : { STORE_VOLUMES: folders.join(',') };
}
