import type { Database } from '@tickrate/accounts';
import type { Operation, RandomBytes } from '@tickrate/contract';
import type { Erasures, Fleet, Producer, Quarantine, QueueMonitor, Usage } from '@tickrate/pipeline';
import type { RequestContext } from '@tickrate/platform';
import type { Registry, RegistryCache } from '@tickrate/registry';
import type { Warehouse } from '@tickrate/warehouse';
import type { AdmitDeps } from './server/calls/admit-caller.ts';
import type { Caller } from './server/calls/caller.ts';
import type { LiveHub } from './server/live/live-hub.ts';
import type { AskAuth } from './server/session/ask-auth.ts';
import type { ProjectPreparer } from './server/session/prepare-projects.ts';
import type { SessionCookie } from './server/session/session-cookie.ts';

/** Everything that the calls of the console use. `app.ts` creates it, and the functions of the rooms take it. */
export interface ConsoleParts {
  readonly accounts: Database;
  readonly registry: Registry;
  readonly cache: RegistryCache;
  readonly warehouse: Warehouse;
  readonly quarantine: Quarantine;
  readonly erasures: Erasures;
  readonly usage: Usage;
  readonly fleet: Fleet;
  readonly monitor: QueueMonitor;
  readonly producer: Producer;
  readonly hub: LiveHub;
  readonly preparer: ProjectPreparer;
  readonly cookie: SessionCookie;
  readonly askAuth: AskAuth;
  readonly checkRates: AdmitDeps['checkRates'];
  /** The caller of a call, with what it may do now. Rejects like the admission of a call, and counts nothing. */
  readonly authorize: (context: RequestContext, operation: Operation) => Promise<Caller>;
  /** Null if mails are not shown. */
  readonly openMail: ((body: Buffer) => string | null) | null;
  readonly addresses: { readonly gateway: string | null; readonly auth: string | null };
  /** Allows providers at private addresses and without TLS, as sign-in does with the same setting. */
  readonly development: boolean;
  readonly now: () => number;
  readonly newId: () => string;
  readonly randomBytes: RandomBytes;
  /** Receives the reason why a part of an answer is missing. */
  readonly onFault: (error: unknown) => void;
}
