export type { InsertOutcome } from './insert-outcome.ts';
export type { PingResult, QueryOptions, WarehouseStatus } from './reader.ts';
export { type TypedView, viewName } from './typed-view.ts';
export type { ViewVersion } from './view-columns.ts';
export { createWarehouse, type Warehouse, type WarehouseOptions } from './warehouse.ts';
export { WarehouseFault } from './warehouse-fault.ts';
export type { RowsInsert } from './writer.ts';
