/**
 * Deletes an account of a realm and everything that names it. Returns the number of rows by kind, or `{}` if there is no
 * such account. In audit rows a pseudonym replaces the account: the same in all its rows, another for every other account.
 * It is a function of the database because auth and the worker call it. Keys go first, so that no gateway
 * accepts events of the account any more.
 */
export const eraseAccountSql = `
CREATE FUNCTION auth.erase_account(p_account text, p_realm text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_email text;
  v_folded text;
  v_pseudonym text := 'erased-' || left(encode(sha256(convert_to(p_account, 'UTF8')), 'hex'), 20);
  v_counts jsonb := '{}';
  v_table text;
  v_rows bigint;
  v_made uuid[];
BEGIN
  SELECT email, email_folded INTO v_email, v_folded FROM auth.accounts
   WHERE id = p_account AND realm = p_realm FOR UPDATE;
  IF NOT FOUND THEN
    RETURN v_counts;
  END IF;
  DELETE FROM registry.session_keys WHERE account_id = p_account;
  GET DIAGNOSTICS v_rows = ROW_COUNT;
  v_counts := v_counts || jsonb_build_object('keys', v_rows);
  DELETE FROM auth.answers WHERE session_id IN (SELECT id FROM auth.sessions WHERE account_id = p_account);

  -- Also mails to an address that is not verified: only the tokens contain it.
  DELETE FROM auth.outbox o WHERE o.account_id = p_account OR o.realm = p_realm AND (lower(o.recipient) = lower(v_email)
      OR EXISTS (SELECT FROM auth.mail_tokens m WHERE m.account_id = p_account AND lower(m.email) = lower(o.recipient)));
  GET DIAGNOSTICS v_rows = ROW_COUNT;
  v_counts := v_counts || jsonb_build_object('mails', v_rows);
  DELETE FROM auth.mail_tokens WHERE account_id = p_account OR (realm = p_realm AND email_folded = v_folded);

  DELETE FROM auth.device_secrets WHERE device_id IN (
    SELECT subject FROM auth.identities WHERE account_id = p_account AND provider = 'device');
  UPDATE auth.identities SET moved_from = NULL, moved = NULL WHERE moved_from = p_account;
  IF p_realm = 'installation' THEN
    DELETE FROM auth.invitations WHERE email_folded = v_folded;
    -- What its keys may do ends with it, as at the removal of a member.
    PERFORM FROM registry.projects WHERE id IN (SELECT project_id FROM auth.members WHERE account_id = p_account)
      ORDER BY id FOR NO KEY UPDATE;
    PERFORM pg_advisory_xact_lock(4772905318244);
    v_made := ARRAY(WITH RECURSIVE made AS (
      SELECT id FROM registry.keys WHERE created_by = p_account
      UNION SELECT k.id FROM registry.keys k JOIN made ON k.parent_id = made.id) SELECT id FROM made);
    DELETE FROM auth.invitations WHERE used IS NULL AND (invited_by = p_account
      OR invited_by IN (SELECT 'key ' || id FROM unnest(v_made) AS id));
    UPDATE registry.keys SET scopes = '{}' WHERE id = ANY (v_made) AND scopes <> '{}';
    DELETE FROM registry.shares WHERE created_by = p_account;
    UPDATE auth.invitations SET invited_by = v_pseudonym WHERE invited_by = p_account;
    UPDATE auth.first_administrator SET account_id = v_pseudonym WHERE account_id = p_account;
  END IF;
  FOREACH v_table IN ARRAY ARRAY['identities', 'sessions', 'passwords', 'totps', 'recovery_codes', 'known_devices'] LOOP
    EXECUTE format('DELETE FROM auth.%I WHERE account_id = $1', v_table) USING p_account;
    GET DIAGNOSTICS v_rows = ROW_COUNT;
    v_counts := v_counts || jsonb_build_object(v_table, v_rows);
  END LOOP;

  -- After the rows above, whose locks an act in progress holds until it is in the audit. An identity that moved is named
  -- by two entries, of the account that lost it and of the one that got it.
  UPDATE auth.audit o SET details = (
      SELECT jsonb_object_agg(d.key, CASE WHEN d.value = p_account THEN v_pseudonym ELSE d.value END)
        FROM jsonb_each_text(o.details) AS d)
   WHERE o.act = 'identityMoved' AND p_account IN (o.details->>'from', o.details->>'to') AND o.account_id IN (
     SELECT COALESCE(own.details->>'from', own.details->>'to') FROM auth.audit own
      WHERE own.account_id = p_account AND own.act = 'identityMoved');
  UPDATE auth.audit SET account_id = v_pseudonym, session_id = NULL, client_address = '', details = '{}'
   WHERE account_id = p_account;
  GET DIAGNOSTICS v_rows = ROW_COUNT;
  v_counts := v_counts || jsonb_build_object('auditEntriesMadeAnonymous', v_rows);
  DELETE FROM auth.accounts WHERE id = p_account;
  RETURN v_counts || '{"accounts": 1}';
END $$;
`;
