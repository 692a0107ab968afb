/**
 * Bans of accounts, of players and administrators alike; false when the realm has no such account. They are functions of
 * the database because whoever manages a project calls them. The lock waits for sign-ins that are under way, so that
 * their sessions end too; `expires` may be null, and a ban that is given again replaces the one before.
 */
export const banSql = `
CREATE FUNCTION auth.ban_account(
  p_account text, p_realm text, p_reason text, p_expires timestamptz, p_now timestamptz
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM auth.accounts WHERE id = p_account AND realm = p_realm FOR UPDATE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  UPDATE auth.accounts SET banned = p_now, ban_reason = p_reason, ban_expires = p_expires WHERE id = p_account;
  UPDATE auth.sessions SET ended = p_now, end_reason = 'banned' WHERE account_id = p_account AND ended IS NULL;
  UPDATE registry.session_keys SET ended = coalesce(ended, p_now), barred = true
   WHERE account_id = p_account AND NOT barred;
  RETURN true;
END $$;

CREATE FUNCTION auth.unban_account(p_account text, p_realm text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  UPDATE auth.accounts SET banned = NULL, ban_reason = NULL, ban_expires = NULL
   WHERE id = p_account AND realm = p_realm;
  RETURN FOUND;
END $$;
`;
