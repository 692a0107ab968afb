import { createHmac, randomBytes } from 'node:crypto';
import { createNamedId, createRecordId } from '@tickrate/contract';
import { createKeyedLock, createSecretBox } from '@tickrate/platform';
import { createPostgres, type Postgres } from '@tickrate/postgres';
import { migrateRegistry } from '@tickrate/registry';
import { createManualClock, freshPostgres, waitUntil } from '@tickrate/testkit';
import { afterAll } from 'vitest';
import type { Accounts } from '../accounts.ts';
import { addMember } from '../administrators/members.ts';
import { setPassword } from '../credentials/passwords.ts';
import { insertAccount } from '../people/accounts.ts';
import { insertIdentity } from '../people/identities.ts';
import type { Actor, SessionActor } from '../records/audit.ts';
import { issueSession, type SessionRow } from '../sign-in/sessions.ts';
import { migrateAuth } from '../store/auth-schema.ts';
import { inRealm } from '../store/in-realm.ts';

const key = 'a key of tests';

/**
 * The accounts of a test file, in a migrated database that is closed after the tests. A password's hash is `hash of` and
 * the derived value.
 */
export async function createAccountsWorld() {
  const { url: postgresUrl } = await freshPostgres();
  const { now, advance } = createManualClock();
  await migrateRegistry(postgresUrl);
  await migrateAuth(postgresUrl);
  const db = createPostgres({ postgresUrl, maxConnections: 8, onFault: () => undefined });
  afterAll(() => db.close());
  const accounts: Accounts = {
    db,
    keyring: { mac: (...parts) => createHmac('sha256', key).update(JSON.stringify(parts)).digest() },
    box: createSecretBox(randomBytes(32)),
    now,
    randomBytes,
    newId: () => createRecordId(now(), randomBytes),
    verifyPassword: async (stored, derived) => ({ ok: stored === `hash of ${derived}`, rehash: null }),
    passwordLock: createKeyedLock(),
  };

  async function createAccount(realm: string, { email, verified = true, password }: AccountOfTest = {}) {
    const id = createNamedId('u', randomBytes);
    const people = inRealm(db, realm);
    await insertAccount(people, {
      id,
      nowMs: now(),
      email: email === undefined ? null : { address: email, folded: email.toLowerCase(), verified },
      displayName: null,
      avatarUrl: null,
      locale: 'de',
      marketing: null,
      terms: {},
    });
    if (password !== undefined)
      await setPassword(people, { accountId: id, hash: `hash of ${password}`, nowMs: now() });
    return id;
  }

  return {
    now,
    advance,
    db,
    accounts,
    createAccount,

    /** The id of a new project, which is the realm of its players. */
    async createProject(): Promise<string> {
      const id = createNamedId('p', randomBytes).slice(0, 14);
      const sql =
        "INSERT INTO registry.projects (id, name, test_mode, created) VALUES ($1, 'Kart', true, $2)";
      await db.query(sql, [id, new Date(now())]);
      return id;
    },

    /** Makes an account a member of the project. */
    async addMember(projectId: string, accountId: string, role: string): Promise<void> {
      await addMember(db, { accountId, projectId, role, nowMs: now() });
    },

    async linkSteam(realm: string, accountId: string, subject: string): Promise<string> {
      const id = accounts.newId();
      const identity = { id, accountId, key: { provider: 'steam', tenant: '', subject }, displayName: null };
      await insertIdentity(inRealm(db, realm), { ...identity, nowMs: now() });
      return id;
    },

    /** A session of the account, as it is read from the database. */
    async openSession(
      realm: string,
      accountId: string,
      amr: readonly string[] = ['pwd'],
    ): Promise<SessionRow> {
      const issued = await issueSession(accounts, inRealm(db, realm), {
        accountId,
        projectId: realm,
        role: 'builtin:user',
        scopes: [],
        amr,
        newAccount: false,
        metered: false,
        live: null,
        proven: null,
        absoluteExpires: null,
        openedBy: [],
        clientAddress: '192.0.2.1',
        secretHash: Buffer.alloc(0),
      });
      if (issued === null) throw new Error('The session was not opened');
      return issued.session;
    },

    ...readerOf(db),
  };
}

/** Reads what the calls left behind. */
function readerOf(db: Postgres) {
  return {
    /** The ids of the account's live sessions. */
    async liveSessions(accountId: string): Promise<string[]> {
      const sql = 'SELECT id FROM auth.sessions WHERE account_id = $1 AND ended IS NULL ORDER BY started, id';
      return (await db.query<{ id: string }>(sql, [accountId])).map(({ id }) => id);
    },

    async acts(accountId: string): Promise<string[]> {
      const sql = 'SELECT act FROM auth.audit WHERE account_id = $1 ORDER BY at, id';
      return (await db.query<{ act: string }>(sql, [accountId])).map(({ act }) => act);
    },

    /** Resolves when as many statements wait for a lock. */
    async waiting(count: number): Promise<void> {
      const sql =
        "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
      const areThere = async () => (await db.query(sql)).length >= count;
      await waitUntil(areThere, { what: `${count} statements that wait` });
    },

    /** The security mails of the account that are due. */
    async mails(accountId: string): Promise<string[]> {
      const sql = 'SELECT kind FROM auth.notices WHERE account_id = $1 ORDER BY left_at, id';
      return (await db.query<{ kind: string }>(sql, [accountId])).map(({ kind }) => kind);
    },
  };
}

export interface AccountOfTest {
  readonly email?: string;
  readonly verified?: boolean;
  readonly password?: string;
}

export function actor(projectId: string): Actor {
  return { projectId, sessionId: null, requestId: 'r-1', clientAddress: '192.0.2.1' };
}

export function self(session: SessionRow): SessionActor {
  return { session, requestId: 'r-1', clientAddress: '192.0.2.1' };
}
