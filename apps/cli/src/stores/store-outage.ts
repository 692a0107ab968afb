import { QueueUnavailable } from '@tickrate/pipeline';
import { PostgresUnavailable } from '@tickrate/postgres';
import { WarehouseFault } from '@tickrate/warehouse';

/** Whether a store did not answer, in contrast to a refusal. */
export function isStoreOutage(error: unknown): boolean {
  const kinds = [PostgresUnavailable, QueueUnavailable, WarehouseFault];
  return kinds.some((kind) => error instanceof kind);
}
