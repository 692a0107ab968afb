import type { Operation } from '@tickrate/contract';
import type * as analyses from './server/analysis-operations.ts';
import type * as audit from './server/audit-operations.ts';
import type * as eventTools from './server/event-tool-operations.ts';
import type * as eventTypes from './server/event-type-operations.ts';
import type * as invitations from './server/invitation-operations.ts';
import type * as keys from './server/key-operations.ts';
import type * as members from './server/member-operations.ts';
import type * as outbox from './server/outbox-operations.ts';
import type * as pipeline from './server/pipeline-operations.ts';
import type * as players from './server/player-operations.ts';
import type * as policies from './server/policy-operations.ts';
import type * as privacy from './server/privacy-operations.ts';
import type * as projects from './server/project-operations.ts';
import type * as quarantine from './server/quarantine-operations.ts';
import type * as queries from './server/query-operations.ts';

type OperationsOf<M> = Extract<M[keyof M], Operation>;

/** Every call of the management API. Clients of ours take their types from it; it has no value at run time. */
export type ManagementOperation =
  | OperationsOf<typeof analyses>
  | OperationsOf<typeof audit>
  | OperationsOf<typeof eventTools>
  | OperationsOf<typeof eventTypes>
  | OperationsOf<typeof invitations>
  | OperationsOf<typeof keys>
  | OperationsOf<typeof members>
  | OperationsOf<typeof outbox>
  | OperationsOf<typeof pipeline>
  | OperationsOf<typeof players>
  | OperationsOf<typeof policies>
  | OperationsOf<typeof privacy>
  | OperationsOf<typeof projects>
  | OperationsOf<typeof quarantine>
  | OperationsOf<typeof queries>;
