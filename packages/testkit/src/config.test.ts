import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { hasRedis, readTestServicesConfig } from './config.ts';

test('explicit URLs are used, and empty ones are ignored', () => {
  const config = readTestServicesConfig({ POSTGRES_URL: 'postgres://host/db', REDIS_URL: '' });
  expect(config).toMatchObject({ postgresUrl: 'postgres://host/db', clickhouseUrl: null, redisUrl: null });
});

test('without URL, containers and program there is no Redis', () => {
  expect(hasRedis(readTestServicesConfig({}))).toBe(false);
  expect(hasRedis(readTestServicesConfig({ TEST_WITH: 'containers' }))).toBe(true);
  expect(hasRedis(readTestServicesConfig({ REDIS_URL: 'redis://host' }))).toBe(true);
});

test('a valkey-server on the PATH is a Redis, a file that cannot be run is not', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tickrate-test-path-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = join(folder, 'valkey-server');
  const path = ['/nowhere', '', folder].join(delimiter);
  writeFileSync(program, '');
  expect(readTestServicesConfig({ PATH: path }).redisProgram).toBeNull();
  chmodSync(program, 0o755);
  expect(readTestServicesConfig({ PATH: path }).redisProgram).toBe(program);
});
