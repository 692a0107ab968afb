import type { ConsoleParts } from '../parts.ts';
import { createAnalysisRoutes } from './analyses/analysis-routes.ts';
import { createAuditRoutes } from './audit/audit-routes.ts';
import type { ManagedRoute } from './calls/managed.ts';
import { createDemoRoutes } from './demo/demo-routes.ts';
import { createCheckRoutes } from './event-types/check-routes.ts';
import { createEventToolRoutes } from './event-types/event-tool-routes.ts';
import { createEventTypeRoutes } from './event-types/event-type-routes.ts';
import { createInvitationRoutes } from './invitations/invitation-routes.ts';
import { createKeyRoutes } from './keys/key-routes.ts';
import { createLiveRoutes } from './live/live-routes.ts';
import { createMemberRoutes } from './members/member-routes.ts';
import { createOutboxRoutes } from './outbox/outbox-routes.ts';
import { createOverviewRoutes } from './overview/overview-routes.ts';
import { createPipelineRoutes } from './pipeline/pipeline-routes.ts';
import { createPlayerRoutes } from './players/player-routes.ts';
import { createPolicyRoutes } from './policies/policy-routes.ts';
import { createPrivacyRoutes } from './privacy/privacy-routes.ts';
import { createProjectRoutes } from './projects/project-routes.ts';
import { createQuarantineRoutes } from './quarantine/quarantine-routes.ts';
import { createQueryRoutes } from './queries/query-routes.ts';
import { createSavedRoutes } from './saved/saved-routes.ts';
import { createShareRoutes } from './shares/share-routes.ts';

/** The table of routes: every call of the management API, in the order of its document. */
export function createManagementRoutes(parts: ConsoleParts): ManagedRoute[] {
  return [
    ...createProjectRoutes(parts),
    ...createOverviewRoutes(parts),
    ...createMemberRoutes(parts),
    ...createInvitationRoutes(parts),
    ...createKeyRoutes(parts),
    ...createEventTypeRoutes(parts),
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
    ...createSavedRoutes(parts),
    ...createShareRoutes(parts),
    ...createAuditRoutes(parts),
    ...createOutboxRoutes(parts),
    ...createDemoRoutes(parts),
  ];
}
