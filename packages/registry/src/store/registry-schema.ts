import { migrateSchema, type Schema } from '@tickrate/postgres';

const projectsSql = `
CREATE TABLE registry.projects (
  id text COLLATE "C" PRIMARY KEY CHECK (id ~ '^p-[a-z0-9]{12}$'),
  name text NOT NULL,
  test_mode boolean NOT NULL,
  created timestamptz NOT NULL,
  deleted timestamptz  -- by its owner: no call finds it any more, and the workers delete what is in it
);

CREATE TABLE registry.keys (
  id uuid PRIMARY KEY,
  -- The first key of its rotation line.
  line uuid NOT NULL,
  project_id text COLLATE "C" NOT NULL REFERENCES registry.projects (id),
  hash bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
  prefix text NOT NULL CHECK (length(prefix) = 12),
  ending text NOT NULL CHECK (length(ending) = 4),
  kind text NOT NULL CHECK (kind IN ('public', 'administrative')),
  comment text NOT NULL,
  scopes text[] NOT NULL,
  origins text[],
  created_by text NOT NULL,
  parent_id uuid REFERENCES registry.keys (id),
  created timestamptz NOT NULL,
  last_used timestamptz,
  expires timestamptz,
  revoked timestamptz
);
CREATE INDEX keys_by_parent ON registry.keys (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX keys_of_project ON registry.keys (project_id, created);

CREATE TABLE registry.policies (
  project_id text COLLATE "C" NOT NULL REFERENCES registry.projects (id),
  name text COLLATE "C" NOT NULL,
  value jsonb NOT NULL,
  changed timestamptz NOT NULL,
  PRIMARY KEY (project_id, name)
);

-- Records that users save for a project. Names are ordered by bytes, as in every list.
CREATE TABLE registry.saved (
  id uuid PRIMARY KEY,
  project_id text COLLATE "C" NOT NULL REFERENCES registry.projects (id),
  kind text NOT NULL CHECK (kind IN ('query', 'dashboard')),
  name text COLLATE "C" NOT NULL,
  content jsonb NOT NULL,
  created_by text NOT NULL,
  created timestamptz NOT NULL
);
CREATE INDEX saved_of_project ON registry.saved (project_id, kind, name, id);

-- A deleted dashboard takes its links with it. Only hashes: a reader of the database cannot use them.
CREATE TABLE registry.shares (
  id uuid PRIMARY KEY,
  project_id text COLLATE "C" NOT NULL REFERENCES registry.projects (id),
  dashboard_id uuid NOT NULL REFERENCES registry.saved (id) ON DELETE CASCADE,
  hash bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
  key_id uuid REFERENCES registry.keys (id),  -- the key that made it, with which it ends
  created_by text NOT NULL,
  created timestamptz NOT NULL,
  expires timestamptz NOT NULL
);
CREATE INDEX shares_of_project ON registry.shares (project_id, id);
CREATE INDEX shares_of_dashboard ON registry.shares (dashboard_id);
`;

const keysOfProcessesSql = `
-- Auth writes the keys of sessions, and every process reads them.
CREATE TABLE registry.session_keys (
  hash bytea PRIMARY KEY CHECK (octet_length(hash) = 32),
  session_id text COLLATE "C" NOT NULL UNIQUE,
  account_id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL REFERENCES registry.projects (id),
  scopes text[] NOT NULL,
  expires timestamptz NOT NULL,
  ended timestamptz,
  barred boolean NOT NULL DEFAULT false  -- by a ban: late events are rejected too
);
CREATE INDEX session_keys_of_account ON registry.session_keys (account_id);

-- One key for all processes of the console. They need its text, so it is sealed.
CREATE TABLE registry.console_key (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  key_id uuid NOT NULL REFERENCES registry.keys (id),
  sealed bytea NOT NULL
);
`;

const eventTypesSql = `
CREATE TABLE registry.event_types (
  project_id text COLLATE "C" NOT NULL REFERENCES registry.projects (id),
  name text COLLATE "C" NOT NULL CHECK (name ~ '^[A-Za-z][A-Za-z0-9_.-]{0,127}$'),
  description text,
  created timestamptz NOT NULL,
  PRIMARY KEY (project_id, name)
);

CREATE TABLE registry.event_type_versions (
  project_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  version integer NOT NULL CHECK (version BETWEEN 1 AND 65535),
  status text NOT NULL CHECK (status IN ('available', 'deprecated', 'retired')),
  declaration json NOT NULL,
  fingerprint bytea NOT NULL CHECK (octet_length(fingerprint) = 32),
  created timestamptz NOT NULL,
  PRIMARY KEY (project_id, name, version),
  FOREIGN KEY (project_id, name) REFERENCES registry.event_types (project_id, name)
);

CREATE FUNCTION registry.refuse_rewriting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'A declared version never changes' USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER version_is_immutable
  BEFORE UPDATE OF project_id, name, version, declaration, fingerprint ON registry.event_type_versions
  FOR EACH ROW EXECUTE FUNCTION registry.refuse_rewriting();

-- Not a column of the type: a fault of its view is not a change of the type.
CREATE TABLE registry.view_faults (
  project_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  reason text NOT NULL,
  PRIMARY KEY (project_id, name),
  FOREIGN KEY (project_id, name) REFERENCES registry.event_types (project_id, name)
);
`;

