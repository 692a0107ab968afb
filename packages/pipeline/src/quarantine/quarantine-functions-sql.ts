/** What gateways and workers do to the quarantine in one call. */
export const quarantineFunctionsSql = `
-- Counts beyond p_most kinds of a project go under the type ''; samples of such types are not kept.
-- Returns how many samples were.
CREATE FUNCTION delivery.keep_rejections(
  p_producer text, p_flush bigint, p_counts jsonb, p_events jsonb, p_raws bytea[], p_most int
) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  v_kept int;
BEGIN
  INSERT INTO delivery.rejection_flushes AS f (producer, flush, at)
  VALUES (p_producer, p_flush, clock_timestamp())
  ON CONFLICT (producer) DO UPDATE SET flush = excluded.flush, at = excluded.at WHERE f.flush < excluded.flush;
  IF NOT FOUND THEN
    RETURN jsonb_array_length(p_events);
  END IF;

  INSERT INTO delivery.rejections AS r (project, type, version, reason, events, first_at, last_at)
  SELECT n.project, CASE WHEN n.fits THEN n.type ELSE '' END AS shown,
         CASE WHEN n.fits THEN n.version ELSE 0 END AS shown_version, n.reason,
         sum(n.events), to_timestamp(min(n.first_ms) / 1000.0), to_timestamp(max(n.last_ms) / 1000.0)
    FROM (
      SELECT g.*, k.project IS NOT NULL OR g.type = '' OR coalesce(t.kinds, 0)
               + count(*) FILTER (WHERE k.project IS NULL)
                 OVER (PARTITION BY g.project ORDER BY g.type, g.version, g.reason) <= p_most AS fits
        FROM jsonb_to_recordset(p_counts)
               AS g(project text, type text, version int, reason text, events bigint, first_ms bigint, last_ms bigint)
        LEFT JOIN delivery.rejections k USING (project, type, version, reason)
        LEFT JOIN (SELECT project, count(*) AS kinds FROM delivery.rejections
                    WHERE project IN (SELECT c ->> 'project' FROM jsonb_array_elements(p_counts) AS c)
                    GROUP BY project) t USING (project)
    ) n
   GROUP BY n.project, shown, shown_version, n.reason ORDER BY n.project, shown, shown_version, n.reason
  ON CONFLICT (project, type, version, reason) DO UPDATE SET
    events = r.events + excluded.events,
    first_at = least(r.first_at, excluded.first_at), last_at = greatest(r.last_at, excluded.last_at);

  INSERT INTO delivery.rejected_events (
    id, project, type, version, version_named, reason, pointer, message, form, raw, bytes, key_id, key_line, key_kind,
    session_id, account_id, client_address, sdk_name, sdk_version, request_id, event_id, received_ms, occurred_ms,
    skew_ms)
  SELECT e.id, e.project, e.type, e.version, e.version_named, e.reason, e.pointer, e.message, e.form, e.raw, e.bytes,
         e.key_id, e.key_line, e.key_kind, e.session_id, e.account_id, e.client_address, e.sdk_name, e.sdk_version, e.request_id,
         e.event_id, e.received_ms, e.occurred_ms, e.skew_ms
    FROM (SELECT s.*, w.raw FROM unnest(p_raws) WITH ORDINALITY AS w(raw, place)
            JOIN jsonb_array_elements(p_events) WITH ORDINALITY AS j(event, place) USING (place),
            jsonb_to_record(j.event) AS s(
              id uuid, project text, type text, version int, version_named boolean, reason text, pointer text,
              message text, form text, bytes int, key_id text, key_line text, key_kind text, session_id text, account_id text,
              client_address text, sdk_name text, sdk_version text, request_id text, event_id uuid,
              received_ms bigint, occurred_ms bigint, skew_ms bigint)) e
    JOIN delivery.rejections k USING (project, type, version, reason)
  ON CONFLICT (id) DO NOTHING;
  GET DIAGNOSTICS v_kept = ROW_COUNT;
  RETURN v_kept;
END $$;

-- Deletes at most p_limit rejected events that are too old or too many, but none whose replay is under way.
CREATE FUNCTION delivery.trim_rejected(p_events int, p_bytes bigint, p_age interval, p_limit int) RETURNS int
LANGUAGE plpgsql AS $$
DECLARE
  v_deleted int;
BEGIN
  DELETE FROM delivery.rejected_events WHERE id IN (
    SELECT id FROM (
      SELECT id, kept_at, replay, replayed_at,
             row_number() OVER (PARTITION BY project, type, reason ORDER BY id DESC) AS nth,
             sum(octet_length(raw)) OVER (PARTITION BY project ORDER BY id DESC) AS bytes
        FROM delivery.rejected_events) e
     WHERE (e.kept_at < now() - p_age OR e.nth > p_events OR e.bytes > p_bytes)
       AND (e.replay IS NULL OR e.replayed_at IS NOT NULL)
     LIMIT p_limit);
  GET DIAGNOSTICS v_deleted = ROW_COUNT;
  RETURN v_deleted;
END $$;

DROP FUNCTION delivery.bury_fragment(uuid, text, text, text, uuid[], text[], text[], int[], int[], bytea[]);
-- As before, and it is written down what the rows are of. Without p_types for workers of the version before.
CREATE FUNCTION delivery.bury_fragment(
  p_batch uuid, p_path text, p_reason text, p_detail text,
  p_letters uuid[], p_projects text[], p_jobs text[], p_firsts int[], p_rows int[], p_payloads bytea[],
  p_types jsonb[] DEFAULT NULL
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_batch delivery.batches;
BEGIN
  SELECT * INTO v_batch FROM delivery.batches
   WHERE day = delivery.day_of(p_batch) AND id = p_batch AND stored_at IS NULL FOR UPDATE;
  IF NOT FOUND OR NOT delivery.close_fragment(p_batch, p_path, 'dead') THEN
    RETURN false;
  END IF;
  INSERT INTO delivery.dead_letters (id, project, job, batch, first_row, rows, reason, detail, payload, types)
  SELECT l.id, l.project, l.job, p_batch, l.first_row, l.rows, p_reason, p_detail, l.payload, coalesce(l.types, '{}')
    FROM unnest(p_letters, p_projects, p_jobs, p_firsts, p_rows, p_payloads, p_types)
           AS l(id, project, job, first_row, rows, payload, types);
  UPDATE delivery.batches b SET kept = delivery.less(v_batch.chunk_ids, v_batch.kept, p_jobs::uuid[], p_rows)
   WHERE b.day = v_batch.day AND b.id = v_batch.id;
  INSERT INTO delivery.totals AS t (project, dead)
  SELECT l.project, sum(l.rows) FROM unnest(p_projects, p_rows) AS l(project, rows)
   GROUP BY l.project ORDER BY l.project
  ON CONFLICT (project) DO UPDATE SET dead = t.dead + excluded.dead;
  RETURN true;
END $$;
`;
