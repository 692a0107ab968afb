import { migrateSchema, type Schema } from '@tickrate/postgres';
import { memberSql } from '../administrators/member-sql.ts';
import { eraseAccountSql } from '../people/erase-account-sql.ts';
import { banSql } from '../players/ban-sql.ts';
import { signInBasisSql } from '../sign-in/sign-in-basis-sql.ts';

/**
 * People. A realm is the id of a project, or 'installation' for administrators: an account, its address and its
 * identities are unique within one.
 */
const peopleSql = `
CREATE TABLE auth.accounts (
  id text COLLATE "C" PRIMARY KEY CHECK (id ~ '^u-[a-z0-9]{20}$'),
  realm text COLLATE "C" NOT NULL,
  email text,
  email_folded text COLLATE "C",
  email_verified timestamptz,
  display_name text,
  avatar_url text,
  locale text,
  marketing boolean,
  marketing_changed timestamptz,
  terms jsonb NOT NULL DEFAULT '{}',
  owns_installation boolean NOT NULL DEFAULT false,
  created timestamptz NOT NULL,
  ban_reason text,
  banned timestamptz,
  ban_expires timestamptz,
  archived timestamptz,
  UNIQUE (realm, email_folded),
  UNIQUE (id, realm)
);
CREATE INDEX accounts_by_age ON auth.accounts (realm, created, id);
CREATE INDEX banned_accounts ON auth.accounts (realm, created, id) WHERE banned IS NOT NULL;

CREATE TABLE auth.identities (
  id uuid PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL,
  realm text COLLATE "C" NOT NULL,
  provider text COLLATE "C" NOT NULL,
  tenant text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  display_name text,
  linked timestamptz NOT NULL,
  last_used timestamptz NOT NULL,
  moved_from text COLLATE "C",
  moved timestamptz,
  UNIQUE (realm, provider, tenant, subject),
  FOREIGN KEY (account_id, realm) REFERENCES auth.accounts (id, realm) ON DELETE CASCADE
);
CREATE INDEX identities_of_account ON auth.identities (account_id);

CREATE TABLE auth.roles (
  account_id text COLLATE "C" NOT NULL REFERENCES auth.accounts (id) ON DELETE CASCADE,
  project_id text COLLATE "C" NOT NULL,
  role text COLLATE "C" NOT NULL,
  granted timestamptz NOT NULL,
  PRIMARY KEY (account_id, project_id, role)
);
CREATE INDEX roles_of_project ON auth.roles (project_id);

CREATE TABLE auth.default_projects (
  account_id text COLLATE "C" PRIMARY KEY REFERENCES auth.accounts (id) ON DELETE CASCADE,
  project_id text COLLATE "C"
);
`;

