import type { RunningService } from './test-services.ts';

export function startEmbeddedPostgres(): Promise<RunningService> {
  return Promise.reject(new Error('No Postgres for tests: give POSTGRES_URL'));
}

export function startEmbeddedClickHouse(): Promise<RunningService> {
  return Promise.reject(new Error('No ClickHouse for tests: give CLICKHOUSE_URL'));
}
