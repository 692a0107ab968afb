/**
 * Erasures of accounts and of whole projects: requested → waiting (until everything that was accepted before is stored) → counting (the covered
 * events are fixed) → copying (only if masked copies are kept) → removing → done, with a certificate and without the id of
 * the account.
 */
export const erasuresSql = `
CREATE TABLE delivery.erasures (
  id             uuid        PRIMARY KEY,
  project        text        NOT NULL,
  account        text,  -- '' for the whole project
  account_hash   text,  -- null for the whole project
  mode           text        NOT NULL CHECK (mode IN ('remove', 'mask')),
  requested_by   text        NOT NULL,
  requested_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
  state          text        NOT NULL DEFAULT 'requested'
                 CHECK (state IN ('requested', 'waiting', 'counting', 'copying', 'removing', 'done')),
  received_until timestamptz,
  rejected_until timestamptz,  -- when quarantine and dead letters were last cleaned
  account_rows   jsonb       NOT NULL DEFAULT '{}',  -- by kind, of the account or the project itself
  events         jsonb       NOT NULL DEFAULT '{}',  -- by type
  rejected       jsonb       NOT NULL DEFAULT '{}',  -- by type, from the quarantine: in the first and in the last cleaning
  rejected_last  jsonb       NOT NULL DEFAULT '{}',
  dead           jsonb       NOT NULL DEFAULT '{}',  -- the same for dead letters
  dead_last      jsonb       NOT NULL DEFAULT '{}',
  unreadable     int         NOT NULL DEFAULT 0,
  leased_until   timestamptz,
  tries          int         NOT NULL DEFAULT 0,
  fault          text,
  certificate    jsonb,
  CHECK ((state = 'done') = (account IS NULL)),
  CHECK ((state = 'done') = (certificate IS NOT NULL))
);
CREATE UNIQUE INDEX erasures_asked ON delivery.erasures (project, account) WHERE state IN ('requested', 'waiting');
CREATE INDEX erasures_open ON delivery.erasures (requested_at) WHERE state <> 'done';
CREATE INDEX erasures_project ON delivery.erasures (project, requested_at);

-- For a removal that was interrupted and starts again: the rows before the first attempt count.
CREATE FUNCTION delivery.larger_counts(a jsonb, b jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(jsonb_object_agg(type, rows), '{}')
    FROM (SELECT type, max(rows::bigint) AS rows
            FROM (SELECT * FROM jsonb_each_text(a) UNION ALL SELECT * FROM jsonb_each_text(b)) AS each(type, rows)
           GROUP BY type) AS larger
$$;
`;