const credentialsSql = `
CREATE TABLE auth.passwords (
  account_id text COLLATE "C" PRIMARY KEY REFERENCES auth.accounts (id) ON DELETE CASCADE,
  hash text NOT NULL,
  changed timestamptz NOT NULL
);

CREATE TABLE auth.totps (
  account_id text COLLATE "C" PRIMARY KEY REFERENCES auth.accounts (id) ON DELETE CASCADE,
  secret bytea NOT NULL,
  confirmed timestamptz NOT NULL,
  last_step bigint NOT NULL DEFAULT 0,
  failures integer NOT NULL DEFAULT 0,
  locked_until timestamptz
);

CREATE TABLE auth.recovery_codes (
  account_id text COLLATE "C" NOT NULL REFERENCES auth.accounts (id) ON DELETE CASCADE,
  hash bytea NOT NULL,
  used timestamptz,
  PRIMARY KEY (account_id, hash)
);

CREATE TABLE auth.known_devices (
  account_id text COLLATE "C" NOT NULL REFERENCES auth.accounts (id) ON DELETE CASCADE,
  hash bytea NOT NULL,
  name text,
  seen timestamptz NOT NULL,
  trusted_until timestamptz,
  PRIMARY KEY (account_id, hash)
);

CREATE TABLE auth.device_secrets (
  device_id text COLLATE "C" PRIMARY KEY,
  realm text COLLATE "C" NOT NULL,
  hash bytea NOT NULL,
  issued timestamptz NOT NULL
);

-- 'enrol' is the code that a player receives by mail before setting up a second factor during sign-in.
CREATE TABLE auth.mail_tokens (
  hash bytea PRIMARY KEY,
  realm text COLLATE "C" NOT NULL,
  kind text NOT NULL CHECK (kind IN ('reset', 'verify', 'register', 'enrol', 'change-email')),
  email text NOT NULL,
  email_folded text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" REFERENCES auth.accounts (id) ON DELETE CASCADE,
  password_hash text,
  details jsonb NOT NULL DEFAULT '{}',
  expires timestamptz NOT NULL
);
CREATE INDEX mail_tokens_by_expiry ON auth.mail_tokens (expires);

CREATE TABLE auth.spent_tokens (
  hash bytea PRIMARY KEY,
  expires timestamptz NOT NULL
);
CREATE INDEX spent_tokens_by_expiry ON auth.spent_tokens (expires);

CREATE TABLE auth.remembered_tokens (
  scope bytea NOT NULL,
  hash bytea NOT NULL,
  identity bytea NOT NULL,
  expires timestamptz NOT NULL,
  PRIMARY KEY (scope, hash)
);
CREATE INDEX remembered_tokens_by_expiry ON auth.remembered_tokens (expires);

-- The tokens that a process is checking with a platform. A check ends within seconds, so a crash may lose the table.
CREATE UNLOGGED TABLE auth.token_checks (name bytea PRIMARY KEY, until timestamptz NOT NULL);

-- Every sign-in writes buckets, and a busy address writes one again and again. No B-tree covers a column that changes,
-- so the row is replaced in its page and no index grows.
CREATE TABLE auth.throttles (
  bucket bytea PRIMARY KEY,
  failures integer NOT NULL DEFAULT 0,
  locked_until timestamptz,
  tokens double precision NOT NULL DEFAULT 0,
  touched timestamptz NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX throttles_by_use ON auth.throttles USING brin (touched);
`;

/** Sign-in state is found by a secret, never by an address or a key: see ADR 17. */
const signInSql = `
CREATE TABLE auth.exchanges (
  id text COLLATE "C" PRIMARY KEY,
  key_id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  started timestamptz NOT NULL,
  touched timestamptz NOT NULL,
  code_failures integer NOT NULL DEFAULT 0,
  completed timestamptz
);
CREATE INDEX exchanges_by_start ON auth.exchanges (started);

-- An answer is repeated while the account still has the basis that the answer was decided on.
CREATE TABLE auth.answers (
  fingerprint bytea PRIMARY KEY,
  answer bytea NOT NULL,
  session_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  basis bytea NOT NULL,
  completed timestamptz NOT NULL
);
CREATE INDEX answers_by_age ON auth.answers (completed);

CREATE TABLE auth.passed_codes (
  mark bytea PRIMARY KEY,
  exchange_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL REFERENCES auth.accounts (id) ON DELETE CASCADE,
  proofs bytea[] NOT NULL,
  method text NOT NULL CHECK (method IN ('otp', 'recovery')),
  started timestamptz NOT NULL,
  touched timestamptz NOT NULL
);
CREATE INDEX passed_codes_of_account ON auth.passed_codes (account_id);

CREATE TABLE auth.enrolments (
  exchange_id text COLLATE "C" NOT NULL,
  mark bytea NOT NULL,
  owner bytea NOT NULL,
  secret bytea NOT NULL,
  begun timestamptz NOT NULL,
  failures integer NOT NULL DEFAULT 0,
  step bigint,
  code bytea,
  PRIMARY KEY (exchange_id, mark)
);
CREATE INDEX enrolments_of_owner ON auth.enrolments (owner, begun);

-- A session ends with the identities that opened it. One index holds the sessions of an account, ended or not, so that
-- the end of a session changes no index.
CREATE TABLE auth.sessions (
  id text COLLATE "C" PRIMARY KEY CHECK (id ~ '^us-[a-z0-9]{20}$'),
  account_id text COLLATE "C" NOT NULL REFERENCES auth.accounts (id) ON DELETE CASCADE,
  realm text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  key_hash bytea NOT NULL UNIQUE,
  secret_hash bytea NOT NULL,
  role text NOT NULL,
  amr text[] NOT NULL,
  opened_by uuid[] NOT NULL DEFAULT '{}',
  metered boolean NOT NULL,
  new_account boolean NOT NULL,
  started timestamptz NOT NULL,
  proven timestamptz NOT NULL,
  expires timestamptz NOT NULL,
  absolute_expires timestamptz NOT NULL,
  client_address text NOT NULL,
  ended timestamptz,
  end_reason text
);
CREATE INDEX sessions_by_account ON auth.sessions (account_id, started, id);

-- Contains only hashes: a reader of the database cannot sign in with them.
CREATE TABLE auth.sign_in_links (
  hash bytea PRIMARY KEY CHECK (octet_length(hash) = 32),
  account_id text COLLATE "C" NOT NULL REFERENCES auth.accounts (id) ON DELETE CASCADE,
  expires timestamptz NOT NULL,
  used timestamptz
);
CREATE INDEX sign_in_links_of_account ON auth.sign_in_links (account_id);
`;

