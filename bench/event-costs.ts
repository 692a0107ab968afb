/** What an event costs, measured. docs/scale.md quotes this table; `npm run bench -- scale` measures the costs of CPU. */
export const costs = {
  gateway: { value: 12, unit: 'µs', what: 'gateway' },
  queue: { value: 3.1, unit: 'µs', what: 'queue on Redis, to add, take and remove' },
  worker: { value: 4.5, unit: 'µs', what: 'worker' },
  ledger: { value: 0.5, unit: 'µs', what: 'ledger in PostgreSQL' },
  clickhouse: { value: 20, unit: 'µs', what: 'ClickHouse, with merges' },
  insert: { value: 0.45, unit: 'share', what: 'of that before the insert returns' },
  pending: { value: 111, unit: 'bytes', what: 'pending event in the queue' },
  disk: { value: 64, unit: 'bytes', what: 'stored event on the disk of ClickHouse' },
} as const;

/** CPU of each part, the cores that one process can use, and the fewest processes that survive a loss. */
export const parts = {
  gateway: { us: costs.gateway.value, cores: 1, least: 2 },
  queue: { us: costs.queue.value, cores: 1, least: 1 },
  worker: { us: costs.worker.value, cores: 1, least: 2 },
  ledger: { us: costs.ledger.value, cores: 8, least: 1 },
  clickhouse: { us: costs.clickhouse.value, cores: 16, least: 1 },
} as const;

export type Part = keyof typeof parts;

// The defaults of the product: BATCH_ROWS, BATCH_AGE, the window of the gateway, inserts of a worker at once, and the
// time until chunks of a killed worker are free.
export const batchRows = 50_000;
export const batchAgeMs = 1_250;
export const gatherMs = 50;
export const insertsOfWorker = 2;
export const lockMs = 25_000;
