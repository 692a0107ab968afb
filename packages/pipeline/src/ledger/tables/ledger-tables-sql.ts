/**
 * Chunks and batches are partitioned by the day in their own UUIDv7. So an id is unique over all partitions, although each
 * day has its own index.
 */
export const ledgerTablesSql = `
CREATE FUNCTION delivery.day_of(id uuid) RETURNS int
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS $$
  SELECT (('x' || substr(replace(id::text, '-', ''), 1, 12))::bit(48)::bigint / 86400000)::int
$$;

CREATE TABLE delivery.chunks (
  day   int  NOT NULL,
  id    uuid NOT NULL,
  batch uuid NOT NULL,
  PRIMARY KEY (day, id)
) PARTITION BY LIST (day);
CREATE TABLE delivery.chunks_other PARTITION OF delivery.chunks DEFAULT;

CREATE TABLE delivery.batches (
  day       int         NOT NULL,
  id        uuid        NOT NULL,
  chunk_ids uuid[]      NOT NULL,  -- in the order of the insert
  projects  text[]      NOT NULL,  -- of each chunk
  chunk_rows int[]     NOT NULL,  -- the number of inserted rows of each chunk
  kept      int[]       NOT NULL,  -- those of them that are neither dead nor lost, so count as stored
  drops     int[]       NOT NULL,  -- {index of chunk, start, length, rows} of every run that is left out
  rows      int         NOT NULL,
  sealed_at timestamptz NOT NULL,
  stored_at timestamptz,
  taken_over boolean    NOT NULL DEFAULT false,
  PRIMARY KEY (day, id)
) PARTITION BY LIST (day);
CREATE TABLE delivery.batches_other PARTITION OF delivery.batches DEFAULT;
CREATE INDEX batches_unstored ON delivery.batches (sealed_at) WHERE stored_at IS NULL;

-- The parts of a batch that ClickHouse refused. The batch itself is the part with the empty path.
CREATE TABLE delivery.fragments (
  day       int  NOT NULL,
  batch     uuid NOT NULL,
  path      text NOT NULL,
  first_row int  NOT NULL,
  rows      int  NOT NULL,
  state     text NOT NULL CHECK (state IN ('open', 'split', 'stored', 'dead')),
  PRIMARY KEY (day, batch, path)
) PARTITION BY LIST (day);
CREATE TABLE delivery.fragments_other PARTITION OF delivery.fragments DEFAULT;

-- Idempotency keys, hashed with their project. The next use of an expired key replaces it in its row.
CREATE TABLE delivery.keys (
  key        uuid        PRIMARY KEY,
  chunk      uuid        NOT NULL,
  expires_at timestamptz NOT NULL,
  body       int  -- checksum of the request's body; null for the id of an event
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.1);
CREATE INDEX keys_expiry ON delivery.keys (expires_at);

CREATE TABLE delivery.dead_letters (
  id        uuid        PRIMARY KEY,
  project   text,
  job       text        NOT NULL,
  batch     uuid,
  first_row int         NOT NULL,  -- in the batch; 0 for a job without a valid chunk
  rows      int         NOT NULL,
  reason    text        NOT NULL,
  detail    text        NOT NULL,
  payload   bytea       NOT NULL,
  types     jsonb       NOT NULL DEFAULT '{}',  -- rows by type; empty if they cannot be read
  died_at   timestamptz NOT NULL DEFAULT now(),
  replay    uuid,
  replayed_at timestamptz,
  UNIQUE (job, first_row)
);
CREATE INDEX dead_letters_project ON delivery.dead_letters (project, died_at);
CREATE INDEX dead_letters_replay ON delivery.dead_letters (replay) WHERE replay IS NOT NULL;

CREATE TABLE delivery.totals (
  project      text   PRIMARY KEY,
  stored       bigint NOT NULL DEFAULT 0,
  deduplicated bigint NOT NULL DEFAULT 0,
  dead         bigint NOT NULL DEFAULT 0,
  lost         bigint NOT NULL DEFAULT 0  -- after the seal, or by processes that ended long ago
) WITH (fillfactor = 50);

-- The events that a process reported as accepted, and those that arrived. Events of one process and project are numbered.
-- The queue has answered for each event before "settled". Events outside "accounted" neither arrived nor failed: they
-- wait or are lost.
CREATE TABLE delivery.producers (
  producer text        NOT NULL,
  project  text        NOT NULL,
  reported bigint      NOT NULL DEFAULT 0,
  arrived  bigint      NOT NULL DEFAULT 0,
  counted  bigint      NOT NULL DEFAULT 0,  -- what the usage of the project contains of it
  settled  bigint      NOT NULL DEFAULT 0,
  accounted int8multirange NOT NULL DEFAULT '{}',
  seen_at  timestamptz NOT NULL,
  PRIMARY KEY (producer, project)
) WITH (fillfactor = 50);

-- Neighbours form one range, so a healthy process has few. With 10,000 gaps, the older half is forgotten.
CREATE FUNCTION delivery.bounded(p_ranges int8multirange) RETURNS int8multirange LANGUAGE sql IMMUTABLE AS $$
  SELECT p_ranges + int8multirange(int8range(0, (SELECT lower(r) FROM unnest(p_ranges) AS r OFFSET 5000 LIMIT 1)))
$$;
`;

/** For an upsert of `producers p`. A function call for each row would cost more than the rest of the seal. */
export const addAccounted = `CASE
  WHEN pg_column_size(p.accounted + excluded.accounted) < 210000 THEN p.accounted + excluded.accounted
  ELSE delivery.bounded(p.accounted + excluded.accounted) END`;
