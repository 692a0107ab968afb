/**
 * Who administers which project: one role for each of them, where players may have several. Members and invitations are
 * managed by statements of this package from here on. That a project keeps an owner is decided here: the lock on the
 * project lets two who step down at once see each other, and an account that is erased goes all the same.
 */
export const memberSql = `
CREATE TABLE auth.members (
  project_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  realm text COLLATE "C" NOT NULL DEFAULT 'installation' CHECK (realm = 'installation'),
  role text COLLATE "C" NOT NULL CHECK (role ~ '^[a-z][a-z0-9-]{0,39}$'),
  granted timestamptz NOT NULL,
  PRIMARY KEY (project_id, account_id),
  FOREIGN KEY (account_id, realm) REFERENCES auth.accounts (id, realm) ON DELETE CASCADE
);
CREATE INDEX members_of_account ON auth.members (account_id);

INSERT INTO auth.members (project_id, account_id, role, granted)
SELECT DISTINCT ON (r.project_id, r.account_id) r.project_id, r.account_id, r.role, r.granted
  FROM auth.roles r JOIN auth.accounts a ON a.id = r.account_id
 WHERE a.realm = 'installation' AND r.role IN ('owner', 'admin', 'analyst', 'viewer')
 ORDER BY r.project_id, r.account_id, array_position(ARRAY['owner', 'admin', 'analyst', 'viewer'], r.role::text);
DELETE FROM auth.roles r USING auth.accounts a WHERE a.id = r.account_id AND a.realm = 'installation';

CREATE FUNCTION auth.keep_an_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM registry.projects WHERE id = OLD.project_id FOR NO KEY UPDATE;
  IF EXISTS (SELECT FROM auth.accounts WHERE id = OLD.account_id)
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
  WHEN (OLD.role = 'owner' AND NEW.role <> 'owner') EXECUTE FUNCTION auth.keep_an_owner();
CREATE TRIGGER owner_leaves BEFORE DELETE ON auth.members FOR EACH ROW
  WHEN (OLD.role = 'owner') EXECUTE FUNCTION auth.keep_an_owner();

DROP FUNCTION auth.invite_administrator(uuid, text, text, text, text, timestamptz);
DROP FUNCTION auth.withdraw_invitation(uuid, text);
ALTER TABLE auth.invitations DROP CONSTRAINT invitations_role_check;
ALTER TABLE auth.invitations ADD CHECK (role ~ '^[a-z][a-z0-9-]{0,39}$');
ALTER TABLE auth.invitations
  ADD COLUMN email text,
  ADD COLUMN created timestamptz,
  ADD COLUMN mail_due timestamptz,
  ADD COLUMN mail_tries integer NOT NULL DEFAULT 0,
  ADD COLUMN mailed timestamptz;
UPDATE auth.invitations SET email = email_folded, created = expires;
ALTER TABLE auth.invitations ALTER COLUMN email SET NOT NULL, ALTER COLUMN created SET NOT NULL;
CREATE INDEX invitations_of_project ON auth.invitations (project_id, created DESC, id DESC) WHERE used IS NULL;
CREATE INDEX invitations_to_mail ON auth.invitations (mail_due) WHERE mail_due IS NOT NULL;
`;
