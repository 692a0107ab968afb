import type { ClickHouse, StreamAnswer, StreamCall } from '../clickhouse.ts';
import { type Sight, viewDatabase } from './access/project-access.ts';
import type { ProjectUsers } from './access/project-users.ts';
import { limitSettings, type QueryLimits } from './query-limits.ts';

interface RunAsProjectDeps {
  readonly limits: QueryLimits;
  readonly users: ProjectUsers;
}

export interface Asker {
  readonly projectId: string;
  readonly sight: Sight;
}

const authenticationFailed = '516';

/**
 * Runs checked SQL with the rights of one project, in the database of its views. Returns null if the server cannot
 * restrict it to them; the SQL then did not run.
 */
export function createRunAsProject(clickhouse: ClickHouse, { limits, users }: RunAsProjectDeps) {
  return async (asker: Asker, sql: string, call: Omit<StreamCall, 'database'>) => {
    const { projectId, sight } = asker;
    const inViews: StreamCall = { ...call, database: viewDatabase(projectId, sight) };
    // A user that the server does not know, or knows with another password, is created again once.
    for (let isLast = false; ; isLast = true) {
      const runner = await users.runner(projectId, sight);
      if (runner === null) return null;
      const answer = await clickhouse.stream(sql, { ...inViews, as: runner, ...settingsFor(runner, limits) });
      if (!isUnknownUser(answer)) return answer;
      if (isLast) return null;
      users.forget();
    }
  };
}

/** A user's settings are in its profile. Settings in a query are not accepted. */
function settingsFor(
  runner: NonNullable<StreamCall['as']>,
  limits: QueryLimits,
): Pick<StreamCall, 'settings'> {
  return 'role' in runner ? { settings: { ...limitSettings(limits), allow_ddl: 0 } } : {};
}

function isUnknownUser(answer: StreamAnswer): boolean {
  return answer.kind === 'fault' && answer.code === authenticationFailed;
}