const recordsSql = `
CREATE TABLE auth.outbox (
  id uuid PRIMARY KEY,
  realm text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" REFERENCES auth.accounts (id) ON DELETE CASCADE,
  recipient text NOT NULL,
  subject text NOT NULL,
  body bytea NOT NULL,
  sent timestamptz NOT NULL
);
CREATE INDEX outbox_of_realm ON auth.outbox (realm, sent, id);
CREATE INDEX outbox_of_account ON auth.outbox (account_id);

-- Security mails that are due. A mail about a changed address goes to the previous one.
CREATE TABLE auth.notices (
  id uuid PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES auth.accounts (id) ON DELETE CASCADE,
  kind text NOT NULL,
  recipient text NOT NULL,
  left_at timestamptz NOT NULL,
  due timestamptz,
  tries integer NOT NULL DEFAULT 0
);
CREATE INDEX notices_of_account ON auth.notices (account_id);
CREATE INDEX notices_to_mail ON auth.notices (due) WHERE due IS NOT NULL;

-- Wakes the processes that send mails.
CREATE FUNCTION auth.notify_mail() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('tickrate_mails', '');
  RETURN NULL;
END $$;
CREATE TRIGGER notify_mail AFTER INSERT ON auth.notices
  FOR EACH ROW WHEN (NEW.due IS NOT NULL) EXECUTE FUNCTION auth.notify_mail();

CREATE TABLE auth.audit (
  id uuid PRIMARY KEY,
  at timestamptz NOT NULL,
  realm text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  act text NOT NULL,
  account_id text COLLATE "C",
  session_id text COLLATE "C",
  request_id text NOT NULL,
  client_address text NOT NULL,
  details jsonb NOT NULL
);
CREATE INDEX audit_of_account ON auth.audit (account_id, at);
CREATE INDEX audit_by_act ON auth.audit (project_id, act, at, id);
`;

const authSchema: Schema = {
  name: 'auth',
  migrations: [
    {
      name: '001-baseline',
      sql:
        peopleSql +
        credentialsSql +
        signInSql +
        recordsSql +
        memberSql +
        banSql +
        signInBasisSql +
        eraseAccountSql,
    },
  ],
};

export function migrateAuth(postgresUrl: string): Promise<void> {
  return migrateSchema(postgresUrl, authSchema);
}
