import { invitationSql } from '../administrators/invitation-sql.ts';
import { memberSql } from '../administrators/member-sql.ts';
import { eraseAccountSql } from '../people/erase-account-sql.ts';
import { banSql } from '../players/ban-sql.ts';
import { signInBasisSql } from '../sign-in/sign-in-basis-sql.ts';

export interface Migration {
  readonly name: string;
  readonly sql: string;
}

/** In order, forward only: what was released is never edited, a mistake is mended by the next one. */
export const migrations: readonly Migration[] = [
  {
    // A realm is a project's id, or 'installation' for administrators: an account, its address and its tokens are
    // unique within one.
    name: '001-accounts',
    sql: `
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
`,
  },
  {
    name: '002-credentials',
    sql: `
CREATE TABLE auth.passwords (
  account_id text COLLATE "C" PRIMARY KEY REFERENCES auth.accounts (id) ON DELETE CASCADE,
  hash text NOT NULL,
  changed timestamptz NOT NULL
);

CREATE TABLE auth.totps (
  account_id text COLLATE "C" PRIMARY KEY REFERENCES auth.accounts (id) ON DELETE CASCADE,
  secret bytea NOT NULL,
  confirmed timestamptz,
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

CREATE TABLE auth.mail_tokens (
  hash bytea PRIMARY KEY,
  realm text COLLATE "C" NOT NULL,
  kind text NOT NULL CHECK (kind IN ('reset', 'verify', 'register')),
  email text NOT NULL,
  email_folded text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" REFERENCES auth.accounts (id) ON DELETE CASCADE,
  password_hash text,
  details jsonb NOT NULL DEFAULT '{}',
  expires timestamptz NOT NULL
);
CREATE INDEX mail_tokens_by_expiry ON auth.mail_tokens (expires);

CREATE TABLE auth.outbox (
  id uuid PRIMARY KEY,
  recipient text NOT NULL,
  subject text NOT NULL,
  body bytea NOT NULL,
  sent timestamptz NOT NULL
);
`,
  },
  {
    name: '003-exchanges-and-sessions',
    sql: `
CREATE TABLE auth.exchanges (
  id text COLLATE "C" PRIMARY KEY,
  key_id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  sender bytea NOT NULL,
  started timestamptz NOT NULL,
  touched timestamptz NOT NULL,
  code_failures integer NOT NULL DEFAULT 0,
  second_factors jsonb NOT NULL DEFAULT '{}',
  fingerprint bytea,
  completed timestamptz,
  answer bytea,
  session_id text COLLATE "C"
);
CREATE INDEX exchanges_by_fingerprint ON auth.exchanges (fingerprint, completed) WHERE completed IS NOT NULL;
CREATE INDEX exchanges_by_sender ON auth.exchanges (sender, started);
CREATE INDEX exchanges_by_start ON auth.exchanges (started);

CREATE TABLE auth.remembered_tokens (
  scope bytea NOT NULL,
  hash bytea NOT NULL,
  identity bytea NOT NULL,
  expires timestamptz NOT NULL,
  PRIMARY KEY (scope, hash)
);
CREATE INDEX remembered_tokens_by_expiry ON auth.remembered_tokens (expires);

CREATE TABLE auth.sessions (
  id text COLLATE "C" PRIMARY KEY CHECK (id ~ '^us-[a-z0-9]{20}$'),
  account_id text COLLATE "C" NOT NULL REFERENCES auth.accounts (id) ON DELETE CASCADE,
  realm text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  key_hash bytea NOT NULL UNIQUE,
  secret_hash bytea NOT NULL,
  role text NOT NULL,
  amr text[] NOT NULL,
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
CREATE INDEX sessions_of_account ON auth.sessions (account_id) WHERE ended IS NULL;
`,
  },
  {
    name: '004-throttles-roles-audit',
    sql: `
CREATE TABLE auth.throttles (
  bucket bytea PRIMARY KEY,
  failures integer NOT NULL DEFAULT 0,
  locked_until timestamptz,
  tokens double precision NOT NULL DEFAULT 0,
  touched timestamptz NOT NULL
);
CREATE INDEX throttles_by_use ON auth.throttles (touched);

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

CREATE TABLE auth.invitations (
  id uuid PRIMARY KEY,
  email_folded text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  role text COLLATE "C" NOT NULL,
  invited_by text COLLATE "C" NOT NULL,
  expires timestamptz NOT NULL,
  used timestamptz,
  UNIQUE (email_folded, project_id)
);

CREATE TABLE auth.first_administrator (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  account_id text COLLATE "C" NOT NULL
);

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
CREATE INDEX audit_of_project ON auth.audit (project_id, at);
`,
  },
  {
    name: '005-spent-tokens',
    sql: `
CREATE TABLE auth.spent_tokens (
  hash bytea PRIMARY KEY,
  expires timestamptz NOT NULL
);
CREATE INDEX spent_tokens_by_expiry ON auth.spent_tokens (expires);
`,
  },
  { name: '006-erase-account', sql: eraseAccountSql },
  { name: '007-bans-and-invitations', sql: banSql + invitationSql },
  { name: '008-members', sql: memberSql },
  {
    // Buckets are written at every sign-in, and most of all those of a busy address: without a B-tree on what changes,
    // the row is rewritten in its page and no index grows.
    name: '009-throttles-in-place',
    sql: `
DROP INDEX auth.throttles_by_use;
CREATE INDEX throttles_by_use ON auth.throttles USING brin (touched);
ALTER TABLE auth.throttles SET (fillfactor = 50);
`,
  },
  {
    // Players are looked up and listed by whoever manages a project, and so is what they did. An account's sessions are
    // in one index, ended or not: ending one then changes none.
    name: '010-players',
    sql: `
CREATE INDEX accounts_by_age ON auth.accounts (realm, created, id);
CREATE INDEX banned_accounts ON auth.accounts (realm, created, id) WHERE banned IS NOT NULL;
CREATE INDEX sessions_by_account ON auth.sessions (account_id, started, id);
DROP INDEX auth.sessions_of_account;
CREATE INDEX audit_by_act ON auth.audit (project_id, act, at, id);
DROP INDEX auth.audit_of_project;
`,
  },
  {
    // A second factor that a project wants is set up on the way in. What is pending names no account: it is kept under a
    // keyed hash, and goes with its exchange.
    name: '011-enrolments',
    sql: "ALTER TABLE auth.exchanges ADD COLUMN enrolments jsonb NOT NULL DEFAULT '{}';",
  },
  {
    // Whose mails they are: the same address may play in several projects, and administer.
    name: '012-outbox-of-realms',
    sql: `
DELETE FROM auth.outbox;
ALTER TABLE auth.outbox ADD COLUMN realm text COLLATE "C" NOT NULL;
CREATE INDEX outbox_of_realm ON auth.outbox (realm, sent, id);
`,
  },
  {
    // What an account is to be told by mail of what was done to it by those who look after it.
    name: '013-notices',
    sql: `
CREATE TABLE auth.notices (
  id uuid PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES auth.accounts (id) ON DELETE CASCADE,
  kind text NOT NULL,
  left_at timestamptz NOT NULL,
  due timestamptz,
  tries integer NOT NULL DEFAULT 0
);
CREATE INDEX notices_of_account ON auth.notices (account_id);
CREATE INDEX notices_to_mail ON auth.notices (due) WHERE due IS NOT NULL;
`,
  },
  {
    // Which tokens are being shown to a platform right now: over within seconds, so that a crash may lose them.
    name: '014-token-checks',
    sql: 'CREATE UNLOGGED TABLE auth.token_checks (name bytea PRIMARY KEY, until timestamptz NOT NULL);',
  },
  {
    // Nothing of a sign-in is found by an address or a key: an answer by a hash of a request that holds a secret, a code that
    // was good by its exchange or by that code and what proved the account, an enrolment by its exchange or by its owner.
    name: '015-exchanges-of-their-callers',
    sql:
      `
DELETE FROM auth.exchanges;
ALTER TABLE auth.exchanges DROP COLUMN sender, DROP COLUMN second_factors, DROP COLUMN enrolments,
  DROP COLUMN fingerprint, DROP COLUMN answer, DROP COLUMN session_id;

CREATE TABLE auth.answers (
  fingerprint bytea PRIMARY KEY,
  answer bytea NOT NULL,
  session_id text COLLATE "C" NOT NULL,
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

-- The code that whoever sets up a second factor on the way in is mailed first.
ALTER TABLE auth.mail_tokens DROP CONSTRAINT mail_tokens_kind_check;
ALTER TABLE auth.mail_tokens ADD CONSTRAINT mail_tokens_kind_check
  CHECK (kind IN ('reset', 'verify', 'register', 'enrol'));
` + eraseAccountSql,
  },
  {
    // A mail about a changed address goes to the one before.
    name: '016-notices-to-an-address',
    sql: `
DELETE FROM auth.notices;
ALTER TABLE auth.notices ADD COLUMN recipient text NOT NULL;
`,
  },
  {
    // An answer is repeated while its account stands as it was answered.
    name: '017-answers-while-they-hold',
    sql:
      signInBasisSql +
      `
DELETE FROM auth.answers;
ALTER TABLE auth.answers ADD COLUMN account_id text COLLATE "C" NOT NULL, ADD COLUMN basis bytea NOT NULL;
`,
  },
  {
    // A session ends with the identity that it was opened by.
    name: '018-sessions-of-identities',
    sql: "ALTER TABLE auth.sessions ADD COLUMN opened_by uuid[] NOT NULL DEFAULT '{}';",
  },
  {
    // Only hashes: a reader of the database cannot sign in with them.
    name: '019-sign-in-links',
    sql: `
CREATE TABLE auth.sign_in_links (
  hash bytea PRIMARY KEY CHECK (octet_length(hash) = 32),
  account_id text COLLATE "C" NOT NULL REFERENCES auth.accounts (id) ON DELETE CASCADE,
  expires timestamptz NOT NULL,
  used timestamptz
);
CREATE INDEX sign_in_links_of_account ON auth.sign_in_links (account_id);
`,
  },
];
