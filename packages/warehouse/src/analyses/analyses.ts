import type { ClickHouse } from '../clickhouse.ts';
import { allEventsName } from '../queries/events-view.ts';
import type { PrepareViews } from '../queries/prepare-views.ts';
import { projectDatabase } from '../typed-view.ts';
import type { AnalysisQuery } from './analysis-sql.ts';
import { type BreakdownRequest, type BreakdownRow, breakdownQuery } from './breakdown.ts';
import {
  type DistinctPlayersRequest,
  type DistinctPlayersRow,
  distinctPlayersQuery,
} from './distinct-players.ts';
import { type FunnelRequest, type FunnelRow, funnelQuery } from './funnel.ts';
import { type PlayerStreamRequest, type PlayerStreamRow, playerStreamQuery } from './player-stream.ts';
import { type RetentionRequest, type RetentionRow, retentionQuery } from './retention-curve.ts';
import { type SessionLengthRequest, type SessionLengthRow, sessionLengthQuery } from './session-length.ts';
import { type VolumeRequest, type VolumeRow, volumeQuery } from './volume.ts';

/** Analyses of one project, each as one query. All times are UTC. Each throws a WarehouseFault. */
export interface Analyses {
  volume(projectId: string, request: VolumeRequest): Promise<VolumeRow[]>;
  distinctPlayers(projectId: string, request: DistinctPlayersRequest): Promise<DistinctPlayersRow[]>;
  sessionLength(projectId: string, request: SessionLengthRequest): Promise<SessionLengthRow[]>;
  funnel(projectId: string, request: FunnelRequest): Promise<FunnelRow[]>;
  retention(projectId: string, request: RetentionRequest): Promise<RetentionRow[]>;
  breakdown(projectId: string, request: BreakdownRequest): Promise<BreakdownRow[]>;
  playerStream(projectId: string, request: PlayerStreamRequest): Promise<PlayerStreamRow[]>;
}

const mostSeconds = 30;
const mostRows = 100_000;
const mostMemoryBytes = 1024 * 1024 * 1024;

export function createAnalyses(
  clickhouse: ClickHouse,
  { timeoutMs, prepareViews }: { readonly timeoutMs: number; readonly prepareViews: PrepareViews },
): Analyses {
  const ask = <Request, Row>(write: (table: string, request: Request) => AnalysisQuery) => {
    return async (projectId: string, request: Request): Promise<Row[]> => {
      // The view filters the rows of its project before any condition of the query.
      await prepareViews.whole(projectId);
      const { sql, parameters } = write(allEventsName(projectId), request);
      return clickhouse.rows<Row>(sql, {
        timeoutMs,
        database: projectDatabase(projectId),
        parameters: { ...parameters, project: projectId },
        settings: {
          date_time_output_format: 'iso',
          max_execution_time: mostSeconds,
          max_result_rows: String(mostRows),
          result_overflow_mode: 'throw',
          max_memory_usage: String(mostMemoryBytes),
        },
      });
    };
  };
  return {
    volume: ask(volumeQuery),
    distinctPlayers: ask(distinctPlayersQuery),
    sessionLength: ask(sessionLengthQuery),
    funnel: ask(funnelQuery),
    retention: ask(retentionQuery),
    breakdown: ask(breakdownQuery),
    playerStream: ask(playerStreamQuery),
  };
}
