import { randomBytes } from 'node:crypto';
import { createRecordId } from '@tickrate/contract';
import {
  createErasures,
  createLedger,
  createProducer,
  createQuarantine,
  createQueueMonitor,
} from '@tickrate/pipeline';
import { type Component, createAddressVoucher, createSecretBoxOf, type SecretBox } from '@tickrate/platform';
import { createPostgres } from '@tickrate/postgres';
import { createRegistry, createRegistryCache } from '@tickrate/registry';
import { createWarehouse } from '@tickrate/warehouse';
import type { ConsoleValues } from './config.ts';
import type { ConsoleEvents } from './console-events.ts';
import { createDemo } from './server/demo/demo.ts';
import { createLiveHub } from './server/live/live-hub.ts';
import { createLiveMasks } from './server/live/live-masks.ts';
import { createProjectPreparer } from './server/session/prepare-projects.ts';

export type ConsoleParts = ReturnType<typeof createConsoleParts>;

/** The parts of the management API. They connect to nothing until they are started or used. */
export function createConsoleParts(values: ConsoleValues, events: ConsoleEvents, now: () => number) {
  const onFaultOf = (dependency: Parameters<ConsoleEvents['dependencyFault']>[0]) => (error: unknown) =>
    events.dependencyFault(dependency, error);
  const queue = {
    queueUrl: values.queueUrl,
    shards: values.queueShards,
    limitBytes: values.queueLimitBytes,
    onFault: onFaultOf('queue'),
  };
  const sealer = createSecretBoxOf(values.secretsKey);
  const newId = () => createRecordId(now(), randomBytes);
  const postgres = createPostgres({
    postgresUrl: values.postgresUrl,
    name: 'tickrate-console',
    maxConnections: 14,
    onFault: onFaultOf('postgres'),
  });
  const registry = createRegistry({ postgres, now, sealer });
  const warehouse = createWarehouseOf(values, onFaultOf('warehouse'));
  const parts = {
    accounts: postgres,
    registry,
    warehouse,
    hub: createLiveHub({ warehouse, masks: createLiveMasks(registry, now), now, newId, events }),
    preparer: createProjectPreparer({ warehouse, registry, now, onFault: onFaultOf('warehouse') }),
    cache: createRegistryCache({ postgres, now, onFault: onFaultOf('registry') }),
    ledger: createLedger({ postgres }),
    quarantine: createQuarantine({ postgres }),
    erasures: createErasures({ postgres, newId }),
    producer: createProducer(queue),
    monitor: createQueueMonitor(queue),
    sealer,
    openMail: values.outbox ? (body: Buffer) => openMail(sealer, body) : null,
    addresses: { gateway: values.publicGatewayUrl, auth: values.publicAuthUrl },
    development: values.development,
    now,
    newId,
    onFault: onFaultOf('warehouse'),
  };
  const demo = createDemo({
    ...parts,
    setting: values.demo,
    authUrl: values.authUrl,
    gatewayUrl: values.gatewayUrl,
    voucher: createAddressVoucher(values.secretsKey, now),
    onFault: onFaultOf('demo'),
  });
  return { ...parts, demo };
}

function createWarehouseOf(values: ConsoleValues, onFault: (error: unknown) => void) {
  return createWarehouse({
    clickhouseUrl: values.clickhouseUrl,
    queryUrl: values.queryUrl,
    queryLimits: { budgetSeconds: values.queryBudgetSeconds },
    cluster: values.clickhouseCluster,
    database: values.clickhouseDatabase,
    querySecret: firstOf(values.secretsKey),
    onHindrance: (reason) =>
      onFault(
        new Error(
          `queries are disabled: ClickHouse cannot restrict them to the rows of their project: ${reason}`,
        ),
      ),
  });
}

/** Returns null for a secret that was sealed with a lost key. It does not affect other secrets. */
function openMail(sealer: Pick<SecretBox, 'open'>, body: Buffer): string | null {
  try {
    return sealer.open(body, 'outbox');
  } catch {
    return null;
  }
}

/** In the order of their start. They stop in reverse order. */
export function componentsOf(parts: ConsoleParts): Component[] {
  const { registry, accounts, cache, producer, monitor, warehouse, preparer, demo } = parts;
  return [
    { name: 'warehouse', stop: () => warehouse.close() },
    { name: 'postgres', stop: () => accounts.close() },
    { name: 'registry', stop: () => registry.close() },
    { name: 'producer', start: () => producer.start(), stop: () => producer.stop() },
    { name: 'monitor', start: () => monitor.start(), stop: () => monitor.stop() },
    { name: 'cache', start: cache.start, stop: cache.stop },
    { name: 'preparer', start: preparer.start, stop: preparer.stop },
    { name: 'demo', start: demo.start, stop: demo.stop },
  ];
}

/** The secret that seals now. The passwords of ClickHouse users are derived from it, too. */
function firstOf(secretsKey: string): string {
  return secretsKey.split(',')[0]?.trim() ?? '';
}
