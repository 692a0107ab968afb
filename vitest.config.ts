import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
// biome-ignore lint/plugin: the runner is configured from outside of all workspaces, before vitest's own API exists
import { hasRedis, readTestServicesConfig } from './packages/testkit/src/config.ts';

// A test file's suffix names the real service that it needs; one without suffix needs none and starts none.
const services = ['pg', 'redis', 'clickhouse'] as const;
const folders = ['apps/**', 'packages/**', 'clients/**', 'bench/**', 'tools/**', 'tests/**'];
const leakCheck = './packages/testkit/src/leak-check.ts';
// As long as `waitUntil` and, in pages, as long as Playwright. The runner's own default is one second.
const pollFor = (timeout: number) => ({ poll: { timeout } });
// The processes of the product start in half the CPU time when their code was compiled before.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('node_modules/.cache/node', import.meta.url));

const withRedis = hasRedis(readTestServicesConfig());

if (!withRedis) {
  process.stderr.write(
    'SKIPPED: *.redis.test.ts (no REDIS_URL, no containers, no redis-server or valkey-server on the PATH)\n',
  );
}

export default defineConfig({
  test: {
    globalSetup: './packages/testkit/src/global-setup.ts',
    // Two cores: two files at once keep them busy, more only make waits time out.
    maxWorkers: 2,
    // Importing what each file stands on took a third of the time. No module keeps state, which the linter holds.
    isolate: false,
    passWithNoTests: !withRedis,
    projects: [
      {
        // As the condition `tickrate-source` does for Node: the SDK is not built here.
        resolve: { alias: { '@tickrate/sdk': join(import.meta.dirname, 'clients/typescript/src/index.ts') } },
        test: {
          name: 'unit',
          // Property tests run hundreds of cases, on machines that do other things as well.
          testTimeout: 20_000,
          expect: pollFor(5_000),
          include: filesOf('test'),
          exclude: ['**/node_modules/**', '**/*.{pg,redis,clickhouse,system,browser}.test.ts'],
        },
      },
      ...services.map((name) => ({
        test: {
          name,
          include: name === 'redis' && !withRedis ? [] : filesOf(`${name}.test`),
          setupFiles: leakCheck,
          testTimeout: 20_000,
          hookTimeout: 30_000,
          expect: pollFor(5_000),
        },
      })),
      {
        test: {
          name: 'browser',
          include: ['tests/browser/*.browser.test.ts'],
          globalSetup: './tests/browser/browser-setup.ts',
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: pollFor(15_000),
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'system',
          include: ['tests/**/*.system.test.ts'],
          setupFiles: leakCheck,
          testTimeout: 120_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});

function filesOf(suffix: string): string[] {
  return folders.map((folder) => `${folder}/*.${suffix}.ts`);
}
