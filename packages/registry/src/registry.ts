import { randomBytes as systemRandomBytes } from 'node:crypto';
import type { RandomBytes } from '@tickrate/contract';
import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import {
  type DeclareRequest,
  type DeclareResult,
  declareEventType,
} from './event-types/declare-event-type.ts';
import {
  type EventTypeRecord,
  listEventTypes,
  type StatusRequest,
  setVersionStatus,
} from './event-types/event-types.ts';
import { createWeighingThread } from './event-types/weighing-thread.ts';
import { findConsoleKey } from './keys/console-key.ts';
import {
  type KeyRevocation,
  type KeyRotation,
  type RevokedKey,
  type RotatedKey,
  revokeKey,
  rotateKey,
} from './keys/end-key.ts';
import type { KeyRecord } from './keys/key-record.ts';
import { type CreatedKey, createKey, type KeyRequest, listKeys } from './keys/keys.ts';
import { createManagement, type RegistryManagement } from './management/management.ts';
import {
  type PolicyRequest,
  type Resealing,
  readPolicies,
  resealProviders,
  setPolicy,
} from './projects/policies.ts';
import { createProject, listProjects, type Project, type ProjectRequest } from './projects/projects.ts';
import { translateDatabaseFault } from './store/database-fault.ts';
import type { RegistryDatabase } from './store/database-schema.ts';
import { onTransaction, type Statements } from './store/on-transaction.ts';
import type { Sealer } from './store/provider-secrets.ts';
import { createRegistryPool } from './store/registry-pool.ts';

export interface RegistryOptions {
  readonly postgresUrl: string;
  readonly now: () => number;
  readonly randomBytes?: RandomBytes;
  /** Called for every lost connection. The next call opens a new one. */
  readonly onFault?: (error: unknown) => void;
  readonly maxConnections?: number;
  /** Seals the secrets of providers. A process that writes that policy needs it. */
  readonly sealer?: Sealer;
}

/**
 * The control plane: writes take effect on every process within a second. Every call resolves after its commit. It
 * throws a SystemError for faults of the caller (1003, 3001, 3002) and RegistryUnavailable if Postgres is unavailable.
 */
export interface Registry extends RegistryManagement {
  createProject(request: ProjectRequest): Promise<Project>;
  /** The same on a transaction of the caller. The caller commits it and handles faults of Postgres. */
  within(transaction: Statements): Pick<Registry, 'createProject' | 'createKey'> & {
    revokeKey(revocation: KeyRevocation): Promise<RevokedKey>;
    rotateKey(rotation: KeyRotation): Promise<RotatedKey>;
  };
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
  setVersionStatus(request: StatusRequest): Promise<void>;
  eventTypes(projectId: string): Promise<EventTypeRecord[]>;
  setPolicy(request: PolicyRequest): Promise<void>;
  /** The stored values. The secrets of providers are sealed; `openProviders` opens them. */
  policies(projectId: string): Promise<ReadonlyMap<string, object>>;
  /** Seals secrets that are plain, or sealed with an earlier key, with the current key. */
  resealProviders(): Promise<Resealing>;
  close(): Promise<void>;
}

const callTimeoutMs = 10_000;

/** Connects at first use. */
export function createRegistry(options: RegistryOptions): Registry {
  const { now, randomBytes = systemRandomBytes, maxConnections = 5, onFault = () => undefined } = options;
  const { pool, close } = createRegistryPool({
    postgresUrl: options.postgresUrl,
    maxConnections,
    timeoutMs: callTimeoutMs,
    onFault,
  });
  const database = new Kysely<RegistryDatabase>({ dialect: new PostgresDialect({ pool }) });
  const weighing = createWeighingThread();
  const deps = { database, now, randomBytes, sealer: options.sealer ?? null, weighing };
  const inTransaction = <T>(work: (transaction: Transaction<RegistryDatabase>) => Promise<T>) =>
    translated(database.transaction().execute(work));
  return {
    ...translatedCalls(createManagement(deps)),
    createProject: (request) => translated(createProject(deps, request)),
    within(transaction) {
      const inside = { ...deps, database: onTransaction(transaction) };
      return {
        createProject: (request) => createProject(inside, request),
        createKey: (request) => createKey(inside, request),
        revokeKey: (revocation) => revokeKey(inside, revocation),
        rotateKey: (rotation) => rotateKey(inside, rotation),
      };
    },
    projects: () => translated(listProjects(deps)),
    createKey: (request) => inTransaction((database) => createKey({ ...deps, database }, request)),
    keys: (projectId) => translated(listKeys(deps, projectId)),
    revokeKey: async (keyId) =>
      (await inTransaction((database) => revokeKey({ ...deps, database }, { keyId }))).key,
    rotateKey: (rotation) => inTransaction((database) => rotateKey({ ...deps, database }, rotation)),
    consoleKey: () => inTransaction((database) => findConsoleKey({ ...deps, database })),
    declareEventType: (request) => translated(declareEventType(deps, request)),
    setVersionStatus: (request) => translated(setVersionStatus(database, request)),
    eventTypes: (projectId) => translated(listEventTypes(database, { projectId })),
    setPolicy: (request) => translated(setPolicy(deps, request)),
    policies: (projectId) => translated(readPolicies(deps, projectId)),
    resealProviders: () => translated(resealProviders(deps)),
    async close() {
      await weighing.close();
      await close();
    },
  };
}

async function translated<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw translateDatabaseFault(error);
  }
}

/** Wraps every call of `calls` and translates the faults of Postgres. */
function translatedCalls<T extends object>(calls: T): T {
  const entries = Object.entries(calls).map(
    ([name, call]: [string, (...given: unknown[]) => Promise<unknown>]) => [
      name,
      (...given: unknown[]) => translated(call(...given)),
    ],
  );
  return Object.fromEntries(entries) as T;
}
