import type { AuditAct } from '@tickrate/accounts';
import type { Operation } from '@tickrate/contract';

type OperationsOf<Module> = Module extends unknown ? Extract<Module[keyof Module], Operation> : never;

/** Every call of the management API. Our clients derive their types from it; it has no value at run time. */
export type ManagementOperation = OperationsOf<
  | typeof import('./server/analyses/analysis-operations.ts')
  | typeof import('./server/audit/audit-operations.ts')
  | typeof import('./server/demo/demo-operations.ts')
  | typeof import('./server/event-types/check-operations.ts')
  | typeof import('./server/event-types/event-tool-operations.ts')
  | typeof import('./server/event-types/event-type-operations.ts')
  | typeof import('./server/invitations/invitation-operations.ts')
  | typeof import('./server/keys/key-operations.ts')
  | typeof import('./server/live/live-operations.ts')
  | typeof import('./server/members/member-operations.ts')
  | typeof import('./server/outbox/outbox-operations.ts')
  | typeof import('./server/overview/overview-operations.ts')
  | typeof import('./server/pipeline/pipeline-operations.ts')
  | typeof import('./server/players/player-operations.ts')
  | typeof import('./server/policies/policy-operations.ts')
  | typeof import('./server/privacy/privacy-operations.ts')
  | typeof import('./server/projects/project-operations.ts')
  | typeof import('./server/quarantine/quarantine-operations.ts')
  | typeof import('./server/quarantine/quarantine-history-operations.ts')
  | typeof import('./server/queries/query-operations.ts')
  | typeof import('./server/saved/saved-operations.ts')['dashboards' | 'savedQueries']
  | typeof import('./server/shares/share-operations.ts')
>;

/** Every action that the audit trail can contain. */
export type AuditedAct = Extract<ManagementOperation, { readonly scope: `${string}:write` }>['id'] | AuditAct;

/** The calls that only the console's own pages make. */
export type PageOperation = OperationsOf<typeof import('./server/session/session-operations.ts')>;
