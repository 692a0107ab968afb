import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The source of the tests' services: an explicit URL, else containers if requested, else embedded ones. */
export interface TestServicesConfig {
  readonly postgresUrl: string | null;
  readonly clickhouseUrl: string | null;
  readonly redisUrl: string | null;
  readonly containers: boolean;
  /** A redis-server or valkey-server of this machine; npm has none that stores data on disk. */
  readonly redisProgram: string | null;
}

export type TestServicesEnvironment = Readonly<
  Partial<Record<'POSTGRES_URL' | 'CLICKHOUSE_URL' | 'REDIS_URL' | 'TEST_WITH' | 'PATH', string | undefined>>
>;

export function readTestServicesConfig(
  environment: TestServicesEnvironment = process.env,
): TestServicesConfig {
  return {
    postgresUrl: environment.POSTGRES_URL || null,
    clickhouseUrl: environment.CLICKHOUSE_URL || null,
    redisUrl: environment.REDIS_URL || null,
    containers: environment.TEST_WITH === 'containers',
    redisProgram: findProgram(['redis-server', 'valkey-server'], environment.PATH ?? ''),
  };
}

export function hasRedis(config: TestServicesConfig): boolean {
  return config.redisUrl !== null || config.containers || config.redisProgram !== null;
}

/** Whether a program that a test can do without is on the PATH. */
export function hasProgram(name: string): boolean {
  return spawnSync(name, ['--version'], { stdio: 'ignore' }).error === undefined;
}

function findProgram(names: readonly string[], path: string): string | null {
  const candidates = path
    .split(delimiter)
    .filter((folder) => folder !== '')
    .flatMap((folder) => names.map((name) => join(folder, name)));
  return candidates.find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
