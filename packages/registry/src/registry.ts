import { randomBytes as systemRandomBytes } from 'node:crypto';
import type { RandomBytes } from '@tickrate/contract';
import type { DeclarationResult } from '@tickrate/events';
import { type PostgresSource, type Queryable, usePostgres } from '@tickrate/postgres';
import {
  type DeclareRequest,
  type DeclareResult,
  declareEventType,
  readNewDeclaration,
} from './event-types/declare-event-type.ts';
import {
  type EventTypeRecord,
  listEventTypes,
  type StatusRequest,
  setVersionStatus,
} from './event-types/event-types.ts';
import { createWeighingThread } from './event-types/weighing-thread.ts';
import { findConsoleKey } from './keys/console-key.ts';
import { type EditedKey, editKey, type KeyEdit } from './keys/edit-key.ts';
import {
  type KeyRevocation,
  type KeyRotation,
  type RevokedKey,
  type RotatedKey,
  revokeKey,
  rotateKey,
} from './keys/end-key.ts';
import { changeKeysAlone, holdMaker, keysMadeBy, limitKeysMadeBy } from './keys/key-lineage.ts';
import type { KeyRecord } from './keys/key-record.ts';
import { type CreatedKey, createKey, type KeyRequest, listKeys } from './keys/keys.ts';
import { createManagement, type RegistryManagement } from './management/management.ts';
import { beginDemo, type DemoProgress, type DemoRecord, findDemo, keepDemo } from './projects/demo-record.ts';
import {
  editPolicy,
  type PolicyRequest,
  type Resealing,
  readPolicies,
  resealProviders,
  setPolicy,
} from './projects/policies.ts';
import {
  createProject,
  endProject,
  listProjects,
  type Project,
  type ProjectEnd,
  type ProjectRequest,
} from './projects/projects.ts';
import { createShare, endSharesOf, type Share, sharesOf } from './projects/shares.ts';
import type { Sealer } from './store/provider-secrets.ts';

export type RegistryOptions = PostgresSource & {
  readonly now: () => number;
  readonly randomBytes?: RandomBytes;
  /** Seals the secrets of providers. A process that writes that policy needs it. */
  readonly sealer?: Sealer;
};

/** A person in a project. */
export interface KeyMaker {
  readonly projectId: string;
  readonly accountId: string;
}

/**
 * The control plane: writes take effect on every process within a second. Every call resolves after its commit. It
 * throws a SystemError for faults of the caller (1003, 3001, 3002) and PostgresUnavailable if Postgres is unavailable.
 */
export interface Registry extends RegistryManagement {
  createProject(request: ProjectRequest): Promise<Project>;
  /** The same in a transaction of the caller in the same database. The caller commits it. */
  inTransaction(tx: Queryable): Pick<
    Registry,
    'createProject' | 'createKey' | 'policies' | 'editPolicy' | 'createShare'
  > & {
    editKey(edit: KeyEdit): Promise<EditedKey>;
    /** The key as it is now, which cannot change until the transaction ends. Throws 2002 if it has ended. */
    holdKey(keyId: string): Promise<KeyRecord>;
    keysMadeBy(maker: KeyMaker): Promise<KeyRecord[]>;
    limitKeysMadeBy(limit: KeyMaker & { readonly scopes: readonly string[] }): Promise<KeyRecord[]>;
    /** The links that a person made. */
    sharesOf(maker: KeyMaker & { readonly keyIds: readonly string[] }): Promise<Share[]>;
    /** Ends the links that a person made. */
    endSharesOf(maker: KeyMaker): Promise<void>;
    revokeKey(revocation: KeyRevocation): Promise<RevokedKey>;
    rotateKey(rotation: KeyRotation): Promise<RotatedKey>;
    endProject(end: ProjectEnd): Promise<void>;
  };
  /** The simulated game. Null if no process plays it. */
  demo(): Promise<DemoRecord | null>;
  /** For the process that plays it: reports that it is there, and how far it is. Resolves with what it is to play. */
  keepDemo(progress: DemoProgress | null): Promise<DemoRecord>;
  /** Creates the project of the simulated game, unless it is there or no process plays it. */
  beginDemo(): Promise<void>;
  projects(): Promise<Project[]>;
  createKey(request: KeyRequest): Promise<CreatedKey>;
  keys(projectId: string): Promise<KeyRecord[]>;
  /** Also revokes all keys that it created. */
  revokeKey(keyId: string): Promise<KeyRecord>;
  rotateKey(rotation: KeyRotation): Promise<RotatedKey>;
  /**
   * The public key with which the console signs administrators in; creates it if there is none. Null while there is no
   * project. Requires a sealer.
   */
  consoleKey(): Promise<string | null>;
  declareEventType(request: DeclareRequest): Promise<DeclareResult>;
  /** Compiles a declaration that is not declared, with the same checks. Writes nothing. */
  readDeclaration(request: Pick<DeclareRequest, 'projectId' | 'declaration'>): Promise<DeclarationResult>;
  setVersionStatus(request: StatusRequest): Promise<void>;
  eventTypes(projectId: string): Promise<EventTypeRecord[]>;
  setPolicy(request: PolicyRequest): Promise<void>;
  /** The stored values. The secrets of providers are sealed; `openProviders` opens them. */
  policies(projectId: string): Promise<ReadonlyMap<string, object>>;
  /** Seals secrets that are plain, or sealed with an earlier key, with the current key. */
  resealProviders(): Promise<Resealing>;
  close(): Promise<void>;
}

