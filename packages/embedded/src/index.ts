export { startClickHouse } from './clickhouse/start-clickhouse.ts';
export { EmbeddedFault, type EmbeddedFaultReason } from './embedded-fault.ts';
export type { EmbeddedOptions, EmbeddedServer } from './embedded-server.ts';
export { startPostgres } from './postgres/start-postgres.ts';
