import type { AuditAct } from '@tickrate/accounts';
import type { Operation } from '@tickrate/contract';
import type * as analyses from './server/analyses/analysis-operations.ts';
import type * as audit from './server/audit/audit-operations.ts';
import type * as demo from './server/demo/demo-operations.ts';
import type * as eventCheck from './server/event-types/check-operations.ts';
import type * as eventTools from './server/event-types/event-tool-operations.ts';
import type * as eventTypes from './server/event-types/event-type-operations.ts';
import type * as invitations from './server/invitations/invitation-operations.ts';
import type * as keys from './server/keys/key-operations.ts';
import type * as live from './server/live/live-operations.ts';
import type * as members from './server/members/member-operations.ts';
import type * as outbox from './server/outbox/outbox-operations.ts';
import type * as overview from './server/overview/overview-operations.ts';
import type * as pipeline from './server/pipeline/pipeline-operations.ts';
import type * as players from './server/players/player-operations.ts';
import type * as policies from './server/policies/policy-operations.ts';
import type * as privacy from './server/privacy/privacy-operations.ts';
import type * as projects from './server/projects/project-operations.ts';
import type * as quarantineHistory from './server/quarantine/quarantine-history-operations.ts';
import type * as quarantine from './server/quarantine/quarantine-operations.ts';
import type * as queries from './server/queries/query-operations.ts';
import type { dashboards, savedQueries } from './server/saved/saved-operations.ts';
import type * as session from './server/session/session-operations.ts';
import type * as shares from './server/shares/share-operations.ts';

type OperationsOf<M> = Extract<M[keyof M], Operation>;

/** Every call of the management API. Our clients derive their types from it; it has no value at run time. */
export type ManagementOperation =
  | OperationsOf<typeof analyses>
  | OperationsOf<typeof audit>
  | OperationsOf<typeof demo>
  | OperationsOf<typeof eventCheck>
  | OperationsOf<typeof eventTools>
  | OperationsOf<typeof eventTypes>
  | OperationsOf<typeof invitations>
  | OperationsOf<typeof keys>
  | OperationsOf<typeof live>
  | OperationsOf<typeof members>
  | OperationsOf<typeof outbox>
  | OperationsOf<typeof overview>
  | OperationsOf<typeof pipeline>
  | OperationsOf<typeof players>
  | OperationsOf<typeof policies>
  | OperationsOf<typeof privacy>
  | OperationsOf<typeof projects>
  | OperationsOf<typeof quarantine>
  | OperationsOf<typeof quarantineHistory>
  | OperationsOf<typeof queries>
  | OperationsOf<typeof dashboards>
  | OperationsOf<typeof savedQueries>
  | OperationsOf<typeof shares>;

/** Every action that the audit trail can contain. */
export type AuditedAct = Extract<ManagementOperation, { readonly scope: `${string}:write` }>['id'] | AuditAct;

/** The calls that only the console's own pages make. */
export type PageOperation = OperationsOf<typeof session>;
