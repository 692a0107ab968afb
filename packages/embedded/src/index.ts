export { startClickHouse } from './clickhouse/start-clickhouse.ts';
export { prepareDataFolder } from './data-folder.ts';
export { EmbeddedFault, type EmbeddedFaultReason } from './embedded-fault.ts';
export type { EmbeddedOptions, EmbeddedServer } from './embedded-server.ts';
export { claimFolder, type FolderOwner } from './folder-owner.ts';
export { isTaken } from './free-port.ts';
export { removeElsewhere } from './postgres/home.ts';
export { startPostgres } from './postgres/start-postgres.ts';
export { processesIn, signal } from './process-table.ts';
