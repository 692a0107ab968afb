import type { RegistryCache } from '@tickrate/registry';
import type { EventTypes } from './calls/event-types.ts';
import type { ExplainUndeclared } from './calls/undeclared.ts';
import type { GatewayConfig } from './config.ts';
import type { GatewayEvents } from './gateway-events.ts';
import type { BodyBudget } from './limits/body-budget.ts';
import type { OverloadCheck } from './limits/overload-check.ts';
import type { QuotaBook } from './limits/quota-book.ts';
import type { Rates } from './limits/rates.ts';
import type { RowBuffers } from './reading/row-buffers.ts';
import type { RejectionLog } from './rejecting/rejection-log.ts';
import type { AcceptedCounts } from './storing/accepted-counts.ts';
import type { Coalescer } from './storing/coalescer.ts';
import type { KeyCheck } from './storing/key-check.ts';

/** The parts that an insert call passes, in this order. `app.ts` creates them, and the functions of the rooms take them. */
export interface GatewayParts {
  readonly config: Pick<GatewayConfig, 'storeClientAddress' | 'streamBytes' | 'streamIdleMs'>;
  readonly events: GatewayEvents;
  readonly overload: OverloadCheck;
  /** Keys, event types and policies of projects, cached from PostgreSQL. */
  readonly registry: RegistryCache;
  readonly rates: Rates;
  readonly quotas: QuotaBook;
  readonly eventTypes: EventTypes;
  readonly explainUndeclared: ExplainUndeclared;
  readonly bodies: BodyBudget;
  readonly rowBuffers: RowBuffers;
  readonly rejections: RejectionLog;
  readonly keyCheck: KeyCheck;
  /** Packs rows into chunks and sends these to the queue. */
  readonly coalescer: Coalescer;
  readonly accepted: AcceptedCounts;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Returns numbers from 0 to less than 1. */
  readonly random: () => number;
}
