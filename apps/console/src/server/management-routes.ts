import type { Database } from '@tickrate/accounts';
import type { Registry } from '@tickrate/registry';
import { type AnalysisRouteDeps, createAnalysisRoutes } from './analysis-routes.ts';
import { createAuditRoutes } from './audit-routes.ts';
import { createEventToolRoutes, type EventToolDeps } from './event-tool-routes.ts';
import { createEventTypeRoutes } from './event-type-routes.ts';
import { createInvitationRoutes } from './invitation-routes.ts';
import { createKeyRoutes } from './key-routes.ts';
import type { ManagedRoute } from './managed.ts';
import { createMemberRoutes } from './member-routes.ts';
import { createOutboxRoutes, type OutboxDeps } from './outbox-routes.ts';
import { createPipelineRoutes, type PipelineDeps } from './pipeline-routes.ts';
import { createPlayerRoutes } from './player-routes.ts';
import { createPolicyRoutes } from './policy-routes.ts';
import { createPrivacyRoutes, type PrivacyDeps } from './privacy-routes.ts';
import { createProjectRoutes } from './project-routes.ts';
import { createQuarantineRoutes, type QuarantineDeps } from './quarantine-routes.ts';
import { createQueryRoutes, type QueryRouteDeps } from './query-routes.ts';
import { createSavedRoutes } from './saved-routes.ts';

export interface ManagementParts
  extends PipelineDeps,
    QuarantineDeps,
    Pick<PrivacyDeps, 'erasures'>,
    Pick<OutboxDeps, 'openMail'> {
  readonly registry: Registry;
  readonly accounts: Database;
  readonly newId: () => string;
  readonly warehouse: PipelineDeps['warehouse'] &
    PrivacyDeps['warehouse'] &
    EventToolDeps['warehouse'] &
    QueryRouteDeps['warehouse'] &
    AnalysisRouteDeps['warehouse'];
}

/** The table of routes: every call of the management API, in the order of its document. */
export function createManagementRoutes(parts: ManagementParts): ManagedRoute[] {
  const { registry } = parts;
  return [
    ...createProjectRoutes(parts),
    ...createMemberRoutes(parts),
    ...createInvitationRoutes(parts),
    ...createKeyRoutes(parts),
    ...createEventTypeRoutes(registry),
    ...createEventToolRoutes(parts),
    ...createPolicyRoutes(registry),
    ...createQuarantineRoutes(parts),
    ...createPlayerRoutes(parts),
    ...createPrivacyRoutes(parts),
    ...createPipelineRoutes(parts),
    ...createQueryRoutes(parts),
    ...createAnalysisRoutes(parts),
    ...createSavedRoutes(registry),
    ...createAuditRoutes(parts),
    ...createOutboxRoutes(parts),
  ];
}
