/** The state of the installation. */
export const fleetSql = `
-- What is free on the volumes of stores that a gateway cannot read itself.
CREATE TABLE delivery.disks (
  store       text        PRIMARY KEY,
  free_bytes  float8      NOT NULL,
  total_bytes float8      NOT NULL,
  read_at     timestamptz NOT NULL
) WITH (fillfactor = 50);

-- What each worker reports about itself.
CREATE TABLE delivery.workers (
  name              text        PRIMARY KEY,
  started_at        timestamptz NOT NULL,
  events_per_second float8      NOT NULL,
  memory_bytes      float8      NOT NULL,
  seen_at           timestamptz NOT NULL
) WITH (fillfactor = 50);

-- One for each minute.
CREATE TABLE delivery.pipeline_samples (
  at     timestamptz PRIMARY KEY,  -- the start of a minute
  sample jsonb       NOT NULL
);
`;
