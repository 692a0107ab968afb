import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Component } from '@tickrate/platform';
import { createWorker } from '../app.ts';
import { type WorkerConfig, workerConfig } from '../config.ts';

export type WorkerEnvironment = Readonly<Record<string, string>>;

/** The environment of a worker in a test. */
export function environmentOf(urls: {
  readonly postgresUrl: string;
  readonly queueUrl: string;
  readonly clickhouseUrl: string;
  readonly database: string;
}): WorkerEnvironment {
  return {
    POSTGRES_URL: urls.postgresUrl,
    QUEUE_URL: urls.queueUrl,
    CLICKHOUSE_URL: urls.clickhouseUrl,
    CLICKHOUSE_DATABASE: urls.database,
    LOG_LEVEL: 'fatal',
    PORT: '0',
    BATCH_AGE: '50ms',
    STOP_TIMEOUT: '10s',
  };
}

export interface RunningWorker {
  url(): string;
  /** Like a process at a signal. */
  stop(): Promise<void>;
}

/** The settings may be beyond the limits of the environment. */
export async function startWorker(
  environment: WorkerEnvironment,
  settings: Partial<WorkerConfig> = {},
): Promise<RunningWorker> {
  const { components, server, health } = createWorker({ ...workerConfig.parse(environment), ...settings });
  for (const component of components) await component.start?.();
  health?.markStarted();
  const backwards: readonly Component[] = components.toReversed();
  return {
    url: () => server.url(),
    async stop() {
      for (const component of backwards) await component.drain?.();
      for (const component of backwards) await component.stop?.();
    },
  };
}

export function newProjectId(): string {
  return `p-${randomBytes(6).toString('hex')}`;
}

/** A worker in a separate process, for tests that kill it. */
export function spawnWorker(environment: WorkerEnvironment): ChildProcess {
  const main = join(import.meta.dirname, '..', 'main.ts');
  return spawn(process.execPath, [main], { env: { ...environment }, stdio: 'ignore' });
}
