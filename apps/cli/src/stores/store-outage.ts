import { QueueUnavailable } from '@tickrate/pipeline';
import { PostgresUnavailable } from '@tickrate/postgres';
import { WarehouseFault } from '@tickrate/warehouse';

/** Whether a store did not answer, as opposed to refusing. */
export function isStoreOutage(error: unknown): boolean {
  const kinds = [PostgresUnavailable, QueueUnavailable, WarehouseFault];
  return kinds.some((kind) => error instanceof kind);
}
