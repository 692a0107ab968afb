import type { Database } from '@tickrate/accounts';
import type { Registry } from '@tickrate/registry';
import { createAnalysisRoutes } from './analyses/analysis-routes.ts';
import type { AnalysisRouteDeps } from './analyses/players-behind-routes.ts';
import { createAuditRoutes } from './audit/audit-routes.ts';
import type { ManagedRoute } from './calls/managed.ts';
import { createDemoRoutes, type DemoRouteDeps } from './demo/demo-routes.ts';
import { createCheckRoutes } from './event-types/check-routes.ts';
import { createEventToolRoutes, type EventToolDeps } from './event-types/event-tool-routes.ts';
import { createEventTypeRoutes } from './event-types/event-type-routes.ts';
import { createInvitationRoutes } from './invitations/invitation-routes.ts';
import { createKeyRoutes } from './keys/key-routes.ts';
import { createLiveRoutes, type LiveDeps } from './live/live-routes.ts';
import { createMemberRoutes } from './members/member-routes.ts';
import { createOutboxRoutes, type OutboxDeps } from './outbox/outbox-routes.ts';
import { createOverviewRoutes, type OverviewDeps } from './overview/overview-routes.ts';
import { createPipelineRoutes, type PipelineDeps } from './pipeline/pipeline-routes.ts';
import { createPlayerRoutes } from './players/player-routes.ts';
import { createPolicyRoutes } from './policies/policy-routes.ts';
import { createPrivacyRoutes, type PrivacyDeps } from './privacy/privacy-routes.ts';
import { createProjectRoutes, type ProjectRouteDeps } from './projects/project-routes.ts';
import { createQuarantineRoutes, type QuarantineDeps } from './quarantine/quarantine-routes.ts';
import { createQueryRoutes, type QueryRouteDeps } from './queries/query-routes.ts';
import { createSavedRoutes } from './saved/saved-routes.ts';
import { createShareRoutes } from './shares/share-routes.ts';

export interface ManagementParts
  extends PipelineDeps,
    QuarantineDeps,
    Pick<PrivacyDeps & ProjectRouteDeps, 'erasures'>,
    Pick<OutboxDeps, 'openMail'>,
    Pick<LiveDeps, 'hub' | 'authorize'>,
    Pick<OverviewDeps, 'addresses'>,
    DemoRouteDeps {
  readonly registry: Registry;
  readonly accounts: Database;
  readonly newId: () => string;
  readonly development: boolean;
  readonly warehouse: PipelineDeps['warehouse'] &
    PrivacyDeps['warehouse'] &
    EventToolDeps['warehouse'] &
    QueryRouteDeps['warehouse'] &
    AnalysisRouteDeps['warehouse'] &
    OverviewDeps['warehouse'];
}

/** The table of routes: every call of the management API, in the order of its document. */
export function createManagementRoutes(parts: ManagementParts): ManagedRoute[] {
  const { registry } = parts;
  return [
    ...createProjectRoutes(parts),
    ...createOverviewRoutes(parts),
    ...createMemberRoutes(parts),
    ...createInvitationRoutes(parts),
    ...createKeyRoutes(parts),
    ...createEventTypeRoutes(registry),
    ...createEventToolRoutes(parts),
    ...createCheckRoutes(parts),
    ...createPolicyRoutes(parts),
    ...createQuarantineRoutes(parts),
    ...createPlayerRoutes(parts),
    ...createPrivacyRoutes(parts),
    ...createPipelineRoutes(parts),
    ...createQueryRoutes(parts),
    ...createLiveRoutes(parts),
    ...createAnalysisRoutes(parts),
    ...createSavedRoutes(registry),
    ...createShareRoutes(parts),
    ...createAuditRoutes(parts),
    ...createOutboxRoutes(parts),
    ...createDemoRoutes(parts),
  ];
}
