import type { InsertOutcome, Warehouse } from '@tickrate/warehouse';

/** The part of the warehouse that delivery needs. */
export type EventStore = Pick<Warehouse, 'insertRows' | 'countByChunk'>;

export type Refusal = Extract<InsertOutcome, { kind: 'data' }>;
