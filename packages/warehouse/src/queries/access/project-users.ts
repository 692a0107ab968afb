import type { CallIdentity, ClickHouse } from '../../clickhouse.ts';
import type { WarehousePlace } from '../../table/events-table.ts';
import { WarehouseFault } from '../../warehouse-fault.ts';
import { type QueryLimits, queryLimits } from '../query-limits.ts';
import {
  createDefiner,
  createProbe,
  createProjectAccess,
  createQueryProfile,
  createSharedAccess,
  definerName,
  probeUser,
  projectUser,
  type Sight,
} from './project-access.ts';
import { configured, findClusterHindrance, findGuard, type QueryGuard } from './query-hindrance.ts';

export interface ProjectUsersOptions {
  readonly place: WarehousePlace;
  readonly timeoutMs: number;
  readonly limits?: Partial<QueryLimits> | undefined;
  /** The secret for passwords. It must be equal in every process that runs queries. */
  readonly secret: string | null;
  /** Called with the reason each time that a query is not run. */
  readonly onHindrance: (reason: string) => void;
}

/** The user of a query. Null: the query cannot run, because the server would show it rows of other projects. */
export type Runner = CallIdentity | null;

const rememberedUsers = 10_000;

/** The users of a project at the server. All calls throw a WarehouseFault that can be temporary. */
export type ProjectUsers = ReturnType<typeof createProjectUsers>;

export function createProjectUsers(clickhouse: ClickHouse, options: ProjectUsersOptions) {
  const { secret } = options;
  const maker = createUserMaker(clickhouse, options);
  let guard: QueryGuard | undefined;

  /** A permanent rejection by the server holds until an operator changes the server and restarts this process. */
  async function unlessRefused<Found>(make: () => Promise<Found>): Promise<Found | null> {
    try {
      return await make();
    } catch (error) {
      if (!(error instanceof WarehouseFault) || error.transient) throw error;
      guard = { kind: 'none', reason: `users cannot be created: ${error.message}` };
      return null;
    }
  }

  async function knownGuard(): Promise<QueryGuard> {
    guard ??= await findGuard(clickhouse, options);
    return guard;
  }

  return {
    /** Creates or corrects the user at the first call. */
    async runner(projectId: string, sight: Sight): Promise<Runner> {
      const found = await knownGuard();
      if (found.kind === 'configured') return { role: configured.roles[sight] };
      const canMake = found.kind === 'users' && secret !== null;
      const user = canMake ? await unlessRefused(() => maker.runner({ projectId, sight }, secret)) : null;
      if (user === null)
        options.onHindrance(guard?.kind === 'none' ? guard.reason : 'no secret is configured');
      return user;
    },
    /** The definer of the project's views, created if necessary. Null if it cannot exist; queries then do not run. */
    async definer(projectId: string): Promise<string | null> {
      const found = await knownGuard();
      if (found.kind === 'configured') return configured.definer;
      return found.kind === 'users' ? unlessRefused(() => maker.definer(projectId)) : null;
    },
    /** Call it after the server rejected a user: the next calls create all users again. */
    forget: maker.forget,
  };
}

/** Creates each user once. Throws a WarehouseFault. */
function createUserMaker(clickhouse: ClickHouse, { place, timeoutMs, limits }: ProjectUsersOptions) {
  const made = new Set<string>();

  async function once(name: string, statements: () => readonly string[]): Promise<void> {
    if (made.has(name)) return;
    for (const statement of statements()) await clickhouse.command(statement, { timeoutMs });
    if (made.size >= rememberedUsers) made.clear();
    made.add(name);
  }

  async function checkCluster(cluster: string, secret: string): Promise<void> {
    if (made.has(cluster)) return;
    const probe = probeUser(place, secret);
    await once(probe.username, () => createProbe(place, probe));
    const hindrance = await findClusterHindrance(clickhouse, { cluster, timeoutMs, probe });
    if (hindrance !== null) throw new WarehouseFault(hindrance, { code: 'CLUSTER', transient: false });
    made.add(cluster);
  }

  return {
    async runner(whose: { readonly projectId: string; readonly sight: Sight }, secret: string) {
      const user = projectUser(place, whose, secret);
      await once('shared', () => createSharedAccess(place));
      await once('profile', () => createQueryProfile(place, { ...queryLimits, ...limits }));
      if (place.cluster !== null) await checkCluster(place.cluster, secret);
      await once(user.username, () => createProjectAccess(place, whose, user));
      return user;
    },
    async definer(projectId: string) {
      const name = definerName(place, projectId);
      await once('shared', () => createSharedAccess(place));
      await once(name, () => createDefiner(place, projectId));
      return name;
    },
    forget: () => made.clear(),
  };
}
