/**
 * Staged (the chunk is in `replays`, and no other replay uses its events) → added to the queue → settled. After a crash,
 * the next call adds the same chunk again. The queue and the ledger recognise its id.
 */
export const replaySql = `
-- Returns false if some of them are in another replay, or were deleted.
CREATE FUNCTION delivery.stage_rejected(
  p_chunk uuid, p_project text, p_events uuid[], p_idempotency jsonb, p_frame bytea
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM delivery.rejected_events
    WHERE id = ANY (p_events) AND project = p_project AND replay IS NULL ORDER BY id FOR UPDATE;
  IF (SELECT count(*) FROM delivery.rejected_events WHERE id = ANY (p_events) AND project = p_project AND replay IS NULL)
     <> cardinality(p_events) THEN
    RETURN false;
  END IF;
  UPDATE delivery.rejected_events SET replay = p_chunk WHERE id = ANY (p_events);
  INSERT INTO delivery.replays (chunk, project, kind, rows, idempotency, frame)
  VALUES (p_chunk, p_project, 'rejected', cardinality(p_events), p_idempotency, p_frame);
  RETURN true;
END $$;

-- Returns false if it is in another replay, was deleted, or has changed since it was read.
CREATE FUNCTION delivery.stage_dead(
  p_chunk uuid, p_project text, p_letter uuid, p_letter_rows int, p_letter_bytes int, p_rows int, p_frame bytea
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  UPDATE delivery.dead_letters SET replay = p_chunk
   WHERE id = p_letter AND replay IS NULL AND rows = p_letter_rows AND octet_length(payload) = p_letter_bytes;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  INSERT INTO delivery.replays (chunk, project, kind, rows, idempotency, frame)
  VALUES (p_chunk, p_project, 'dead', p_rows, '[]', p_frame);
  RETURN true;
END $$;

-- Call it when the queue has the chunk. Rejected events count as accepted now. Dead letters were accepted before and are no
-- longer dead: their arrival is subtracted in advance, because it must not count as accepted again. Each chunk counts as a
-- separate process with these events only. Returns false if it was settled before.
CREATE FUNCTION delivery.settle_replay(p_chunk uuid) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_replay delivery.replays;
  v_producer text;
  v_kinds jsonb;
BEGIN
  DELETE FROM delivery.replays WHERE chunk = p_chunk RETURNING * INTO v_replay;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  v_producer := 'replay-' || p_chunk;
  IF v_replay.kind = 'rejected' THEN
    WITH event AS (
      UPDATE delivery.rejected_events SET replayed_at = clock_timestamp() WHERE replay = p_chunk
      RETURNING project, type, version, reason)
    SELECT jsonb_agg(k) INTO v_kinds
      FROM (SELECT project, type, version, reason, count(*) AS replayed FROM event GROUP BY 1, 2, 3, 4) k;
    PERFORM delivery.mend_kinds(v_kinds);
    INSERT INTO delivery.producers AS p (producer, project, reported, settled, seen_at)
    VALUES (v_producer, v_replay.project, v_replay.rows, v_replay.rows, clock_timestamp())
    ON CONFLICT (producer, project)
    DO UPDATE SET reported = excluded.reported, settled = excluded.settled, seen_at = excluded.seen_at;
    RETURN true;
  END IF;
  INSERT INTO delivery.producers AS p (producer, project, arrived, settled, seen_at)
  VALUES (v_producer, v_replay.project, -v_replay.rows, v_replay.rows, clock_timestamp())
  ON CONFLICT (producer, project)
  DO UPDATE SET arrived = p.arrived + excluded.arrived, settled = excluded.settled, seen_at = excluded.seen_at;
  WITH letter AS (
    UPDATE delivery.dead_letters SET replayed_at = clock_timestamp() WHERE replay = p_chunk RETURNING project, rows)
  UPDATE delivery.totals t SET dead = t.dead - letter.rows FROM letter WHERE t.project = letter.project;
  RETURN true;
END $$;
`;
