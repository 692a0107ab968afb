/**
 * The members of a project and the invitations to become one: one role for each. The database ensures that a project
 * keeps an owner until it is deleted. The lock on the project orders two owners who step down at the same time. An erased account
 * leaves in any case.
 */
export const memberSql = `
CREATE TABLE auth.members (
  project_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  realm text COLLATE "C" NOT NULL DEFAULT 'installation' CHECK (realm = 'installation'),
  role text COLLATE "C" NOT NULL CHECK (role ~ '^[a-z][a-z0-9-]{0,39}$'),
  granted timestamptz NOT NULL,
  -- Given by a group of the identity provider, and taken with it: also from the last owner.
  by_group boolean NOT NULL DEFAULT false,
  PRIMARY KEY (project_id, account_id),
  FOREIGN KEY (account_id, realm) REFERENCES auth.accounts (id, realm) ON DELETE CASCADE
);
CREATE INDEX members_of_account ON auth.members (account_id);

CREATE FUNCTION auth.keep_an_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM registry.projects WHERE id = OLD.project_id FOR NO KEY UPDATE;
  IF EXISTS (SELECT FROM registry.projects WHERE id = OLD.project_id AND deleted IS NULL)
     AND EXISTS (SELECT FROM auth.accounts WHERE id = OLD.account_id)
     AND NOT EXISTS (
       SELECT FROM auth.members m JOIN auth.accounts a ON a.id = m.account_id
        WHERE m.project_id = OLD.project_id AND m.account_id <> OLD.account_id AND m.role = 'owner'
          AND a.archived IS NULL AND a.banned IS NULL)
  THEN
    RAISE EXCEPTION 'A project keeps an owner'
      USING ERRCODE = 'restrict_violation', CONSTRAINT = 'keep_an_owner';
  END IF;
  RETURN COALESCE(NEW, OLD);
END $$;
CREATE TRIGGER owner_steps_down BEFORE UPDATE ON auth.members FOR EACH ROW
  WHEN (OLD.role = 'owner' AND NEW.role <> 'owner' AND NOT OLD.by_group) EXECUTE FUNCTION auth.keep_an_owner();
CREATE TRIGGER owner_leaves BEFORE DELETE ON auth.members FOR EACH ROW
  WHEN (OLD.role = 'owner' AND NOT OLD.by_group) EXECUTE FUNCTION auth.keep_an_owner();

CREATE TABLE auth.invitations (
  id uuid PRIMARY KEY,
  email text NOT NULL,
  email_folded text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  role text COLLATE "C" NOT NULL CHECK (role ~ '^[a-z][a-z0-9-]{0,39}$'),
  invited_by text COLLATE "C" NOT NULL,
  created timestamptz NOT NULL,
  expires timestamptz NOT NULL,
  mail_due timestamptz,
  mail_tries integer NOT NULL DEFAULT 0,
  mailed timestamptz,
  used timestamptz,
  UNIQUE (email_folded, project_id)
);
CREATE INDEX invitations_of_project ON auth.invitations (project_id, created DESC, id DESC) WHERE used IS NULL;
CREATE INDEX invitations_to_mail ON auth.invitations (mail_due) WHERE mail_due IS NOT NULL;
CREATE TRIGGER notify_mail AFTER INSERT OR UPDATE OF mail_due ON auth.invitations
  FOR EACH ROW WHEN (NEW.mail_due IS NOT NULL AND NEW.mail_tries = 0) EXECUTE FUNCTION auth.notify_mail();

-- The administrator that the operator named was created once.
CREATE TABLE auth.first_administrator (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  account_id text COLLATE "C" NOT NULL
);
`;
