/**
 * The events that each project sent on each day (UTC), for its quotas. A producer's `counted` says how much of its events
 * the usage contains. So a repeated report counts once, and what a killed gateway never reported counts when it arrives.
 * Locks are taken in the order producers, usage, and sorted within each.
 */
export const usageSql = `
CREATE TABLE delivery.usage (
  project text   NOT NULL,
  day     date   NOT NULL,
  events  bigint NOT NULL,
  PRIMARY KEY (project, day)
) WITH (fillfactor = 50);

CREATE FUNCTION delivery.utc_day() RETURNS date LANGUAGE sql STABLE AS $$
  SELECT (clock_timestamp() AT TIME ZONE 'UTC')::date
$$;

-- Of one producer, or of all with null.
CREATE FUNCTION delivery.count_usage(p_producer text) RETURNS void LANGUAGE sql AS $$
  WITH uncounted AS MATERIALIZED (
    SELECT producer, project, greatest(reported, arrived) AS total, counted FROM delivery.producers
     WHERE (p_producer IS NULL OR producer = p_producer) AND counted < greatest(reported, arrived)
     ORDER BY producer, project FOR UPDATE
  ), marked AS (
    UPDATE delivery.producers p SET counted = u.total FROM uncounted u
     WHERE p.producer = u.producer AND p.project = u.project
  )
  INSERT INTO delivery.usage AS u (project, day, events)
  SELECT project, delivery.utc_day(), sum(total - counted) FROM uncounted GROUP BY project ORDER BY project
  ON CONFLICT (project, day) DO UPDATE SET events = u.events + excluded.events
$$;
`;
