import type { ClickHouse } from '../../clickhouse.ts';
import { quoteString } from '../../quote.ts';
import type { WarehousePlace } from '../../table/events-table.ts';
import { WarehouseFault } from '../../warehouse-fault.ts';
import type { ProjectUser } from './project-access.ts';

/** Their names in the configuration of the embedded engine, or of a server. */
export const configured = {
  definer: 'tickrate_rows',
  roles: { whole: 'tickrate_reader', masked: 'tickrate_masked' },
} as const;

interface Asking {
  readonly place: WarehousePlace;
  readonly timeoutMs: number;
}

/**
 * How the server restricts a query to the rows of its project: by its configuration, by created users, or not at all.
 */
export type QueryGuard =
  | { readonly kind: 'configured' }
  | { readonly kind: 'users' }
  | { readonly kind: 'none'; readonly reason: string };

/** Throws a WarehouseFault that can be temporary. */
export async function findGuard(clickhouse: ClickHouse, asking: Asking): Promise<QueryGuard> {
  try {
    if (asking.place.cluster === null && (await isConfigured(clickhouse, asking)))
      return { kind: 'configured' };
    return await findUsers(clickhouse, asking);
  } catch (error) {
    if (!(error instanceof WarehouseFault) || error.transient) throw error;
    return { kind: 'none', reason: `the server did not show its rights: ${error.message}` };
  }
}

async function isConfigured(clickhouse: ClickHouse, { place, timeoutMs }: Asking): Promise<boolean> {
  const [found] = await clickhouse.rows<{ n: number }>(
    `SELECT toUInt8(count() = 2 AND (SELECT count() FROM system.row_policies WHERE storage = 'users_xml'
  AND database = ${quoteString(place.database)} AND table = 'events' AND has(apply_to_list, ${quoteString(configured.definer)})) = 1) AS n
FROM system.roles WHERE storage = 'users_xml' AND name IN (${Object.values(configured.roles).map(quoteString).join(', ')})`,
    { timeoutMs },
  );
  return found?.n === 1;
}

async function findUsers(clickhouse: ClickHouse, { timeoutMs }: Asking): Promise<QueryGuard> {
  const [kept] = await clickhouse.rows<{ n: number }>(selectDirectories, { timeoutMs });
  if (kept?.n !== 1) {
    return { kind: 'none', reason: 'the server stores no users except those in its configuration' };
  }
  const right = await clickhouse.bytes(`CHECK GRANT ${neededRights.join(', ')} ON *.*`, { timeoutMs });
  if (right.toString().trim() === '1') return { kind: 'users' };
  return { kind: 'none', reason: 'its user lacks access_management' };
}

const neededRights = [
  'CREATE USER',
  'ALTER USER',
  'CREATE ROLE',
  'ROLE ADMIN',
  'CREATE ROW POLICY',
  'ALTER ROW POLICY',
  'CREATE QUOTA',
  'ALTER QUOTA',
  'CREATE SETTINGS PROFILE',
  'ALTER SETTINGS PROFILE',
  'SET DEFINER',
];

const selectDirectories = `SELECT toUInt8(count() > 0) AS n FROM system.user_directories
WHERE type IN ('local_directory', 'replicated', 'memory')`;

/**
 * The reason why the servers of a cluster do not know the user of a query. Null if they know it. A server without a
 * `secret` queries the others as the user of its configuration, which no row policy restricts.
 */
export async function findClusterHindrance(
  clickhouse: ClickHouse,
  { cluster, timeoutMs, probe }: { cluster: string; timeoutMs: number; probe: ProjectUser },
): Promise<string | null> {
  const answer = await clickhouse.stream(
    `SELECT DISTINCT currentUser() FROM clusterAllReplicas(${quoteString(cluster)}, system.one) FORMAT TSV`,
    { timeoutMs, database: 'default', as: probe },
  );
  if (answer.kind === 'fault') return `the cluster cannot be queried: code ${answer.code}`;
  const names = (await answer.stream.toArray()).join('').trim();
  return names === probe.username
    ? null
    : 'the servers of the cluster share no secret, so they do not know the user of a query';
}
