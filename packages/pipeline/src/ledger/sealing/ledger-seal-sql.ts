import { addAccounted } from '../tables/ledger-tables-sql.ts';

/**
 * A seal is one call and one transaction. Two sealers with common chunks or keys lock rows in the same order: chunks,
 * keys, producers, totals, and sorted within each. So no deadlock is possible. Every statement sees what was committed
 * before it began, so the loser of a race finds the batch of the winner.
 */
export const ledgerSealSql = `
CREATE FUNCTION delivery.seal(
  p_batch uuid, p_ids uuid[], p_projects text[], p_rows int[], p_producers text[],
  p_settled bigint[], p_accounted int8multirange[],
  p_run_keys uuid[], p_run_bodies int[], p_run_places int[], p_run_rows int[], p_run_starts int[], p_run_lengths int[],
  p_key_lifetime interval,
  OUT won int[], OUT drops int[], OUT lost int[], OUT lost_batches uuid[], OUT lost_stored boolean[]
) LANGUAGE plpgsql AS $$
BEGIN
  WITH inserted AS (
    INSERT INTO delivery.chunks (day, id, batch)
    SELECT delivery.day_of(c.id), c.id, p_batch FROM unnest(p_ids) AS c(id) ORDER BY c.id
    ON CONFLICT DO NOTHING
    RETURNING id
  )
  SELECT coalesce(array_agg(c.place::int ORDER BY c.place), '{}') INTO won
    FROM unnest(p_ids) WITH ORDINALITY AS c(id, place) JOIN inserted USING (id);

  drops := '{}';
  IF cardinality(p_run_keys) > 0 THEN
    drops := delivery.claim_keys(won, p_ids, p_run_keys, p_run_bodies, p_run_places, p_run_rows, p_run_starts,
                                 p_run_lengths, clock_timestamp(), p_key_lifetime);
  END IF;
  IF cardinality(won) > 0 THEN
    PERFORM delivery.write_batch(p_batch, won, drops, p_ids, p_projects, p_rows, p_producers,
                                 p_settled, p_accounted);
  END IF;
  IF cardinality(won) < cardinality(p_ids) THEN
    SELECT array_agg(c.place::int ORDER BY c.place), array_agg(s.batch ORDER BY c.place),
           array_agg(coalesce(s.stored, true) ORDER BY c.place)  -- only stored batches are ever dropped
      INTO lost, lost_batches, lost_stored
      FROM unnest(p_ids) WITH ORDINALITY AS c(id, place)
      LEFT JOIN LATERAL (
        SELECT k.batch, (SELECT b.stored_at IS NOT NULL FROM delivery.batches b
                          WHERE b.day = delivery.day_of(k.batch) AND b.id = k.batch) AS stored
          FROM delivery.chunks k WHERE k.day = delivery.day_of(c.id) AND k.id = c.id LIMIT 1
      ) s ON true
     WHERE c.place <> ALL (won);
  END IF;
END $$;

-- Returns the runs to leave out, because their key occurred before in this batch or in an earlier one.
CREATE FUNCTION delivery.claim_keys(
  p_won int[], p_ids uuid[], p_keys uuid[], p_bodies int[], p_places int[], p_rows int[], p_starts int[],
  p_lengths int[], p_now timestamptz, p_lifetime interval
) RETURNS int[] LANGUAGE sql AS $$
  WITH run AS MATERIALIZED (
    SELECT r.key, r.body, r.place, r.rows, r.start, r.length, w.index, r.ord,
           row_number() OVER (PARTITION BY r.key ORDER BY r.ord) AS nth
      FROM unnest(p_keys, p_bodies, p_places, p_rows, p_starts, p_lengths) WITH ORDINALITY
             AS r(key, body, place, rows, start, length, ord)
      JOIN (SELECT place, index FROM unnest(p_won) WITH ORDINALITY AS u(place, index)) w USING (place)
  ), claimed AS (
    INSERT INTO delivery.keys AS k (key, chunk, expires_at, body)
    SELECT key, p_ids[place], p_now + p_lifetime, body FROM run WHERE nth = 1 ORDER BY key
    ON CONFLICT (key) DO UPDATE SET chunk = excluded.chunk, expires_at = excluded.expires_at, body = excluded.body
      WHERE k.expires_at <= p_now OR k.chunk = excluded.chunk
    RETURNING key
  )
  SELECT coalesce(array_agg(ARRAY[(run.index - 1)::int, run.start, run.length, run.rows] ORDER BY run.ord), '{}')
    FROM run LEFT JOIN claimed USING (key)
   WHERE run.nth > 1 OR claimed.key IS NULL
$$;

CREATE FUNCTION delivery.write_batch(
  p_batch uuid, p_won int[], p_drops int[], p_ids uuid[], p_projects text[], p_rows int[], p_producers text[],
  p_settled bigint[], p_accounted int8multirange[]
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_ids uuid[]; v_sealed int[]; v_dropped bigint[]; v_projects text[]; v_total int;
BEGIN
  SELECT array_agg(p_ids[w.place] ORDER BY w.index), array_agg(p_projects[w.place] ORDER BY w.index),
         array_agg(coalesce(d.rows, 0) ORDER BY w.index),
         array_agg((p_rows[w.place] - coalesce(d.rows, 0))::int ORDER BY w.index),
         sum(p_rows[w.place] - coalesce(d.rows, 0))
    INTO v_ids, v_projects, v_dropped, v_sealed, v_total
    FROM unnest(p_won) WITH ORDINALITY AS w(place, index)
    LEFT JOIN (SELECT p_drops[i][1] + 1 AS index, sum(p_drops[i][4]) AS rows
                 FROM generate_subscripts(p_drops, 1) AS i GROUP BY 1) d USING (index);

  INSERT INTO delivery.batches
    (day, id, chunk_ids, projects, chunk_rows, kept, drops, rows, sealed_at, stored_at)
  VALUES (delivery.day_of(p_batch), p_batch, v_ids, v_projects, v_sealed, v_sealed, p_drops, v_total,
          clock_timestamp(), CASE WHEN v_total = 0 THEN clock_timestamp() END);

  INSERT INTO delivery.producers AS p (producer, project, arrived, settled, accounted, seen_at)
  SELECT p_producers[w.place], p_projects[w.place], sum(p_rows[w.place]), max(p_settled[w.place]),
         range_agg(p_accounted[w.place]), clock_timestamp()
    FROM unnest(p_won) AS w(place) GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (producer, project)
  DO UPDATE SET arrived = p.arrived + excluded.arrived, seen_at = excluded.seen_at,
                settled = greatest(p.settled, excluded.settled),
                accounted = ${addAccounted};

  IF cardinality(p_drops) > 0 THEN
    INSERT INTO delivery.totals AS t (project, deduplicated)
    SELECT c.project, sum(c.dropped) FROM unnest(v_projects, v_dropped) AS c(project, dropped)
     WHERE c.dropped > 0 GROUP BY c.project ORDER BY c.project
    ON CONFLICT (project) DO UPDATE SET deduplicated = t.deduplicated + excluded.deduplicated;
  END IF;
END $$;

-- Returns true for the call that marked the batch as stored, and false for every later one.
CREATE FUNCTION delivery.stored(p_batch uuid) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_projects text[];
  v_kept int[];
BEGIN
  UPDATE delivery.batches SET stored_at = clock_timestamp()
   WHERE day = delivery.day_of(p_batch) AND id = p_batch AND stored_at IS NULL
  RETURNING projects, kept INTO v_projects, v_kept;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  INSERT INTO delivery.totals AS t (project, stored)
  SELECT c.project, sum(c.rows) FROM unnest(v_projects, v_kept) AS c(project, rows)
   GROUP BY c.project ORDER BY c.project
  ON CONFLICT (project) DO UPDATE SET stored = t.stored + excluded.stored;
  RETURN true;
END $$;
`;
