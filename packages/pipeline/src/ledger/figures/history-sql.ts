/**
 * The data of charts: rejected events in steps of ten minutes, and a sample of the installation's pipeline for each
 * minute.
 */
export const historySql = `
CREATE TABLE delivery.rejection_buckets (
  project text        NOT NULL,
  at      timestamptz NOT NULL,  -- the start of ten minutes
  type    text        NOT NULL,
  reason  text        NOT NULL,
  events  bigint      NOT NULL,
  PRIMARY KEY (project, at, type, reason)
) WITH (fillfactor = 70);
CREATE INDEX rejection_buckets_age ON delivery.rejection_buckets (at);

-- The kinds of rejections are bounded, and so are these. A clock that is ahead counts now.
CREATE FUNCTION delivery.count_in_bucket() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_events bigint := NEW.events - NEW.moved - CASE WHEN TG_OP = 'UPDATE' THEN OLD.events - OLD.moved ELSE 0 END;
BEGIN
  IF v_events > 0 THEN
    INSERT INTO delivery.rejection_buckets AS b (project, at, type, reason, events)
    VALUES (NEW.project, date_bin('10 minutes', least(NEW.last_at, clock_timestamp()), 'epoch'), NEW.type, NEW.reason, v_events)
    ON CONFLICT (project, at, type, reason) DO UPDATE SET events = b.events + excluded.events;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER count_in_bucket AFTER INSERT OR UPDATE OF events ON delivery.rejections
  FOR EACH ROW EXECUTE FUNCTION delivery.count_in_bucket();

CREATE TABLE delivery.pipeline_samples (
  at     timestamptz PRIMARY KEY,  -- the start of a minute
  sample jsonb       NOT NULL
);
`;
