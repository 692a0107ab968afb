/**
 * Counts and keeps rejected events. The bounds keep a flood, or events with invented names, from displacing the rest of
 * a project's quarantine.
 */
export const quarantineFunctionsSql = `
-- Returns '' for a fault of an event with a declared type and version.
CREATE FUNCTION delivery.invented(p_reason text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_reason IN ('eventTypeNotFound', 'eventTypeVersionNotFound') THEN p_reason ELSE '' END
$$;

-- Counts beyond p_most kinds of a project count under the type '', and samples of such types are not kept. Names and
-- versions that are not declared have separate bounds: anybody can invent them, and they must not hide the faults of
-- declared ones. Returns the number of samples that were kept.
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

  INSERT INTO delivery.rejections AS r (project, type, version, reason, events, unmended, first_at, last_at)
  SELECT n.project, CASE WHEN n.fits THEN n.type ELSE '' END AS shown,
         CASE WHEN n.fits THEN n.version ELSE 0 END AS shown_version, n.reason,
         sum(n.events), sum(n.events), to_timestamp(min(n.first_ms) / 1000.0), to_timestamp(max(n.last_ms) / 1000.0)
    FROM (
      SELECT g.*, k.project IS NOT NULL OR (g.type = '' AND g.version = 0) OR coalesce(t.kinds, 0)
               + count(*) FILTER (WHERE k.project IS NULL)
                 OVER (PARTITION BY g.project, delivery.invented(g.reason) ORDER BY g.type, g.version, g.reason)
               <= CASE WHEN delivery.invented(g.reason) = '' THEN 20 * p_most ELSE p_most END AS fits
        FROM jsonb_to_recordset(p_counts)
               AS g(project text, type text, version int, reason text, events bigint, first_ms bigint, last_ms bigint)
        LEFT JOIN delivery.rejections k USING (project, type, version, reason)
        LEFT JOIN (SELECT project, delivery.invented(reason) AS invented, count(*) AS kinds FROM delivery.rejections
                    WHERE project IN (SELECT c ->> 'project' FROM jsonb_array_elements(p_counts) AS c)
                    GROUP BY project, invented) t
               ON t.project = g.project AND t.invented = delivery.invented(g.reason)
    ) n
   GROUP BY n.project, shown, shown_version, n.reason ORDER BY n.project, shown, shown_version, n.reason
  ON CONFLICT (project, type, version, reason) DO UPDATE SET
    events = r.events + excluded.events, unmended = r.unmended + excluded.unmended,
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

-- Call it after events of these kinds were replayed or deleted. A kind without a sample that waits is mended.
CREATE FUNCTION delivery.mend_kinds(p_kinds jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- The lock comes first: the next statement sees the samples of every count that was added before.
  PERFORM 1 FROM delivery.rejections r
    JOIN jsonb_to_recordset(p_kinds) AS k(project text, type text, version int, reason text)
   USING (project, type, version, reason) ORDER BY project, type, version, reason FOR UPDATE OF r;
  UPDATE delivery.rejections r SET
         replayed = r.replayed + k.replayed,
         unmended = CASE WHEN EXISTS (
           SELECT FROM delivery.rejected_events q
            WHERE (q.project, q.type, q.version, q.reason) = (r.project, r.type, r.version, r.reason)
              AND q.replayed_at IS NULL) THEN greatest(0, r.unmended - k.replayed) ELSE 0 END
    FROM jsonb_to_recordset(p_kinds) AS k(project text, type text, version int, reason text, replayed bigint)
   WHERE (r.project, r.type, r.version, r.reason) = (k.project, k.type, k.version, k.reason);
END $$;

-- A replay found another reason: the event is counted under that one from now on.
CREATE FUNCTION delivery.refuse_again(p_id uuid, p_reason text, p_pointer text, p_message text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_event delivery.rejected_events;
BEGIN
  SELECT * INTO v_event FROM delivery.rejected_events WHERE id = p_id AND replay IS NULL FOR UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  UPDATE delivery.rejected_events SET reason = p_reason, pointer = p_pointer, message = p_message WHERE id = p_id;
  IF v_event.reason = p_reason THEN
    RETURN;
  END IF;
  PERFORM 1 FROM delivery.rejections
   WHERE project = v_event.project AND type = v_event.type AND version = v_event.version
     AND reason IN (v_event.reason, p_reason) ORDER BY reason FOR UPDATE;
  UPDATE delivery.rejections SET events = events - 1, moved = moved - 1, unmended = greatest(0, unmended - 1)
   WHERE project = v_event.project AND type = v_event.type AND version = v_event.version AND reason = v_event.reason;
  DELETE FROM delivery.rejections
   WHERE project = v_event.project AND type = v_event.type AND version = v_event.version AND reason = v_event.reason
     AND events <= 0;
  INSERT INTO delivery.rejections AS r (project, type, version, reason, events, moved, unmended, first_at, last_at)
  VALUES (v_event.project, v_event.type, v_event.version, p_reason, 1, 1, 1,
          to_timestamp(v_event.received_ms / 1000.0), to_timestamp(v_event.received_ms / 1000.0))
  ON CONFLICT (project, type, version, reason) DO UPDATE SET
    events = r.events + 1, moved = r.moved + 1, unmended = r.unmended + 1,
    first_at = least(r.first_at, excluded.first_at), last_at = greatest(r.last_at, excluded.last_at);
END $$;

-- Deletes at most p_limit rejected events that are too old or too many, except those with a replay in progress. Each type
-- and reason has a share of the bytes of a project: the newest of all come first, then the second newest.
CREATE FUNCTION delivery.trim_rejected(p_events int, p_bytes bigint, p_age interval, p_limit int) RETURNS int
LANGUAGE plpgsql AS $$
DECLARE
  v_deleted int;
BEGIN
  DELETE FROM delivery.rejected_events WHERE id IN (
    SELECT id FROM (
      SELECT id, kept_at, replay, replayed_at, nth,
             sum(octet_length(raw)) OVER (PARTITION BY project ORDER BY nth, id DESC) AS bytes
        FROM (SELECT *, row_number() OVER (PARTITION BY project, type, reason ORDER BY id DESC) AS nth
                FROM delivery.rejected_events) r) e
     WHERE (e.kept_at < now() - p_age OR e.nth > p_events OR e.bytes > p_bytes)
       AND (e.replay IS NULL OR e.replayed_at IS NOT NULL)
     LIMIT p_limit);
  GET DIAGNOSTICS v_deleted = ROW_COUNT;
  RETURN v_deleted;
END $$;
`;
