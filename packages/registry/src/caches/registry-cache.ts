import { hashApiKey, type KeyKind, parseApiKeyText } from '@tickrate/contract';
import { RecentMap } from '@tickrate/platform';
import { type PostgresSource, type Queryable, usePostgres } from '@tickrate/postgres';
import { ChangeFeed, type ChangeFeedOptions } from '../changes/change-feed.ts';
import type { EventType } from '../event-types/event-type.ts';
import {
  createEventTypeSource,
  createStoredDeclarationCompiler,
  eventTypeKey,
} from '../event-types/event-type.ts';
import { isEventTypeName } from '../event-types/event-type-name.ts';
import { createKeyUsage } from '../keys/key-usage.ts';
import { createPrincipalSource, type Principal } from '../keys/principal.ts';
import { createPolicyCache, type PolicyCache, type ProjectPolicies } from '../projects/policy-cache.ts';
import { createSettingsSource, type ProjectSettings } from '../projects/settings-source.ts';
import { LookupCache } from './lookup-cache.ts';

export type RegistryCacheOptions = PostgresSource & {
  readonly now: () => number;
  /** Called for faults that the cache recovered from: a lost connection or a failed poll. */
  readonly onFault: (error: unknown) => void;
  readonly maxKeys?: number;
  /** How long cached entries are served while Postgres is unavailable. */
  readonly maxStaleMs?: number;
  readonly usageFlushMs?: number;
};

/** The registry's data in a process: answers from memory, at most one second old, as PostgreSQL notifies of each change. */
export interface RegistryCache {
  /** Rejects with PostgresUnavailable if Postgres is unavailable: a process cannot start without it. */
  start(): Promise<void>;
  /** Writes pending data and closes every connection. */
  stop(): Promise<void>;
  /** False while changes cannot be followed. Cached entries are still served for `maxStaleMs`. */
  healthy(): boolean;
  /**
   * Returns the owner of this key, or null if the key is malformed, unknown, revoked or expired. Synchronous if known
   * here. The promise rejects with PostgresUnavailable if it is not known here and Postgres is unavailable.
   */
  principal(keyText: string): Principal | null | Promise<Principal | null>;
  /**
   * For a key for which `principal` returns null: the id of its session if that has ended or expired, else null.
   * Synchronous and rejecting like `principal`.
   */
  endedSession(keyText: string): string | null | Promise<string | null>;
  /**
   * For a key for which `principal` returns null: its owner, if it is a session that may still send events, else null.
   * Synchronous and rejecting like `principal`.
   */
  lateSender(keyText: string): Principal | null | Promise<Principal | null>;
  /** Null if the project does not have the type. Synchronous and rejecting like `principal`. */
  eventType(projectId: string, name: string): EventType | null | Promise<EventType | null>;
  /** The names of the declared types, 1,000 at most; not cached. Rejects with PostgresUnavailable. */
  declaredNames(projectId: string): Promise<readonly string[]>;
  /**
   * Returns a policy of the project. Synchronous if known here. Never rejects: if a value cannot be read, or is stored
   * in an invalid form, it calls `onFault` and returns the last known value, or no value.
   */
  policies(projectId: string): ProjectPolicies | Promise<ProjectPolicies>;
  /**
   * Returns all settings of the project: the same object until a setting changes, or null if the project does not
   * exist. Synchronous and rejecting like `principal`.
   */
  settings(projectId: string): ProjectSettings | null | Promise<ProjectSettings | null>;
}

const healthyMs = 3_000;
const queryTimeoutMs = 2_000;
const maxAbsent = 20_000;
const maxProjects = 20_000;
/** The limit of all cached event types, including their compiled parts. */
const typesBytes = 256 * 1024 * 1024;

/**
 * Keys and event types are looked up on demand, kept in bounded maps, and dropped if the change feed names them.
 * Nothing is read in bulk, so a million keys cost nothing. An expiry causes no change: it is checked at every use.
 */
