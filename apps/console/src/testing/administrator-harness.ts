import { randomBytes } from 'node:crypto';
import type { Database } from '@tickrate/accounts';
import { createApiKeyText, createNamedId, hashApiKey, scopeOfRole } from '@tickrate/contract';

export interface Administrator {
  readonly accountId: string;
  readonly emailAddress: string;
  /** The key of a session in the first project. */
  readonly key: string;
}

/** Creates an account with these roles by project. */
export async function createAdministrator(
  accounts: Database,
  roles: Readonly<Record<string, string>>,
): Promise<Administrator> {
  const accountId = createNamedId('u', randomBytes);
  const emailAddress = `${accountId}@example.com`;
  await accounts.query(
    `INSERT INTO auth.accounts (id, realm, email, email_folded, email_verified, display_name, created)
     VALUES ($1, 'installation', $2, $2, now(), 'Ada', now())`,
    [accountId, emailAddress],
  );
  for (const [projectId, role] of Object.entries(roles)) {
    await accounts.query(
      'INSERT INTO auth.members (project_id, account_id, role, granted) VALUES ($1, $2, $3, now())',
      [projectId, accountId, role],
    );
  }
  const [[projectId = '', role = ''] = []] = Object.entries(roles);
  return { accountId, emailAddress, key: await openSession(accounts, { accountId, projectId, role }) };
}

/** The key of another session of the account. */
export async function openSession(
  accounts: Database,
  { accountId, projectId, role }: Readonly<Record<'accountId' | 'projectId' | 'role', string>>,
): Promise<string> {
  const key = createApiKeyText('session', randomBytes);
  const id = createNamedId('us', randomBytes);
  await accounts.query(
    `INSERT INTO auth.sessions (id, account_id, realm, project_id, key_hash, secret_hash, role, amr, metered, new_account,
       started, proven, expires, absolute_expires, client_address)
     VALUES ($1, $2, 'installation', $3, $4, '', 'builtin:admin', '{pwd}', false, false,
       now(), now(), now() + interval '1 hour', now() + interval '1 hour', '127.0.0.1')`,
    [id, accountId, projectId, hashApiKey(key)],
  );
  await accounts.query(
    `INSERT INTO registry.session_keys (hash, session_id, account_id, project_id, scopes, expires)
     VALUES ($1, $2, $3, $4, $5, now() + interval '1 hour')`,
    [hashApiKey(key), id, accountId, projectId, [scopeOfRole(role)]],
  );
  return key;
}
