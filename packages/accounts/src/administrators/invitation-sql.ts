/**
 * Invitations of administrators, by address and project. They are functions of the database because whoever manages a
 * project calls them. An address has one invitation to a project at a time: inviting again replaces it, also when it was
 * used. What was used cannot be withdrawn.
 */
export const invitationSql = `
CREATE FUNCTION auth.invite_administrator(
  p_id uuid, p_email_folded text, p_project text, p_role text, p_by text, p_expires timestamptz
) RETURNS uuid LANGUAGE sql AS $$
  INSERT INTO auth.invitations (id, email_folded, project_id, role, invited_by, expires)
  VALUES (p_id, p_email_folded, p_project, p_role, p_by, p_expires)
  ON CONFLICT (email_folded, project_id) DO UPDATE
    SET id = excluded.id, role = excluded.role, invited_by = excluded.invited_by, expires = excluded.expires, used = NULL
  RETURNING id
$$;

CREATE FUNCTION auth.withdraw_invitation(p_id uuid, p_project text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM auth.invitations WHERE id = p_id AND project_id = p_project AND used IS NULL;
  RETURN FOUND;
END $$;

ALTER TABLE auth.invitations ADD CHECK (role IN ('owner', 'admin', 'analyst', 'viewer'));
`;