/** Connects at first use. */
export function createRegistry(options: RegistryOptions): Registry {
  const { now, randomBytes = systemRandomBytes, sealer = null } = options;
  const { postgres: db, close } = usePostgres(options);
  const weighing = createWeighingThread();
  const deps = { db, now, randomBytes, sealer, weighing };
  return {
    ...createManagement(deps),
    createProject: (request) => createProject(deps, request),
    inTransaction(tx) {
      const inside = { ...deps, db: tx };
      return {
        createProject: (request) => createProject(inside, request),
        createKey: (request) => createKey(inside, request),
        policies: (projectId) => readPolicies(inside, projectId),
        editKey: (edit) => editKey(inside, edit),
        editPolicy: (edit) => editPolicy(inside, edit),
        createShare: (request) => createShare(inside, request),
        async holdKey(keyId) {
          await changeKeysAlone(tx);
          return holdMaker(inside, keyId);
        },
        keysMadeBy: (maker) => keysMadeBy(tx, maker),
        limitKeysMadeBy: (limit) => limitKeysMadeBy(tx, limit),
        sharesOf: (maker) => sharesOf(tx, maker),
        endSharesOf: (maker) => endSharesOf(tx, maker),
        revokeKey: (revocation) => revokeKey(inside, revocation),
        rotateKey: (rotation) => rotateKey(inside, rotation),
        endProject: (end) => endProject(inside, end),
      };
    },
    demo: () => findDemo(deps),
    keepDemo: (progress) => keepDemo(deps, progress),
    beginDemo: () => beginDemo(deps),
    projects: () => listProjects(deps),
    createKey: (request) => db.transaction((tx) => createKey({ ...deps, db: tx }, request)),
    keys: (projectId) => listKeys(deps, projectId),
    revokeKey: async (keyId) => (await db.transaction((tx) => revokeKey({ ...deps, db: tx }, { keyId }))).key,
    rotateKey: (rotation) => db.transaction((tx) => rotateKey({ ...deps, db: tx }, rotation)),
    consoleKey: () => db.transaction((tx) => findConsoleKey({ ...deps, db: tx })),
    declareEventType: (request) => declareEventType(deps, request),
    readDeclaration: (request) => readNewDeclaration(deps, request),
    setVersionStatus: (request) => setVersionStatus(db, request),
    eventTypes: (projectId) => listEventTypes(db, { projectId }),
    setPolicy: (request) => setPolicy(deps, request),
    policies: (projectId) => readPolicies(deps, projectId),
    resealProviders: () => resealProviders(deps),
    async close() {
      await weighing.close();
      await close();
    },
  };
}
