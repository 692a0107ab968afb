import { createErasures, createQuarantine } from '@tickrate/pipeline';
import { type Component, sleep } from '@tickrate/platform';
import type { Postgres } from '@tickrate/postgres';
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
  readonly postgres: Postgres;
  readonly path: Pick<DeliveryPath, 'consumer'>;
  readonly warehouse: Warehouse;
  readonly events: WorkerEvents;
  readonly newId: () => string;
}

/** Removes stored events: those of erased accounts, and those beyond their retention. */
export function removalComponents(
  config: WorkerConfig,
  { postgres, path, warehouse, events, newId }: Parts,
): Component[] {
  const { erasureMarginMs: marginMs } = config;
  const work = createErasures({ postgres, newId });
  const quarantine = createQuarantine({ postgres });
  const registry = createRegistry({ postgres, now: Date.now });
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
    { name: 'registry', stop: () => registry.close() },
    { name: 'eraser', start: async () => eraser.start(), drain: () => eraser.stop() },
    { name: 'retention', start: async () => retention.start(), drain: () => retention.stop() },
  ];
}
