import { LedgerUnavailable, QueueUnavailable } from '@tickrate/pipeline';
import { RegistryUnavailable } from '@tickrate/registry';
import { WarehouseFault } from '@tickrate/warehouse';

/** Whether a store did not answer, as opposed to refusing. */
export function isStoreOutage(error: unknown): boolean {
  const kinds = [RegistryUnavailable, LedgerUnavailable, QueueUnavailable, WarehouseFault];
  return kinds.some((kind) => error instanceof kind) || isRefusedConnection(error);
}

function isRefusedConnection(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
}
