import { createEventToolRoutes, type EventToolDeps } from './event-tool-routes.ts';
import { createEventTypeRoutes, type EventTypeRegistry } from './event-type-routes.ts';
import { createKeyRoutes, type KeyRegistry } from './key-routes.ts';
import type { ManagedRoute } from './managed.ts';
import { createPolicyRoutes, type PolicyRegistry } from './policy-routes.ts';
import { createProjectRoutes, type ProjectRouteDeps } from './project-routes.ts';

export interface ManagementParts {
  readonly registry: EventTypeRegistry & KeyRegistry & PolicyRegistry & ProjectRouteDeps['registry'];
  readonly warehouse: EventToolDeps['warehouse'];
}

/** The table of routes: every call of the management API, in the order of its document. */
export function createManagementRoutes({ registry, warehouse }: ManagementParts): ManagedRoute[] {
  return [
    ...createProjectRoutes({ registry }),
    ...createKeyRoutes(registry),
    ...createEventTypeRoutes(registry),
    ...createEventToolRoutes({ registry, warehouse }),
    ...createPolicyRoutes(registry),
  ];
}