/**
 * Deferred triggers write the change log: the lock on the epoch is the last one that a transaction takes. So two
 * transactions cannot deadlock, and the lock is held only during the commit.
 */
const changesSql = `
CREATE TABLE registry.epoch (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  position bigint NOT NULL
);
INSERT INTO registry.epoch (position) VALUES (0);

CREATE TABLE registry.changes (
  position bigint PRIMARY KEY,
  subject text NOT NULL
);

CREATE FUNCTION registry.record_change(subject text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  reached bigint;
BEGIN
  UPDATE registry.epoch SET position = position + 1 RETURNING position INTO reached;
  INSERT INTO registry.changes (position, subject) VALUES (reached, subject);
  DELETE FROM registry.changes WHERE position <= reached - 10000;
  PERFORM pg_notify('tickrate_registry', reached::text);
END $$;

CREATE FUNCTION registry.key_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM registry.record_change('key:' || encode(COALESCE(NEW.hash, OLD.hash), 'hex'));
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER key_changed
  AFTER INSERT OR DELETE OR UPDATE OF project_id, hash, kind, scopes, origins, expires, revoked ON registry.keys
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION registry.key_changed();

CREATE FUNCTION registry.event_type_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM registry.record_change(
    'type:' || COALESCE(NEW.project_id, OLD.project_id) || '/' || COALESCE(NEW.name, OLD.name));
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER event_type_changed AFTER UPDATE OR DELETE ON registry.event_types
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION registry.event_type_changed();
CREATE CONSTRAINT TRIGGER version_changed AFTER INSERT OR UPDATE OR DELETE ON registry.event_type_versions
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION registry.event_type_changed();

CREATE FUNCTION registry.policy_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM registry.record_change('policy:' || COALESCE(NEW.project_id, OLD.project_id));
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER policy_changed AFTER INSERT OR UPDATE OR DELETE ON registry.policies
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION registry.policy_changed();

-- A new session key is not a change, because nobody looked it up before. Its end or renewal is one.
CREATE FUNCTION registry.session_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM registry.record_change('session:' || encode(OLD.hash, 'hex'));
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER session_changed
  AFTER DELETE OR UPDATE OF hash, account_id, project_id, scopes, expires, ended, barred ON registry.session_keys
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION registry.session_changed();

-- The test mode affects sign-in, like the policies.
CREATE FUNCTION registry.test_mode_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM registry.record_change('policy:' || NEW.id);
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER test_mode_changed AFTER UPDATE OF test_mode ON registry.projects
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION registry.test_mode_changed();
`;

/** Acts through the management API. The outcome is written once, and nothing else in an act changes. */
const actsSql = `
CREATE TABLE registry.acts (
  id uuid PRIMARY KEY,
  at timestamptz NOT NULL,
  project_id text COLLATE "C" NOT NULL REFERENCES registry.projects (id),
  act text NOT NULL,
  actor text NOT NULL,
  request_id text NOT NULL,
  client_address text NOT NULL,
  details jsonb NOT NULL,
  outcome text
);
CREATE INDEX acts_of_project ON registry.acts (project_id, at DESC, id DESC);

CREATE FUNCTION registry.refuse_changing_history() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'A recorded act never changes' USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER act_is_history
  BEFORE UPDATE ON registry.acts FOR EACH ROW
  WHEN (OLD.outcome IS NOT NULL OR NEW.outcome IS NULL
    OR (OLD.id, OLD.at, OLD.project_id, OLD.act, OLD.actor, OLD.request_id, OLD.client_address)
       IS DISTINCT FROM (NEW.id, NEW.at, NEW.project_id, NEW.act, NEW.actor, NEW.request_id, NEW.client_address))
  EXECUTE FUNCTION registry.refuse_changing_history();
`;

const demoSql = `
CREATE TABLE registry.demo (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  seen timestamptz NOT NULL,  -- when its process reported last
  project_id text COLLATE "C" REFERENCES registry.projects (id),  -- null while none is played
  started timestamptz,
  arrived timestamptz,  -- when all past events were sent
  sent int NOT NULL DEFAULT 0,
  expected int NOT NULL DEFAULT 0,
  tour jsonb NOT NULL DEFAULT '[]'
);
`;

const registrySchema: Schema = {
  name: 'registry',
  migrations: [
    {
      name: '001-baseline',
      sql: projectsSql + keysOfProcessesSql + eventTypesSql + changesSql + actsSql + demoSql,
    },
  ],
};

export function migrateRegistry(postgresUrl: string): Promise<void> {
  return migrateSchema(postgresUrl, registrySchema);
}
