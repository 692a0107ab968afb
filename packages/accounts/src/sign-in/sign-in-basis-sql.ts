/**
 * One hash of everything about an account that a sign-in is decided on. An answer is repeated only while the hash is the
 * same. It contains no times of use and no failures. It is volatile, so that it sees what others committed while the
 * calling statement waited for them.
 */
export const signInBasisSql = `
CREATE FUNCTION auth.sign_in_basis(account text) RETURNS bytea LANGUAGE sql VOLATILE AS $basis$
  SELECT sha256(convert_to(coalesce((
    SELECT row(a.email, a.email_verified, a.banned, a.ban_expires, a.archived, a.owns_installation,
      p.changed, t.confirmed,
      (SELECT array_agg(c.hash ORDER BY c.hash) FROM auth.recovery_codes c WHERE c.account_id = a.id),
      (SELECT array_agg(d.hash ORDER BY d.hash) FROM auth.known_devices d
        WHERE d.account_id = a.id AND d.trusted_until IS NOT NULL),
      (SELECT array_agg(row(i.id, i.provider, i.tenant, i.subject)::text ORDER BY i.id) FROM auth.identities i
        WHERE i.account_id = a.id),
      (SELECT array_agg(row(r.project_id, r.role)::text ORDER BY r.project_id, r.role) FROM auth.roles r
        WHERE r.account_id = a.id))::text
    FROM auth.accounts a LEFT JOIN auth.passwords p ON p.account_id = a.id LEFT JOIN auth.totps t ON t.account_id = a.id
    WHERE a.id = account), ''), 'UTF8'))
$basis$;
`;
