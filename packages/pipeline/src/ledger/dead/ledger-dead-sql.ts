import { addAccounted } from '../tables/ledger-tables-sql.ts';

/** Parts of a refused batch, and dead letters. Every function locks the row of its batch first. */
export const ledgerDeadSql = `
-- Records the parts before they are inserted. A second caller finds the parts of the first.
CREATE FUNCTION delivery.split(p_batch uuid, p_path text, p_firsts int[], p_rows int[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_day int := delivery.day_of(p_batch);
BEGIN
  PERFORM 1 FROM delivery.batches
    WHERE day = v_day AND id = p_batch AND stored_at IS NULL FOR UPDATE;
  IF NOT FOUND OR NOT delivery.close_fragment(p_batch, p_path, 'split') THEN
    RETURN;
  END IF;
  INSERT INTO delivery.fragments (day, batch, path, first_row, rows, state)
  SELECT v_day, p_batch, p_path || '/' || (part.ord - 1), part.first_row, part.rows, 'open'
    FROM unnest(p_firsts, p_rows) WITH ORDINALITY AS part(first_row, rows, ord);
END $$;

-- Returns true if the part was open. The whole batch is open until it has a row here.
CREATE FUNCTION delivery.close_fragment(p_batch uuid, p_path text, p_state text) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  IF p_path = '' THEN
    INSERT INTO delivery.fragments (day, batch, path, first_row, rows, state)
    SELECT b.day, b.id, '', 0, b.rows, p_state FROM delivery.batches b
     WHERE b.day = delivery.day_of(p_batch) AND b.id = p_batch
    ON CONFLICT DO NOTHING;
  ELSE
    UPDATE delivery.fragments SET state = p_state
     WHERE day = delivery.day_of(p_batch) AND batch = p_batch AND path = p_path AND state = 'open';
  END IF;
  RETURN FOUND;
END $$;

CREATE FUNCTION delivery.less(p_ids uuid[], p_kept int[], p_gone uuid[], p_rows int[]) RETURNS int[]
LANGUAGE sql IMMUTABLE AS $$
  SELECT array_agg((c.kept - coalesce(g.rows, 0))::int ORDER BY c.ord)
    FROM unnest(p_ids, p_kept) WITH ORDINALITY AS c(id, kept, ord)
    LEFT JOIN (SELECT x.id, sum(x.rows) AS rows FROM unnest(p_gone, p_rows) AS x(id, rows) GROUP BY x.id) g
      USING (id)
$$;

-- For chunks that neither the queue nor ClickHouse has. They do not count as stored, so the sums show the loss.
CREATE FUNCTION delivery.lose(p_batch uuid, p_chunks uuid[]) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_batch delivery.batches;
BEGIN
  SELECT * INTO v_batch FROM delivery.batches
   WHERE day = delivery.day_of(p_batch) AND id = p_batch AND stored_at IS NULL FOR UPDATE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  UPDATE delivery.batches b SET kept = (
    SELECT array_agg(CASE WHEN c.id = ANY (p_chunks) THEN 0 ELSE c.kept END ORDER BY c.ord)
      FROM unnest(v_batch.chunk_ids, v_batch.kept) WITH ORDINALITY AS c(id, kept, ord))
   WHERE b.day = v_batch.day AND b.id = v_batch.id;
  INSERT INTO delivery.totals AS t (project, lost)
  SELECT c.project, sum(c.kept) FROM unnest(v_batch.chunk_ids, v_batch.projects, v_batch.kept) AS c(id, project, kept)
   WHERE c.id = ANY (p_chunks) GROUP BY c.project ORDER BY c.project
  ON CONFLICT (project) DO UPDATE SET lost = t.lost + excluded.lost;
  RETURN true;
END $$;

-- Keeps the rows of a part as dead letters instead of storing them. Returns false if another call did so before.
CREATE FUNCTION delivery.bury_fragment(
  p_batch uuid, p_path text, p_reason text, p_detail text,
  p_letters uuid[], p_projects text[], p_jobs text[], p_firsts int[], p_rows int[], p_payloads bytea[],
  p_types jsonb[]
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
  SELECT l.id, l.project, l.job, p_batch, l.first_row, l.rows, p_reason, p_detail, l.payload, l.types
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

-- Keeps a job without a valid chunk. Returns false if it was kept before.
CREATE FUNCTION delivery.bury_job(
  p_letter uuid, p_project text, p_job text, p_rows int, p_reason text, p_payload bytea,
  p_producer text, p_start bigint
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO delivery.dead_letters (id, project, job, first_row, rows, reason, detail, payload)
  VALUES (p_letter, p_project, p_job, 0, p_rows, 'malformedChunk', p_reason, p_payload)
  ON CONFLICT (job, first_row) DO NOTHING;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  IF p_producer IS NOT NULL THEN
    INSERT INTO delivery.producers AS p (producer, project, accounted, seen_at)
    VALUES (p_producer, p_project, int8multirange(int8range(p_start, p_start + p_rows)), clock_timestamp())
    ON CONFLICT (producer, project)
    DO UPDATE SET accounted = ${addAccounted}, seen_at = excluded.seen_at;
  END IF;
  IF p_project IS NOT NULL THEN
    INSERT INTO delivery.totals AS t (project, dead) VALUES (p_project, p_rows)
    ON CONFLICT (project) DO UPDATE SET dead = t.dead + excluded.dead;
  END IF;
  RETURN true;
END $$;
`;
