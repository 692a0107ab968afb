import type { AuditAct } from '@tickrate/accounts';
import type { Operation } from '@tickrate/contract';

/** One call, a table of calls by their names, or a module of which every call is one of its members. */
type OperationsOf<Table> = Table extends Operation
  ? Table
  : Table extends unknown
    ? Extract<Table[keyof Table], Operation>
    : never;

/** Every call of the management API. Our clients derive their types from it; it has no value at run time. */
export type ManagementOperation = OperationsOf<
  | typeof import('./server/analyses/analysis-operations.ts')
  | typeof import('./server/audit/audit-operations.ts')
  | typeof import('./server/demo/demo-operations.ts')['demoOperations']
  | typeof import('./server/event-types/check-operations.ts')
  | typeof import('./server/event-types/event-tool-operations.ts')['eventToolOperations']
  | typeof import('./server/event-types/event-type-operations.ts')['eventTypeOperations']
  | typeof import('./server/invitations/invitation-operations.ts')['invitationOperations']
  | typeof import('./server/keys/key-operations.ts')['keyOperations']
  | typeof import('./server/live/live-operations.ts')
  | typeof import('./server/members/member-operations.ts')['memberOperations']
  | typeof import('./server/outbox/outbox-operations.ts')
  | typeof import('./server/overview/overview-operations.ts')
  | typeof import('./server/pipeline/pipeline-operations.ts')['pipelineOperations']
  | typeof import('./server/players/player-operations.ts')['playerOperations']
  | typeof import('./server/policies/policy-operations.ts')['policyOperations']
  | typeof import('./server/privacy/privacy-operations.ts')['privacyOperations']
  | typeof import('./server/projects/project-operations.ts')['projectOperations']
  | typeof import('./server/quarantine/quarantine-operations.ts')['quarantineOperations']
  | typeof import('./server/quarantine/quarantine-history-operations.ts')
  | typeof import('./server/queries/query-operations.ts')['queryOperations']
  | typeof import('./server/saved/saved-operations.ts')['dashboards' | 'savedQueries']
  | typeof import('./server/shares/share-operations.ts')['shareOperations' | 'sharedOperations']
>;

/** Every action that the audit trail can contain. */
export type AuditedAct = Extract<ManagementOperation, { readonly scope: `${string}:write` }>['id'] | AuditAct;

/** The calls that only the console's own pages make. */
export type PageOperation = OperationsOf<
  typeof import('./server/session/session-operations.ts')['sessionOperations']
>;
