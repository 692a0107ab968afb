import { createErasures, createQuarantine } from '@tickrate/pipeline';
import { type Component, sleep } from '@tickrate/platform';
import { createRegistry } from '@tickrate/registry';
import type { Warehouse } from '@tickrate/warehouse';
import type { WorkerConfig } from '../config.ts';
import type { DeliveryPath } from '../delivery/delivery-path.ts';
import { createEraser } from '../erasure/eraser.ts';
import { readPersonalPaths } from '../erasure/personal-paths.ts';
import type { WorkerEvents } from '../events.ts';
import { createRetentionKeeper } from '../retention/retention.ts';
import { createSettledUntil } from './settled-until.ts';

interface Parts {
  readonly path: Pick<DeliveryPath, 'consumer'>;
  readonly warehouse: Warehouse;
  readonly events: WorkerEvents;
  readonly newId: () => string;
}

/** Removes stored events: those of erased accounts, and those whose retention is over. */
export function removalComponents(
  config: WorkerConfig,
  { path, warehouse, events, newId }: Parts,
): Component[] {
  const { postgresUrl, erasureMarginMs: marginMs } = config;
  const onFault = (fault: unknown) => events.dependencyFault('ledger', fault);
  const work = createErasures({ postgresUrl, newId, maxConnections: 1, onFault });
  const quarantine = createQuarantine({ postgresUrl, maxConnections: 1, onFault });
  const registry = createRegistry({ postgresUrl, now: Date.now, maxConnections: 1 });
  const settledUntilMs = createSettledUntil({
    levels: () => path.consumer.levels(),
    oldestUnstoredMs: () => work.oldestUnstoredMs(),
    now: Date.now,
    marginMs,
  });
  const eraser = createEraser({
    work,
    warehouse,
    quarantine,
    settledUntilMs,
    marginMs,
    sleep,
    personalPaths: (projectId) => readPersonalPaths(registry, projectId),
    onErased: events.erased,
    onFault: (fault) => events.removalFault('erasure', fault),
  });
  const retention = createRetentionKeeper({
    registry,
    warehouse,
    settledUntilMs,
    sleep,
    now: Date.now,
    defaultDays: config.retentionDays,
    everyMs: config.retentionEveryMs,
    onExpired: events.expired,
    onFault: (fault) => events.removalFault('retention', fault),
  });
  return [
    {
      name: 'removal-stores',
      stop: async () => void (await Promise.all([work.close(), quarantine.close(), registry.close()])),
    },
    { name: 'eraser', start: async () => eraser.start(), drain: () => eraser.stop() },
    { name: 'retention', start: async () => retention.start(), drain: () => retention.stop() },
  ];
}
