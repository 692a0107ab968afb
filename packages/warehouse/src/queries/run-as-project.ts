import { type ClickHouseSettings, SettingsMap } from '@clickhouse/client';
import type { ClickHouse, StreamAnswer, StreamCall } from '../clickhouse.ts';
import type { WarehousePlace } from '../events-table.ts';
import { quoteString } from '../quote.ts';
import type { ProjectUsers } from './project-users.ts';
import { limitSettings, type QueryLimits } from './query-limits.ts';

interface RunAsProjectDeps {
  readonly place: WarehousePlace;
  readonly limits: QueryLimits;
  readonly users: ProjectUsers;
}

const authenticationFailed = '516';

/** Runs what was looked at with the rights of one project; null when it may not run without a user and has none. */
export function createRunAsProject(clickhouse: ClickHouse, { place, limits, users }: RunAsProjectDeps) {
  return async (projectId: string, sql: string, call: StreamCall): Promise<StreamAnswer | null> => {
    // A user that the server does not know, or knows by another password, is made anew once.
    for (let isLast = false; ; isLast = true) {
      const finding = await users.find(projectId);
      if (finding.kind === 'none') {
        return clickhouse.stream(sql, { ...call, settings: settingsOf(limits, place, projectId) });
      }
      if (finding.kind === 'impossible') return null;
      // Its settings are in its profile, and none are taken from a query.
      const answer = await clickhouse.stream(sql, { ...call, auth: finding.user });
      if (answer.kind !== 'fault' || answer.code !== authenticationFailed) return answer;
      if (isLast) return null;
      users.forget(projectId);
    }
  };
}

/** The second belt: whatever the statement were, it reads this project's rows, writes nothing and ends. */
function settingsOf(limits: QueryLimits, place: WarehousePlace, projectId: string): ClickHouseSettings {
  // The client puts the quotes around it, and escapes nothing.
  const filter = quoteString(`project = ${quoteString(projectId)}`).slice(1, -1);
  const tables = ['events', 'events_local'].map((table) => `${place.database}.${table}`);
  return {
    ...limitSettings(limits),
    additional_table_filters: SettingsMap.from(Object.fromEntries(tables.map((table) => [table, filter]))),
  };
}
