import type { ClickHouse } from '../clickhouse.ts';
import { eventsTable, type WarehousePlace } from '../events-table.ts';
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

/** Questions about one project, each of them one query. All times are UTC. Each throws a WarehouseFault. */
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
  { place, timeoutMs }: { readonly place: WarehousePlace; readonly timeoutMs: number },
): Analyses {
  const table = eventsTable(place);
  const ask = <Request, Row>(write: (table: string, request: Request) => AnalysisQuery) => {
    return (projectId: string, request: Request): Promise<Row[]> => {
      const { sql, parameters } = write(table, request);
      return clickhouse.rows<Row>(sql, {
        timeoutMs,
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