export function createRegistryCache(options: RegistryCacheOptions): RegistryCache {
  const { now, onFault, maxStaleMs = 600_000, maxKeys = 100_000 } = options;
  const { postgres, close } = usePostgres(options);
  const db = postgres.withTimeout(queryTimeoutMs);
  const staleMs = () => now() - (feed.syncedMs ?? Number.NEGATIVE_INFINITY);
  const caches = createCaches(options, db, () => staleMs() <= maxStaleMs);
  const feed = new ChangeFeed({ ...options, ...changesInto(caches), postgres });
  const usage = createKeyUsage(db, now);
  const hashOf = createKeyHasher(maxKeys);
  let usageTimer: NodeJS.Timeout | undefined;

  const admit = (principal: Principal | null): Principal | null => {
    if (principal === null) return null;
    if (principal.expiresMs !== null && principal.expiresMs <= now()) return null;
    if (principal.kind !== 'session') usage.note(principal.keyId);
    return principal;
  };

  const endedId = (principal: Principal | null) =>
    admit(principal) === null ? (principal?.sessionId ?? null) : null;
  const late = (principal: Principal | null) =>
    (principal?.lateEventsUntilMs ?? Number.NEGATIVE_INFINITY) > now() ? principal : null;
  const find = <T>(keyText: string, read: (principal: Principal | null) => T): T | Promise<T> => {
    const key = hashOf(keyText);
    const found = key && caches[key.kind === 'session' ? 'session' : 'key'].get(key.hash);
    return found instanceof Promise ? found.then(read) : read(found);
  };

  return {
    async start() {
      await feed.start();
      usageTimer = setInterval(() => void usage.flush().catch(onFault), options.usageFlushMs ?? 10_000);
    },
    async stop() {
      clearInterval(usageTimer);
      await feed.stop();
      await usage.flush().catch(onFault);
      await close();
    },
    healthy: () => staleMs() <= healthyMs,
    principal: (keyText) => find(keyText, admit),
    endedSession: (keyText) => find(keyText, endedId),
    lateSender: (keyText) => find(keyText, late),
    ...ofProjects(caches),
    async declaredNames(projectId) {
      const rows = await db.query<{ name: string }>(
        'SELECT name FROM registry.event_types WHERE project_id = $1 ORDER BY name LIMIT 1000',
        [projectId],
      );
      return rows.map(({ name }) => name);
    },
  };
}

function ofProjects({
  type,
  policy,
  settings,
}: Caches): Pick<RegistryCache, 'eventType' | 'policies' | 'settings'> {
  return {
    eventType: (projectId, name) => (isEventTypeName(name) ? type.get(eventTypeKey(projectId, name)) : null),
    policies: (projectId) => policy.get(projectId),
    settings: (projectId) => settings.get(projectId),
  };
}

/** By the first word of a change's subject. */
interface Caches {
  readonly key: LookupCache<Principal>;
  readonly session: LookupCache<Principal>;
  readonly type: LookupCache<EventType>;
  readonly policy: PolicyCache;
  /** Changes together with the policies. */
  readonly settings: LookupCache<ProjectSettings>;
}

function bytesOf({ versions }: EventType): number {
  let bytes = 1_000;
  for (const version of versions.values()) bytes += version.bytes();
  return bytes;
}

function createCaches(options: RegistryCacheOptions, db: Queryable, trusted: () => boolean): Caches {
  const { maxKeys = 100_000, onFault } = options;
  const principals = (of: 'keys' | 'sessions') =>
    new LookupCache({ load: createPrincipalSource(db, of), trusted, maxPresent: maxKeys, maxAbsent });
  const load = createEventTypeSource(db, createStoredDeclarationCompiler());
  return {
    key: principals('keys'),
    session: principals('sessions'),
    type: new LookupCache({
      load,
      trusted,
      maxPresent: { weight: typesBytes, weigh: bytesOf },
      maxAbsent,
    }),
    policy: createPolicyCache({ db, trusted, onFault }),
    settings: new LookupCache({
      load: createSettingsSource(db),
      trusted,
      maxPresent: maxProjects,
      maxAbsent,
    }),
  };
}

function changesInto(caches: Caches): Pick<ChangeFeedOptions, 'onChange' | 'onReset'> {
  return {
    onChange(subject) {
      const colon = subject.indexOf(':');
      const kind = subject.slice(0, colon);
      if (kind === 'key' || kind === 'session' || kind === 'type' || kind === 'policy') {
        caches[kind].invalidate(subject.slice(colon + 1));
        if (kind === 'policy') caches.settings.invalidate(subject.slice(colon + 1));
      }
    },
    onReset() {
      for (const cache of Object.values(caches)) cache.clear();
    },
  };
}

interface HashedKey {
  readonly kind: KeyKind;
  readonly hash: string;
}

/** Checks and hashes the text of a key once while it is in use. */
function createKeyHasher(capacity: number): (keyText: string) => HashedKey | null {
  const hashed = new RecentMap<string, HashedKey>(capacity);
  return (keyText) => {
    const known = hashed.get(keyText);
    if (known) return known;
    const kind = parseApiKeyText(keyText);
    if (kind === null) return null;
    const key = { kind, hash: hashApiKey(keyText).toString('hex') };
    hashed.set(keyText, key);
    return key;
  };
}
