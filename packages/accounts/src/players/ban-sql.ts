/**
 * Bans an account of a realm, of a player or an administrator. Returns false if there is no such account. The lock waits
 * for sign-ins in progress, so that their sessions end too. A null `expires` means forever, and a new ban replaces the
 * previous one.
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
