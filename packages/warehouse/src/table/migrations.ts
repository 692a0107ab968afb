import { createEventsTable, type WarehousePlace } from './events-table.ts';

export interface Migration {
  readonly id: number;
  readonly name: string;
  /** Each can run twice, also concurrently in two processes: ClickHouse has no locks. */
  readonly statements: (place: WarehousePlace) => readonly string[];
}

/** In order, forward only. A released migration never changes. */
export const migrations: readonly Migration[] = [
  { id: 1, name: 'create the events table', statements: createEventsTable },
];
