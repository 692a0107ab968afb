import { createKeyRoutes, type KeyRegistry } from './key-routes.ts';
import type { ManagedRoute } from './managed.ts';
import { createProjectRoutes, type ProjectRouteDeps } from './project-routes.ts';

export interface ManagementParts {
  readonly registry: KeyRegistry & ProjectRouteDeps['registry'];
}

/** The table of routes: every call of the management API, in the order of its document. */
export function createManagementRoutes({ registry }: ManagementParts): ManagedRoute[] {
  return [...createProjectRoutes({ registry }), ...createKeyRoutes(registry)];
}
