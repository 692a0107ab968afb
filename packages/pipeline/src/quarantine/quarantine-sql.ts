/**
 * Rejected events: all are counted, and a sample is kept. A replay is in `replays` from before its chunk is added to the
 * queue until the chunk is accounted for.
 */
export const quarantineSql = `
CREATE TABLE delivery.rejections (
  project  text        NOT NULL,
  type     text        NOT NULL,  -- '' for events without a type, and for types beyond the bound
  version  int         NOT NULL,  -- 0 when none was found
  reason   text        NOT NULL,
  events   bigint      NOT NULL,
  moved    bigint      NOT NULL DEFAULT 0,  -- of these, minus those that left: a replay found another reason
  replayed bigint      NOT NULL DEFAULT 0,
  unmended bigint      NOT NULL DEFAULT 0,  -- 0 once no sample waits: all were replayed or deleted
  first_at timestamptz NOT NULL,
  last_at  timestamptz NOT NULL,
  PRIMARY KEY (project, type, version, reason)
) WITH (fillfactor = 70);
CREATE INDEX rejections_age ON delivery.rejections (last_at);

-- The last flush of each gateway: a flush whose answer was lost is sent again and counts once.
CREATE TABLE delivery.rejection_flushes (
  producer text        PRIMARY KEY,
  flush    bigint      NOT NULL,
  at       timestamptz NOT NULL
) WITH (fillfactor = 70);

CREATE TABLE delivery.rejected_events (
  id             uuid        PRIMARY KEY,
  project        text        NOT NULL,
  type           text        NOT NULL,
  version        int         NOT NULL,
  version_named  boolean     NOT NULL,  -- by the sender
  reason         text        NOT NULL,
  pointer        text        NOT NULL,
  message        text        NOT NULL,
  form           text        NOT NULL CHECK (form IN ('event', 'element', 'body')),
  raw            bytea       NOT NULL,  -- as it was sent, or its beginning
  bytes          int         NOT NULL,  -- as it was sent
  key_id         text        NOT NULL,
  key_line       text,                  -- null for the key of a session
  key_kind       text        NOT NULL,
  session_id     text        NOT NULL,
  account_id     text        NOT NULL,
  client_address text        NOT NULL,
  sdk_name       text        NOT NULL,
  sdk_version    text        NOT NULL,
  request_id     text        NOT NULL,
  event_id       uuid,
  received_ms    bigint      NOT NULL,
  occurred_ms    bigint,
  skew_ms        bigint      NOT NULL,
  kept_at        timestamptz NOT NULL DEFAULT now(),
  replay         uuid,
  replayed_at    timestamptz
);
CREATE INDEX rejected_events_kind ON delivery.rejected_events (project, type, reason, id);
CREATE INDEX rejected_events_project ON delivery.rejected_events (project, id);
CREATE INDEX rejected_events_account ON delivery.rejected_events (project, account_id) WHERE account_id <> '';
CREATE INDEX rejected_events_age ON delivery.rejected_events (kept_at);
CREATE INDEX rejected_events_replay ON delivery.rejected_events (replay) WHERE replay IS NOT NULL;

CREATE TABLE delivery.replays (
  chunk       uuid        PRIMARY KEY,
  project     text        NOT NULL,
  kind        text        NOT NULL CHECK (kind IN ('rejected', 'dead')),
  rows        int         NOT NULL,
  idempotency jsonb       NOT NULL,
  frame       bytea       NOT NULL,
  staged_at   timestamptz NOT NULL DEFAULT now()
);

-- Rejected events in steps of ten minutes, for charts.
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
`;
