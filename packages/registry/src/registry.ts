import { randomBytes as systemRandomBytes } from 'node:crypto';
import { objectNotFound, type RandomBytes } from '@tickrate/contract';
import { type PostgresSource, type Queryable, usePostgres } from '@tickrate/postgres';
import { type Act, type ActPage, beginAct, endAct, pageOfActs } from './acts.ts';
import {
  type DeclareRequest,
  declareEventType,
  readNewDeclaration,
} from './event-types/declare-event-type.ts';
import {
  countViewFaults,
  type EventTypePage,
  type EventTypeRecord,
  listEventTypes,
  listViewFaults,
  type StatusRequest,
  setVersionStatus,
} from './event-types/event-types.ts';
import { createWeighingThread } from './event-types/weighing-thread.ts';
import { findConsoleKey } from './keys/console-key.ts';
import { editKey, findKey, type KeyEdit, type KeyPage, type KeyPlace, pageOfKeys } from './keys/edit-key.ts';
import { type KeyRevocation, type KeyRotation, revokeKey, rotateKey } from './keys/end-key.ts';
import {
  changeKeysAlone,
  holdMaker,
  type KeyMaker,
  keysMadeBy,
  limitKeysMadeBy,
} from './keys/key-lineage.ts';
import { createKey, type KeyRequest, listKeys } from './keys/keys.ts';
import { beginDemo, type DemoProgress, findDemo, keepDemo } from './projects/demo-record.ts';
import {
  editPolicy,
  type PolicyEdit,
  type PolicyRequest,
  readPolicies,
  resealProviders,
  setPolicy,
} from './projects/policies.ts';
import {
  createProject,
  editProject,
  endProject,
  findProject,
  listProjects,
  type ProjectEdit,
  type ProjectEnd,
  type ProjectRequest,
  projectLineage,
} from './projects/projects.ts';
import {
  deleteSaved,
  editSaved,
  findSaved,
  findSavedIds,
  pageOfSaved,
  type SavedEdit,
  type SavedIds,
  type SavedPage,
  type SavedPlace,
  type SavedRecord,
  save,
} from './projects/saved.ts';
import {
  createShare,
  endSharesOf,
  findSharedDashboard,
  pageOfShares,
  revokeShare,
  type Share,
  type SharePage,
  type ShareRequest,
  sharesOf,
} from './projects/shares.ts';
import type { Sealer } from './store/provider-secrets.ts';
import type { RegistryDeps } from './store/registry-deps.ts';

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
  const inTransaction = (tx: Queryable) => callsInside({ ...deps, db: tx });
  const inOwnTransaction = <T>(work: (inside: RegistryDeps) => Promise<T>) =>
    db.transaction((tx) => work({ ...deps, db: tx }));
  return {
    ...callsOnEventTypes(db),
    ...callsOnSaved(deps),
    beginAct: (act: Omit<Act, 'outcome'>) => beginAct(db, act),
    endAct: (end: Pick<Act, 'id' | 'outcome' | 'details'>) => endAct(db, end),
    actPage: (page: ActPage) => pageOfActs(db, page),
    /** Calls in a transaction of the caller in the same database. The caller commits it. */
    inTransaction,
    /** The simulated game. Null if no process plays it. */
    demo: () => findDemo(deps),
    keepDemo: (progress: DemoProgress | null) => keepDemo(deps, progress),
    beginDemo: () => inOwnTransaction(beginDemo),
    createProject: (request: ProjectRequest) => createProject(deps, request),
    projects: () => listProjects(db),
    project: (projectId: string) => findProject(db, projectId),
    editProject: (edit: ProjectEdit) => inOwnTransaction((inside) => editProject(inside.db, edit)),
    projectLineage: (projectId: string) => projectLineage(db, projectId),
    createKey: (request: KeyRequest) => inOwnTransaction((inside) => createKey(inside, request)),
    keys: (projectId: string) => listKeys(db, projectId),
    key: (place: KeyPlace) => findKey(db, place),
    keyPage: (page: KeyPage) => pageOfKeys(db, page),
    editKey: async (edit: KeyEdit) => (await inOwnTransaction((inside) => editKey(inside, edit))).edited,
    revokeKey: async (keyId: string) =>
      (await inOwnTransaction((inside) => revokeKey(inside, { keyId }))).key,
    rotateKey: (rotation: KeyRotation) => inOwnTransaction((inside) => rotateKey(inside, rotation)),
    consoleKey: () => inOwnTransaction(findConsoleKey),
    declareEventType: (request: DeclareRequest) => declareEventType({ db, now, weighing }, request),
    /** Compiles a declaration that is not declared, with the same checks. Writes nothing. */
    readDeclaration: (request: Pick<DeclareRequest, 'projectId' | 'declaration'>) =>
      readNewDeclaration({ weighing }, request),
    setPolicy: (request: PolicyRequest) => setPolicy(deps, request),
    editPolicy: (edit: PolicyEdit) => inOwnTransaction((inside) => editPolicy(inside, edit)),
    /** The stored values. The secrets of providers are sealed; `openProviders` opens them. */
    policies: (projectId: string) => readPolicies(db, projectId),
    resealProviders: () => resealProviders(deps),
    editSaved: (edit: SavedEdit) => inOwnTransaction((inside) => editSaved(inside.db, edit)),
    async close() {
      await weighing.close();
      await close();
    },
  };
}

