import { randomBytes as systemRandomBytes } from 'node:crypto';
import type { RandomBytes } from '@tickrate/contract';
import { type PostgresSource, type Queryable, usePostgres } from '@tickrate/postgres';
import { beginAct, endAct, pageOfActs } from './acts.ts';
import { declareEventType, readNewDeclaration } from './event-types/declare-event-type.ts';
import {
  countViewFaults,
  findEventType,
  listEventTypes,
  listViewFaults,
  setVersionStatus,
} from './event-types/event-types.ts';
import { createWeighingThread } from './event-types/weighing-thread.ts';
import { findConsoleKey } from './keys/console-key.ts';
import { editKey, findKey, pageOfKeys } from './keys/edit-key.ts';
import { revokeKey, rotateKey } from './keys/end-key.ts';
import { holdKey, keysMadeBy, limitKeysMadeBy } from './keys/key-lineage.ts';
import { createKey, listKeys } from './keys/keys.ts';
import { beginDemo, findDemo, keepDemo } from './projects/demo-record.ts';
import { editPolicy, readPolicies, resealProviders, setPolicy } from './projects/policies.ts';
import {
  createProject,
  editProject,
  endProject,
  findProject,
  listProjects,
  projectLineage,
} from './projects/projects.ts';
import { deleteSaved, editSaved, findSaved, findSavedIds, pageOfSaved, save } from './projects/saved.ts';
import {
  createShare,
  endSharesOf,
  findSharedDashboard,
  pageOfShares,
  revokeShare,
  sharesOf,
} from './projects/shares.ts';
import type { Sealer } from './store/provider-secrets.ts';

export type RegistryOptions = PostgresSource & {
  readonly now: () => number;
  readonly randomBytes?: RandomBytes;
  /** Seals the secrets of providers. A process that writes that policy needs it. */
  readonly sealer?: Sealer;
};

/**
 * The control plane: writes take effect on every process within a second. Every call resolves after its commit. It
 * throws a SystemError for faults of the caller (1003, 3001, 3002) and PostgresUnavailable if Postgres is unavailable.
 */
export type Registry = ReturnType<typeof createRegistry>;

/** Connects at first use. */
export function createRegistry(options: RegistryOptions) {
  const { now, randomBytes = systemRandomBytes, sealer = null } = options;
  const { postgres: db, close } = usePostgres(options);
  const weighing = createWeighingThread();
  const deps = { db, now, randomBytes, sealer };
  return {
    ...bind(callsOnRows, (call) => call(db)),
    ...bind(calls, (call) => call(deps)),
    ...bind(changes, (change) => db.transaction(async (tx) => change({ ...deps, db: tx }))),
    ...bind({ declareEventType, readDeclaration: readNewDeclaration }, (call) => call({ db, now, weighing })),
    eventTypes: (projectId: string) => listEventTypes(db, { projectId }),
    /** Calls in a transaction of the caller in the same database. The caller commits it. */
    inTransaction: (tx: Queryable) => ({
      ...bind(stepsOnRows, (step) => step(tx)),
      ...bind(steps, (step) => step({ ...deps, db: tx })),
    }),
    async close() {
      await weighing.close();
      await close();
    },
  };
}

const callsOnRows = {
  beginAct,
  endAct,
  actPage: pageOfActs,
  projects: listProjects,
  project: findProject,
  projectLineage,
  keys: listKeys,
  key: findKey,
  keyPage: pageOfKeys,
  policies: readPolicies,
  eventTypePage: listEventTypes,
  eventType: findEventType,
  setVersionStatus,
  viewFaults: countViewFaults,
  viewFaultTypes: listViewFaults,
  savedPage: pageOfSaved,
  savedRecord: findSaved,
  savedIds: findSavedIds,
  deleteSaved,
  sharePage: pageOfShares,
  revokeShare,
};

const calls = {
  demo: findDemo,
  keepDemo,
  createProject,
  setPolicy,
  resealProviders,
  save,
  createShare,
  sharedDashboard: findSharedDashboard,
};

/** Each is one transaction. */
const changes = {
  beginDemo,
  editProject,
  createKey,
  editKey,
  revokeKey,
  rotateKey,
  consoleKey: findConsoleKey,
  editPolicy,
  editSaved,
};

const stepsOnRows = { keysMadeBy, limitKeysMadeBy, policies: readPolicies, sharesOf, endSharesOf };

/** For a transaction of the caller. */
const steps = {
  createProject,
  endProject,
  createKey,
  editKey,
  revokeKey,
  rotateKey,
  holdKey,
  editPolicy,
  createShare,
};

type Call<Given> = (given: Given, ...args: never[]) => unknown;
type Bound<Calls> = {
  readonly [Name in keyof Calls]: Calls[Name] extends (given: never, ...args: infer Args) => infer Result
    ? (...args: Args) => Result
    : never;
};

/** The same calls without their first argument, which `run` gives. */
function bind<Given, Calls extends Readonly<Record<string, Call<Given>>>>(
  table: Calls & Readonly<Record<string, Call<Given>>>,
  run: (call: (given: Given) => unknown) => unknown,
): Bound<Calls> {
  const bound = Object.entries(table).map(([name, call]) => [
    name,
    (...args: never[]) => run((given) => call(given, ...args)),
  ]);
  return Object.fromEntries(bound) as Bound<Calls>;
}
