import type { ClickHouse } from '../clickhouse.ts';
import type { WarehousePlace } from '../events-table.ts';
import { WarehouseFault } from '../warehouse-fault.ts';
import { createProjectAccess, createSharedAccess, type ProjectUser, projectUser } from './project-access.ts';
import { type QueryLimits, queryLimits } from './query-limits.ts';

export interface ProjectUsersOptions {
  readonly place: WarehousePlace;
  readonly timeoutMs: number;
  readonly limits?: Partial<QueryLimits> | undefined;
  /** `auto`: where the server has users and this one may make more. */
  readonly mode: QueryUsers;
  /** What passwords are derived from; the same in every process. */
  readonly secret: string;
  /** Told once why there are no users although they were to be, or each time that a query is not run for it. */
  readonly onHindrance: (reason: string) => void;
}

export type QueryUsers = 'auto' | 'required' | 'off';

export type ProjectUserFinding =
  /** Queries run as this user. */
  | { readonly kind: 'user'; readonly user: ProjectUser }
  /** Queries run as the one that the warehouse is connected as. */
  | { readonly kind: 'none' }
  /** They may not run: users are required, and there are none. */
  | { readonly kind: 'impossible' };

/** The user at the server that each project's queries run as. */
export interface ProjectUsers {
  /** Makes the user, or mends it, when it is first asked for. Throws a WarehouseFault that may pass. */
  find(projectId: string): Promise<ProjectUserFinding>;
  /** The server refused the user: it is made anew when it is next asked for. */
  forget(projectId: string): void;
}

const rememberedUsers = 10_000;

export function createProjectUsers(clickhouse: ClickHouse, options: ProjectUsersOptions): ProjectUsers {
  const { place, timeoutMs, mode, secret, onHindrance } = options;
  const limits = { ...queryLimits, ...options.limits };
  const made = new Map<string, ProjectUser>();
  let hindrance: string | null | undefined;
  let isShared = false;

  async function run(statements: readonly string[]): Promise<void> {
    for (const statement of statements) await clickhouse.command(statement, { timeoutMs });
  }

  async function make(projectId: string): Promise<ProjectUser> {
    if (!isShared) await run(createSharedAccess(place, limits));
    isShared = true;
    const user = projectUser(place, projectId, secret);
    await run(createProjectAccess(place, projectId, user));
    if (made.size >= rememberedUsers) made.clear();
    made.set(projectId, user);
    return user;
  }

  function withoutUser(reason: string): ProjectUserFinding {
    if (mode !== 'required') return { kind: 'none' };
    onHindrance(reason);
    return { kind: 'impossible' };
  }

  async function findOrMake(projectId: string): Promise<ProjectUserFinding> {
    try {
      return { kind: 'user', user: made.get(projectId) ?? (await make(projectId)) };
    } catch (error) {
      if (!(error instanceof WarehouseFault) || error.transient) throw error;
      // Not asked for again: what the server refuses now it refuses until somebody changes it.
      hindrance = `users cannot be made: ${error.message}`;
      if (mode === 'auto') onHindrance(hindrance);
      return withoutUser(hindrance);
    }
  }

  return {
    async find(projectId) {
      if (mode === 'off' || (mode === 'auto' && place.cluster !== null)) return { kind: 'none' };
      if (hindrance === undefined) hindrance = await findHindrance(clickhouse, timeoutMs);
      if (hindrance !== null) return withoutUser(hindrance);
      return findOrMake(projectId);
    },
    forget(projectId) {
      made.delete(projectId);
      isShared = false;
    },
  };
}

const neededRights = [
  ...['CREATE USER', 'ALTER USER', 'CREATE ROLE', 'ROLE ADMIN', 'CREATE ROW POLICY', 'ALTER ROW POLICY'],
  ...['CREATE QUOTA', 'ALTER QUOTA', 'CREATE SETTINGS PROFILE', 'ALTER SETTINGS PROFILE'],
];

/** Why no users can be made at this server, or null when they can. Throws a WarehouseFault that may pass. */
export async function findHindrance(clickhouse: ClickHouse, timeoutMs: number): Promise<string | null> {
  try {
    const [kept] = await clickhouse.rows<{ n: number }>(selectDirectories, { timeoutMs });
    if (kept?.n !== 1) return 'the server keeps no users beside those of its configuration';
    const right = await clickhouse.bytes(`CHECK GRANT ${neededRights.join(', ')} ON *.*`, { timeoutMs });
    return right.toString().trim() === '1' ? null : 'its user has no access_management';
  } catch (error) {
    if (!(error instanceof WarehouseFault) || error.transient) throw error;
    return `the server does not tell: ${error.message}`;
  }
}

const selectDirectories = `SELECT toUInt8(count() > 0) AS n FROM system.user_directories
WHERE type IN ('local_directory', 'replicated', 'memory')`;