function callsOnSaved(deps: RegistryDeps) {
  const { db } = deps;
  return {
    save: (record: Omit<SavedRecord, 'id' | 'createdMs'>) => save(deps, record),
    savedPage: (page: SavedPage) => pageOfSaved(db, page),
    savedRecord: (place: SavedPlace) => findSaved(db, place),
    savedIds: (asked: SavedIds) => findSavedIds(db, asked),
    deleteSaved: (place: SavedPlace) => deleteSaved(db, place),
    createShare: (request: ShareRequest) => createShare(deps, request),
    sharePage: (page: SharePage) => pageOfShares(db, page),
    revokeShare: (place: Pick<Share, 'projectId' | 'id'>) => revokeShare(db, place),
    sharedDashboard: (token: string) => findSharedDashboard(deps, token),
  };
}

function callsInside(deps: RegistryDeps) {
  const { db } = deps;
  return {
    createProject: (request: ProjectRequest) => createProject(deps, request),
    endProject: (end: ProjectEnd) => endProject(deps, end),
    createKey: (request: KeyRequest) => createKey(deps, request),
    editKey: (edit: KeyEdit) => editKey(deps, edit),
    revokeKey: (revocation: KeyRevocation) => revokeKey(deps, revocation),
    rotateKey: (rotation: KeyRotation) => rotateKey(deps, rotation),
    /** The key as it is now, which cannot change until the transaction ends. Throws 2002 if it has ended. */
    async holdKey(keyId: string) {
      await changeKeysAlone(db);
      return holdMaker(deps, keyId);
    },
    keysMadeBy: (maker: KeyMaker) => keysMadeBy(db, maker),
    limitKeysMadeBy: (limit: KeyMaker & { readonly scopes: readonly string[] }) => limitKeysMadeBy(db, limit),
    policies: (projectId: string) => readPolicies(db, projectId),
    editPolicy: (edit: PolicyEdit) => editPolicy(deps, edit),
    createShare: (request: ShareRequest) => createShare(deps, request),
    sharesOf: (maker: KeyMaker & { readonly keyIds: readonly string[] }) => sharesOf(db, maker),
    endSharesOf: (maker: KeyMaker) => endSharesOf(db, maker),
  };
}

function callsOnEventTypes(db: Queryable) {
  return {
    eventTypes: (projectId: string) => listEventTypes(db, { projectId }),
    eventTypePage: (page: EventTypePage) => listEventTypes(db, page),
    /** Throws 3001. */
    async eventType(projectId: string, name: string): Promise<EventTypeRecord> {
      const [found] = await listEventTypes(db, { projectId, name });
      if (found === undefined || found.versions.length === 0) {
        throw objectNotFound('eventType', name);
      }
      return found;
    },
    setVersionStatus: (request: StatusRequest) => setVersionStatus(db, request),
    viewFaults: (projectId: string) => countViewFaults(db, projectId),
    viewFaultTypes: (projectId: string) => listViewFaults(db, projectId),
  };
}
