import { createEventsTable, type WarehousePlace } from './events-table.ts';

export interface Migration {
  readonly id: number;
  readonly name: string;
  /** Each may run twice, and at the same time by two processes: ClickHouse has no lock to take. */
  readonly statements: (place: WarehousePlace) => readonly string[];
}

/** In order, forward only. What has been released is never edited. */
export const migrations: readonly Migration[] = [
  { id: 1, name: 'create the events table', statements: createEventsTable },
];
